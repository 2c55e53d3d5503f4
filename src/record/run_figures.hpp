#pragma once

#include "record/bounces.hpp"

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
    std::optional<double> ground = {}; ///< ground level of the scene, given or found: the energy at rest [J]
    std::string ground_kind = {}; ///< what that is, if it is no equilibrium: "friction", "bound"
    std::string away = {}; ///< how far and why the energy stayed away from its target; empty: it did not
    std::string gravity_zero = {}; ///< where the energy of gravity is zero, as "[0, 0, 0]" [m]; empty: not known
    double weight = 0; ///< [N]; 0: no gravity, or not known
    std::vector<std::pair<std::string, double>> phases = {}; ///< where the wall-clock time went [s]
    std::optional<Bounces> bounces = {}; ///< if something falls on something

    /// How much of its energy the run has at the end, above the ground level where that is known, < 0 below; nothing if
    /// it began with none.
    std::optional<double> energy_left() const;
    /// From where `energy_left` counts: "energy counts from the ground level of the scene, 0.241 J"; may be empty.
    std::string counted_from() const;
};

/// From summary.json, or as much as stats.csv tells of a run that has not ended. InputError if neither can be read.
RunFigures run_figures(const std::filesystem::path& run_directory);

/// The energy at rest of a run that ended [J], from its summary alone, which is short; nothing where there is none, or
/// where the summary is damaged.
std::optional<double> ground_level(const std::filesystem::path& run_directory);

/// A share as per cent, "98 %" or "0.3 %"; never "-0.0 %".
std::string percent(double share, int digits);

/// What is kept of an energy, "98 %"; "below" where less is left than nothing, which is no share.
std::string share_kept(double share, int digits);

} // namespace rubato
