#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubato::fuzz {

/// Whole inputs, which are then damaged.
struct Corpus {
    std::vector<std::string> scenes; ///< those that come with the program, on tiny bodies and for three steps
    std::map<std::string, std::vector<std::string>> meshes; ///< by extension; .blobs too
    std::map<std::string, std::string> run; ///< the files of a run directory, by name
    std::vector<std::vector<std::string>> commands; ///< words behind the program's name
};

/// Writes into `folder` what the program writes itself: tiny meshes in every format, and a run.
Corpus made_corpus(const std::filesystem::path& folder);

} // namespace rubato::fuzz
