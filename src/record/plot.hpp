#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// One curve. A missing number is NaN and leaves a gap.
struct Series {
    std::string name;
    std::vector<double> values;
    std::string color; ///< as SVG writes it
    double width = 1.5; ///< of the line [px]; 0: none
    bool dashed = false;
    std::vector<double> x = {}; ///< ascending, as long as values; empty: the plot's x
    double dots = 0; ///< radius of a dot at every point [px]; 0: none
};

/// What an axis shows: "energy", "J". The unit takes an SI prefix that suits the numbers; without a unit, or on a
/// logarithmic axis, the numbers stay as they are.
struct Axis {
    std::string quantity, unit = {};
    bool logarithmic = false; ///< numbers that are not positive are missing
    double least = std::numeric_limits<double>::quiet_NaN(); ///< where the axis begins; NaN: where the numbers do
    double most = std::numeric_limits<double>::quiet_NaN(); ///< curves are cut off outside
};

/// Colours and dashes for many curves, which people with any colour vision can tell apart (Okabe and Ito).
Series curve(std::size_t number, std::string name, std::vector<double> values);

struct LinePlot {
    std::string title;
    Axis x_axis, y_axis;
    std::vector<double> x = {}; ///< ascending
    std::vector<Series> series = {}; ///< each as long as x, or with an x of its own
};

/// A line plot as an SVG document: axes with round ticks, legend, title. Long series are thinned to the extremes of
/// each pixel column, so that the file stays small and peaks stay visible.
std::string svg(const LinePlot& plot);

/// How every such document begins, and hardly one of another program.
inline constexpr std::string_view plot_begin = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rb-plot\"";

/// Energies against time from a stats.csv: kinetic, those potential energies that are not always zero, the total, and
/// the balance (initial + injected - dissipated), which the total would follow if the integrator kept all energy; where
/// the integrator aims at a target, that too.
/// Throws InputError if the file is no stats.csv.
LinePlot energy_plot(const std::filesystem::path& stats_csv, const std::string& title);

/// Writes DIR/energy.svg from DIR/stats.csv. Throws InputError or WriteError.
void write_energy_plot(const std::filesystem::path& run_directory, const std::string& title);

} // namespace rubato
