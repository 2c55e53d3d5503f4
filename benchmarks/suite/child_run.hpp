#pragma once

#include "scene/scene.hpp"

#include <string>
#include <vector>

/// Whole runs, each in a process of its own: only so its memory is known.
namespace rubato {

struct ChildRun {
    std::string scene; ///< name or path
    int steps = 0; ///< 0: as long as the scene says
    int threads = 1;
    std::vector<std::string> settings = {}; ///< path=value
};

/// What a run cost, and did. Times are without building the scene.
struct RunCost {
    double processor = 0; ///< of all steps and threads [s]
    double first_step = 0; ///< of them, processor time of the first, in which structures are made [s]
    double wall = 0; ///< [s]
    double memory = 0; ///< most [byte]
    double steps = 0, nodes = 0, tets = 0, newton = 0, linear = 0;
    double elasticity = 0, contact = 0, ccd = 0, linear_solve = 0, output = 0, other = 0; ///< wall-clock time [s]
    std::string stats; ///< stats.csv without its wall-clock times
};

/// Starts this program once more, with `run_word` as its first argument, and waits. Throws std::runtime_error with what
/// the run said if it failed.
RunCost cost_of(const ChildRun& run);

inline const char* const run_word = "--run-one-scene";
/// What the process does that cost_of starts; returns its exit status.
int child_main(const std::vector<std::string>& arguments);

} // namespace rubato
