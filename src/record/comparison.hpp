#pragma once

#include "record/plot.hpp"
#include "record/run_picture.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Runs of one scene beside each other.
namespace rubato {

struct ComparedRun {
    std::string name; ///< of the method, for legends
    std::filesystem::path directory;
};

/// Total energy over time of each run. Throws InputError if one has no stats.csv.
LinePlot compared_energies(const std::vector<ComparedRun>& runs, const std::string& title);

/// Height of the centre of mass above the place where the energy of gravity is zero; weight: of all bodies [N], > 0.
LinePlot compared_heights(const std::vector<ComparedRun>& runs, double weight, const std::string& title);

/// Moments of all runs: in each picture their bodies stand side by side, in the order of the runs, each run in a colour
/// of its own. Throws InputError if a run has no frames.
Image compared_moments(const std::vector<ComparedRun>& runs, const RunPictureOptions& options);

} // namespace rubato
