#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rubato::cli {

/// Where the viewer that `./run` built, or that was installed with the program, lies: a folder with index.html and
/// viewer.js. RUBATO_VIEWER in the environment names another one. Nothing: there is none.
std::optional<std::filesystem::path> viewer_folder();

/// The same; InputError that says how to get one.
std::filesystem::path required_viewer_folder();

} // namespace rubato::cli
