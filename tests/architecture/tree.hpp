#pragma once

#include "architecture/rules.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

/// The source tree, for tests that apply a rule to it.
namespace rubato::rules {

inline const std::filesystem::path root = RUBATO_SOURCE_DIR;
inline const std::set<std::string> code{".hpp", ".cpp", ".cuh", ".cu"};

inline std::string text_of(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in) << "cannot read " << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<SourceFile> files_below(
    const std::vector<std::string>& folders, const std::set<std::string>& endings)
{
    namespace fs = std::filesystem;
    std::vector<SourceFile> files;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file() || endings.count(entry.path().extension().string()) == 0) continue;
            files.push_back({fs::relative(entry.path(), root).generic_string(), text_of(entry.path())});
        }
    }
    std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    return files;
}

inline void expect_none(const Complaints& complaints)
{
    for (const std::string& complaint : complaints) ADD_FAILURE() << complaint;
}

} // namespace rubato::rules
