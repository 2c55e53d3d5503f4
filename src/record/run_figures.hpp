#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubato {

/// A run in numbers, for people.
struct RunFigures {
    std::string status; ///< finished, interrupted, failed, or unfinished: no summary.json yet
    std::string reason; ///< why it failed
    long nodes = 0, tetrahedra = 0, threads = 0, steps = 0;
    double step = 0, simulated = 0, wall = 0; ///< [s]
    double newton_per_step = 0;
    long newton = 0, local = 0, linear = 0; ///< iterations
    double start_energy = 0, end_energy = 0, largest_drift = 0; ///< [J]
    double injected = 0, dissipated = 0; ///< [J]
    std::optional<double> ground = {}; ///< energy at rest [J]
    double weight = 0; ///< [N]; 0: no gravity, or not known
    std::vector<std::pair<std::string, double>> phases = {}; ///< where the wall-clock time went [s]

    /// How much of its energy the run has at the end, above the ground level where that is known; nothing if it began
    /// with none.
    std::optional<double> energy_left() const;
};

/// From summary.json, or as much as stats.csv tells of a run that has not ended. InputError if neither can be read.
RunFigures run_figures(const std::filesystem::path& run_directory);

} // namespace rubato
