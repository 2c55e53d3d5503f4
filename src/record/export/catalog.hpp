#pragma once

#include "base/options.hpp"
#include "record/export/frame_selection.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

struct ExportOptions {
    std::filesystem::path folder; ///< is made if it is not there
    std::string name = {}; ///< of files that hold the whole run; empty: the scene's
};

/// One line of the catalog of formats that a file of frames can be turned into. A FrameReader may be given where a
/// selection is asked for: it stands for all its frames.
struct ExportEntry {
    std::string name; ///< as the command line spells it
    std::string summary; ///< one sentence
    std::vector<OptionSpec> options = {};
    /// Returns what it wrote, with the folder in front; the file to open comes first. Throws InputError for a file of
    /// frames that is damaged or too large for the format, WriteError where a file cannot be written.
    std::vector<std::filesystem::path> (*write)(const FrameSelection&, const ExportOptions&) = nullptr;
    std::string extension = {}; ///< of the files that make it up, with its dot
};

const std::vector<ExportEntry>& export_catalog();

/// Writes an export into its folder, where numbered frames that an earlier one left are removed first: they would be
/// taken for frames of this one.
std::vector<std::filesystem::path> exported(
    const ExportEntry& entry, const FrameSelection& frames, const ExportOptions& options);

/// The entry of this name; null: there is none.
const ExportEntry* export_named(std::string_view name);

} // namespace rubato
