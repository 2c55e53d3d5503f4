#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

/// What a folder tells about the run in it.
namespace rubato {

/// Whether a run of this program is in the folder: its scene, and a stats.csv that begins as ours do.
bool holds_run(const std::filesystem::path& folder);

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
