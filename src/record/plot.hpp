#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubato {

/// One curve. A missing number is NaN and leaves a gap.
struct Series {
    std::string name;
    std::vector<double> values;
    std::string color; ///< as SVG writes it
    double width = 1.5; ///< of the line [px]
    bool dashed = false;
};

/// What an axis shows: "energy", "J". The unit takes an SI prefix that suits the numbers.
struct Axis {
    std::string quantity, unit;
};

struct LinePlot {
    std::string title;
    Axis x_axis, y_axis;
    std::vector<double> x; ///< ascending
    std::vector<Series> series; ///< each as long as x
};

/// A line plot as an SVG document: axes with round ticks, legend, title. Long series are thinned to the extremes of
/// each pixel column, so that the file stays small and peaks stay visible.
std::string svg(const LinePlot& plot);

/// Energies against time from a stats.csv: kinetic, those potential energies that are not always zero, the total, and
/// the balance (initial + injected - dissipated), which the total would follow if the integrator kept all energy; where
/// the integrator aims at a target, that too.
/// Throws InputError if the file is no stats.csv.
LinePlot energy_plot(const std::filesystem::path& stats_csv, const std::string& title);

/// Writes DIR/energy.svg from DIR/stats.csv. Throws InputError or WriteError.
void write_energy_plot(const std::filesystem::path& run_directory, const std::string& title);

} // namespace rubato
