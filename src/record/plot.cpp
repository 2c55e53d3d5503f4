#include "record/plot.hpp"

#include "geometry/files/atomic_file.hpp"
#include "record/stats_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double width = 880, height = 480; ///< of the picture [px]
constexpr double left = 76, right = width - 24, top = 78, bottom = height - 58; ///< of the plotting area [px]
constexpr double largest_drawn = 1e290; ///< beyond it differences overflow: treated as missing
constexpr double shortest_range = 1e-290; ///< below it quotients overflow: treated as one point

bool drawable(double value)
{
    return std::abs(value) <= largest_drawn; // false for NaN
}

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

    void include(double value)
    {
        if (!drawable(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    double length() const { return high - low; }
};

std::string escaped(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return safe;
}

/// The unit in which an axis is labelled: value in SI = number on the axis * factor.
struct Unit {
    double factor = 1;
    std::string name;
};

Unit readable(const std::string& unit, double largest)
{
    if (!(largest > 0)) return {1, unit};
    const int exponent = 3 * static_cast<int>(std::floor(std::log10(largest * (1 + 1e-12)) / 3));
    if (unit == "s" && exponent > 0) return {1, unit}; // nobody reads kiloseconds
    const double factor = std::pow(10.0, exponent);
    constexpr const char* prefixes[] = {"p", "n", "\xc2\xb5", "m", "", "k", "M", "G", "T"};
    const int place = exponent / 3 + 4;
    if (place >= 0 && place < 9) return {factor, prefixes[place] + unit};
    return {factor, fmt::format("1e{} {}", exponent, unit)};
}

/// Distance of ticks: 1, 2 or 5 times a power of ten, about `wanted` in the range.
double tick_distance(double length, double wanted)
{
    const double raw = length / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    }
    return 10 * power;
}

std::string tick_label(double value, double distance)
{
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(distance) + 1e-9)));
    if (decimals > 6 || std::abs(value) >= 1e7) return fmt::format("{:.6g}", value);
    const std::string label = fmt::format("{:.{}f}", value, decimals);
    return label.find_first_not_of("-0.") == std::string::npos ? "0" : label;
}

/// The numbers of the rows that are drawn: all, or the first, last, lowest and highest of each pixel column.
std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y, const Range& range)
{
    const std::size_t n = std::min(x.size(), y.size());
    const auto columns = static_cast<std::size_t>(right - left);
    std::vector<std::size_t> kept;
    const auto column_of = [&](std::size_t i) {
        return drawable(x[i]) ? static_cast<std::size_t>((x[i] - range.low) / range.length() * (columns - 1)) : 0;
    };
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
        std::size_t lowest = begin, highest = begin;
        const std::size_t column = column_of(begin);
        for (end = begin; end < n && (n <= 2 * columns ? end == begin : column_of(end) == column); ++end) {
            if (!drawable(y[end])) break; // a gap is a group of its own, so that it is seen
            if (y[end] < y[lowest]) lowest = end;
            if (y[end] > y[highest]) highest = end;
        }
        end = std::max(end, begin + 1);
        for (const std::size_t i : {begin, std::min(lowest, highest), std::max(lowest, highest), end - 1}) {
            if (kept.empty() || i > kept.back()) kept.push_back(i);
        }
    }
    return kept;
}

/// Maps data to pixels.
struct Frame {
    Range x, y;
    double px(double value) const { return left + (value - x.low) / x.length() * (right - left); }
    double py(double value) const { return bottom - (value - y.low) / y.length() * (bottom - top); }
};

void add_text(std::string& out, double x, double y, const std::string& attributes, const std::string& text)
{
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(text));
}

void add_line(std::string& out, double x1, double y1, double x2, double y2, const char* color)
{
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, color);
}

void add_axes(std::string& out, const Frame& frame, const LinePlot& plot, const Unit& x_unit, const Unit& y_unit,
    double y_distance)
{
    constexpr const char* grid = "#e4e4e0";
    constexpr const char* axis = "#8a8a86";
    const double dx = tick_distance(frame.x.length() / x_unit.factor, 10);
    const double dy = y_distance;
    const auto ticks = [](const Range& range, double distance, double factor, auto&& draw) {
        const double first = std::ceil(range.low / factor / distance - 1e-6);
        const double last = std::floor(range.high / factor / distance + 1e-6);
        for (double k = first; k <= last && k - first < 100; ++k) draw(k * distance);
    };
    ticks(frame.y, dy, y_unit.factor, [&](double value) {
        const double y = frame.py(value * y_unit.factor);
        add_line(out, left, y, right, y, grid);
        add_text(out, left - 8, y + 4, "text-anchor=\"end\"", tick_label(value, dy));
    });
    ticks(frame.x, dx, x_unit.factor, [&](double value) {
        const double x = frame.px(value * x_unit.factor);
        add_line(out, x, bottom, x, bottom + 5, axis);
        add_text(out, x, bottom + 20, "text-anchor=\"middle\"", tick_label(value, dx));
    });
    add_line(out, left, bottom, right, bottom, axis);
    if (frame.y.low < 0 && frame.y.high > 0) add_line(out, left, frame.py(0), right, frame.py(0), axis);
    const auto label = [](const Axis& a, const Unit& unit) { return a.quantity + " [" + unit.name + "]"; };
    add_text(out, 0.5 * (left + right), height - 14, "text-anchor=\"middle\"", label(plot.x_axis, x_unit));
    const double middle = 0.5 * (top + bottom);
    add_text(out, 20, middle, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 20 {:.1f})\"", middle),
        label(plot.y_axis, y_unit));
}

