#pragma once

#include "with.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// Runs the program itself, in a folder of its own.
namespace rubato {

namespace fs = std::filesystem;

struct ProgramResult {
    int status = -1; ///< exit status; -signal when it was killed
    std::string out, err;

    /// Lines of standard error: one per mistake.
    int error_lines() const { return static_cast<int>(std::count(err.begin(), err.end(), '\n')); }
};

inline std::string file_text(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class ProgramTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string name = (fs::temp_directory_path() / "rubato-test-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const
    {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const { return file_text(folder_ / name); }
    bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
    const fs::path& folder() const { return folder_; }

    /// Starts the program with this folder as its working directory; output goes to files there.
    pid_t start(const std::vector<std::string>& arguments) const
    {
        std::vector<char*> argv{const_cast<char*>(RUBATO_PROGRAM)};
        for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
        argv.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            if (chdir(folder_.c_str()) != 0) _exit(126);
            const int out = open(".out", O_CREAT | O_TRUNC | O_WRONLY, 0600);
            const int err = open(".err", O_CREAT | O_TRUNC | O_WRONLY, 0600);
            dup2(out, 1);
            dup2(err, 2);
            execv(RUBATO_PROGRAM, argv.data());
            _exit(127);
        }
        return child;
    }
    ProgramResult finish(pid_t child) const
    {
        int status = 0;
        waitpid(child, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read(".out"), read(".err")};
    }
    ProgramResult run(const std::vector<std::string>& arguments) const { return finish(start(arguments)); }

    /// Names in the folder that the program made.
    std::vector<std::string> left_behind(const std::vector<std::string>& expected) const
    {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (name[0] != '.' && std::find(expected.begin(), expected.end(), name) == expected.end()) {
                names.push_back(name);
            }
        }
        return names;
    }

private:
    fs::path folder_;
};

/// Rows of a stats.csv without the last column, which is wall-clock time.
inline std::string without_wall(const std::string& csv)
{
    std::istringstream in(csv);
    std::string line, text;
    while (std::getline(in, line)) text += line.substr(0, line.rfind(',')) + "\n";
    return text;
}

/// A small block that swings: some tenths of a second of real work.
inline const char* const program_scene = R"({
  "name": "small",
  "time": {"step": 0.01, "duration": 0.3},
  "integrator": "implicit-euler",
  "bodies": [
    {
      "name": "block",
      "mesh": {"type": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]},
      "density": 1000,
      "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4},
      "velocity": [{"type": "ramp", "axis": [1, 0, 0], "velocity": [0, 1, 0]}]
    }
  ],
  "fixed": [{"nodes": {"type": "group", "name": "x_min"}}],
  "output": {"frames_per_second": 10, "checkpoint_every": 5, "picture": false}
}
)";

} // namespace rubato
