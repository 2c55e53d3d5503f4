#pragma once

#include "record/plot.hpp"
#include "record/run_picture.hpp"
#include "record/shown_runs.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Runs of one scene beside each other.
namespace rubato {

/// Total energy over time of each run. Throws InputError if one has no stats.csv.
LinePlot compared_energies(const std::vector<ShownRun>& runs, const std::string& title);

/// Height of the centre of mass above the place where the energy of gravity is zero; weight: of all bodies [N], > 0.
LinePlot compared_heights(const std::vector<ShownRun>& runs, double weight, const std::string& title);

/// Newton iterations of each step.
LinePlot compared_iterations(const std::vector<ShownRun>& runs, const std::string& title);

/// A colour for each run, as in plots, as HTML writes it.
std::string run_color(std::size_t number);

/// Moments of all runs: in each picture their bodies stand side by side, in the order of the runs, each run in a colour
/// of its own. Throws InputError if a run has no frames.
Image compared_moments(const std::vector<ShownRun>& runs, const RunPictureOptions& options);

} // namespace rubato