std::string stroke(const Series& series)
{
    return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", escaped(series.color), series.width,
        series.dashed ? " stroke-dasharray=\"6 4\"" : "");
}

void add_legend(std::string& out, const LinePlot& plot)
{
    double x = left;
    constexpr double y = 58;
    for (const Series& series : plot.series) {
        out += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\" {}/>\n", x, y - 4, x + 24, y - 4, stroke(series));
        add_text(out, x + 30, y, "", series.name);
        x += 30 + 7.5 * static_cast<double>(series.name.size()) + 22;
    }
}

void add_curve(std::string& out, const Frame& frame, const std::vector<double>& x, const Series& series)
{
    std::string path;
    bool pen_down = false;
    for (const std::size_t i : thinned(x, series.values, frame.x)) {
        if (!drawable(series.values[i]) || !drawable(x[i])) {
            pen_down = false;
            continue;
        }
        path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", frame.px(x[i]), frame.py(series.values[i]));
        if (!pen_down) path += "h0"; // so that a lone point is a dot
        pen_down = true;
    }
    if (path.empty()) return;
    out += fmt::format(
        "<path d=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n", path, stroke(series));
}

} // namespace

std::string svg(const LinePlot& plot)
{
    Frame frame;
    for (const double value : plot.x) frame.x.include(value);
    if (!(frame.x.length() > shortest_range)) {
        const double at = drawable(frame.x.low) ? frame.x.low : 0;
        frame.x = {at, at + std::max(1.0, std::abs(at))};
    }
    frame.y.include(0); // energies are judged by their distance from zero
    for (const Series& series : plot.series) {
        for (const double value : series.values) frame.y.include(value);
    }
    if (!(frame.y.length() > shortest_range)) frame.y.high = 1;

    const Unit x_unit = readable(plot.x_axis.unit, std::max(std::abs(frame.x.low), std::abs(frame.x.high)));
    const Unit y_unit = readable(plot.y_axis.unit, std::max(std::abs(frame.y.low), std::abs(frame.y.high)));
    // The vertical axis begins and ends at a tick.
    const double dy = tick_distance(frame.y.length() / y_unit.factor, 6);
    frame.y.low = std::floor(frame.y.low / y_unit.factor / dy + 1e-6) * dy * y_unit.factor;
    frame.y.high = std::ceil(frame.y.high / y_unit.factor / dy - 1e-6) * dy * y_unit.factor;

    std::string out
        = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\" "
                      "font-size=\"13\" fill=\"#333333\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fcfcfa\"/>\n",
            width, height);
    add_text(out, left, 30, "font-size=\"17\" font-weight=\"bold\"", plot.title);
    add_axes(out, frame, plot, x_unit, y_unit, dy);
    for (const Series& series : plot.series) add_curve(out, frame, plot.x, series);
    add_legend(out, plot);
    return out + "</svg>\n";
}

LinePlot energy_plot(const std::filesystem::path& stats_csv, const std::string& title)
{
    const StatsTable table = stats_table(stats_csv);
    LinePlot plot{
        .title = title,
        .x_axis = {"time", "s"},
        .y_axis = {"energy", "J"},
        .x = table.column("time"),
        .series = {},
    };
    const std::vector<double>& total = table.column("total");
    const std::vector<double>& injected = table.column("injected");
    const std::vector<double>& dissipated = table.column("dissipated");
    std::vector<double> balance(total.size());
    for (std::size_t i = 0; i < total.size(); ++i) balance[i] = total[0] + injected[i] - dissipated[i];

    // Colours that people with any colour vision can tell apart (Okabe and Ito).
    plot.series.push_back({.name = "balance", .values = balance, .color = "#999999", .width = 1.2, .dashed = true});
    constexpr std::pair<const char*, const char*> parts[] = {
        {"kinetic", "#d55e00"},
        {"elastic", "#0072b2"},
        {"gravity", "#009e73"},
        {"contact", "#cc79a7"},
        {"other", "#e69f00"},
    };
    for (const auto& [name, color] : parts) {
        const std::vector<double>& values = table.column(name);
        const bool present = std::any_of(values.begin(), values.end(), [](double v) { return drawable(v) && v != 0; });
        if (present) plot.series.push_back({.name = name, .values = values, .color = color});
    }
    plot.series.push_back({.name = "total", .values = total, .color = "#222222", .width = 2});
    const std::vector<double>& target = table.column("target");
    if (std::any_of(target.begin(), target.end(), drawable)) { // over the total, which it hides when met
        plot.series.push_back({.name = "target", .values = target, .color = "#56b4e9", .width = 1.5, .dashed = true});
    }
    return plot;
}

void write_energy_plot(const std::filesystem::path& run_directory, const std::string& title)
{
    write_atomically(run_directory / "energy.svg", svg(energy_plot(run_directory / "stats.csv", title)), false);
}

} // namespace rubato
