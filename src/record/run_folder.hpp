#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>

/// What a folder tells about the run in it.
namespace rubato {

/// Whether it is a regular file that begins with this text.
bool begins_with(const std::filesystem::path& file, std::string_view text);

/// Whether a run of this program is in the folder: its scene, and a stats.csv that begins as ours do.
bool holds_run(const std::filesystem::path& folder);

/// The folder in which a run that begins keeps its first files until all of them are written. It is made before
/// anything else changes and removed when the run has begun.
inline constexpr const char* begun_run = ".rubato-new";

/// Whether a run may take the place of what is in the folder: a run, or what is left of one that was killed as it
/// began, which is told by its begun_run.
bool holds_replaceable_run(const std::filesystem::path& folder);

/// Whether a run may be written to the folder: there is none yet, it is empty, or a run is in it that can be replaced.
bool takes_run(const std::filesystem::path& folder);

/// The text of a JSON object with one more key at its end, "checksum", over all that precedes it.
std::string sealed(const std::string& object);

/// summary.json of a run. Throws InputError where it cannot be read, is no summary, or was changed after it was
/// written. One of an earlier version, which has no checksum, is taken as it is.
nlohmann::ordered_json read_summary(const std::filesystem::path& run_directory);

/// Throws InputError where scene.json or stats.csv is not what the run left, as far as its summary tells.
void require_as_summarised(const std::filesystem::path& run_directory, const nlohmann::ordered_json& summary);

} // namespace rubato
