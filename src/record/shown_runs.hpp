#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubato {

/// A run to be looked at.
struct ShownRun {
    std::filesystem::path directory;
    std::string scene, integrator;
    double step = 0; ///< length asked for [s]
    bool has_frames = false;
    std::string name = {}; ///< tells it from the other runs
};

/// The runs in these directories. InputError if one is no run directory. Runs of one scene are named by their
/// integrators, with the length of the step where that does not tell them apart; else by scene and integrator, or as
/// the last resort by their directories.
std::vector<ShownRun> shown_runs(const std::vector<std::filesystem::path>& directories);

/// InputError for the first run that has no frames.
void require_frames(const std::vector<ShownRun>& runs);

} // namespace rubato
