#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::cli {

/// A run that this program starts as a process of its own.
struct SideRun {
    std::string name; ///< for progress
    std::vector<std::string> arguments; ///< of `rubato`, with --out and --threads
    std::filesystem::path directory; ///< where it writes
    double duration = 0; ///< that it simulates [s]
};

/// How a run ended, and what it said.
struct SideResult {
    int status = 0; ///< exit status
    std::string text; ///< both of its streams
};

/// Runs them, so many at a time, and shows how far they are where there is a terminal. Ctrl-C ends all of them in an
/// orderly way; those that had not begun have the status of an interrupted run.
std::vector<SideResult> run_beside(const std::vector<SideRun>& runs, int at_a_time);

/// How many runs go at a time on so many threads, each with the memory that so many nodes need.
int runs_at_a_time(std::size_t runs, int threads, long nodes);

} // namespace rubato::cli
