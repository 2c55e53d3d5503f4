#include "record/plot.hpp"

#include "geometry/files/atomic_file.hpp"
#include "record/html.hpp"
#include "record/stats_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double width = 880; ///< of the picture [px]
constexpr double left = 76, right = width - 24; ///< of the plotting area [px]
constexpr double legend_top = 58, legend_row = 20; ///< [px]
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
    bool empty() const { return !(low <= high); }
};

/// Text of a drawing; it has no lines.
std::string escaped(const std::string& text)
{
    std::string safe = html_text(text);
    std::replace_if(
        safe.begin(), safe.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return safe;
}

/// The unit in which an axis is labelled: value in SI = number on the axis * factor.
struct Unit {
    double factor = 1;
    std::string name;
};

Unit readable(const std::string& unit, double largest)
{
    if (!(largest > 0) || unit.empty()) return {1, unit};
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

/// One axis of the plot: from data to a number between 0 at its beginning and 1 at its end.
struct Scale {
    bool logarithmic = false;
    Range range; ///< of data, or of their decimal logarithms
    double distance = 1; ///< of ticks, in the unit
    Unit unit;

    /// NaN for what cannot be shown.
    double of(double value) const
    {
        if (!drawable(value) || (logarithmic && !(value > shortest_range))) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        const double place = ((logarithmic ? std::log10(value) : value) - range.low) / range.length();
        return std::clamp(place, -10.0, 10.0); // far outside is outside: no huge coordinates
    }
};

/// Maps data to pixels.
struct PlotArea {
    Scale x, y;
    double top = 78, bottom = 422; ///< of the plotting area [px]

    double height() const { return bottom + 58; } ///< of the picture [px]
    double px(double value) const { return left + x.of(value) * (right - left); }
    double py(double value) const { return bottom - y.of(value) * (bottom - top); }
    bool shows(double at, double value) const { return std::isfinite(x.of(at)) && std::isfinite(y.of(value)); }
};

const std::vector<double>& x_of(const LinePlot& plot, const Series& series)
{
    return series.x.empty() ? plot.x : series.x;
}

/// The numbers of the rows that are drawn: all, or the first, last, lowest and highest of each pixel column.
std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y, const PlotArea& frame)
{
    const std::size_t n = std::min(x.size(), y.size());
    const auto columns = static_cast<std::size_t>(right - left);
    std::vector<std::size_t> kept;
    const auto column_of = [&](std::size_t i) {
        const double place = frame.x.of(x[i]);
        return std::isfinite(place) ? static_cast<long>(place * static_cast<double>(columns - 1)) : 0L;
    };
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
        std::size_t lowest = begin, highest = begin;
        const long column = column_of(begin);
        for (end = begin; end < n && (n <= 2 * columns ? end == begin : column_of(end) == column); ++end) {
            if (!frame.shows(x[end], y[end])) break; // a gap is a group of its own, so that it is seen
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

void add_text(std::string& out, double x, double y, const std::string& attributes, const std::string& text)
{
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(text));
}

/// Colours of what is not a curve; the classes are for pages and windows that are dark.
constexpr const char* grid_line = "class=\"rb-grid\" stroke=\"#e4e4e0\"";
constexpr const char* axis_line = "class=\"rb-axis\" stroke=\"#8a8a86\"";
constexpr const char* black = "#222222"; ///< of curves
constexpr const char* in_the_dark = R"(<style>@media (prefers-color-scheme: dark) {
.rb-plot { fill: #d6d9de } .rb-paper { fill: #1d2026 } .rb-grid { stroke: #353a42 } .rb-axis { stroke: #818892 }
.rb-plot [stroke="#222222"] { stroke: #eceef1 } .rb-plot [fill="#222222"] { fill: #eceef1 }
}</style>
)";

void add_line(std::string& out, double x1, double y1, double x2, double y2, const char* color)
{
    out += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, color);
}

/// Calls draw(value, label) for every tick.
template <class Draw>
void for_ticks(const Scale& scale, Draw&& draw)
{
    const Range& range = scale.range;
    if (!scale.logarithmic) {
        const double unit = scale.unit.factor, distance = scale.distance;
        const double first = std::ceil(range.low / unit / distance - 1e-6);
        const double last = std::floor(range.high / unit / distance + 1e-6);
        for (double k = first; k <= last && k - first < 100; ++k) {
            draw(k * distance * unit, tick_label(k * distance, distance));
        }
        return;
    }
    // Powers of ten, `distance` decades apart; on a short axis 2 and 5 times them too.
    const int apart = static_cast<int>(scale.distance);
    for (int decade = static_cast<int>(std::floor(range.low)); decade <= range.high + 1e-9; ++decade) {
        if (decade % apart != 0) continue;
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double place = decade + std::log10(factor);
            if (factor > 1 && range.length() > 2) break;
            if (place < range.low - 1e-9 || place > range.high + 1e-9) continue;
            const bool plain = decade >= -3 && decade <= 4;
            draw(std::pow(10.0, decade) * factor,
                plain ? fmt::format("{:g}", std::pow(10.0, decade) * factor) : fmt::format("{:g}e{}", factor, decade));
        }
    }
}

std::string axis_label(const Axis& axis, const Unit& unit)
{
    return unit.name.empty() ? axis.quantity : axis.quantity + " [" + unit.name + "]";
}

void add_axes(std::string& out, const PlotArea& frame, const LinePlot& plot)
{
    const double top = frame.top, bottom = frame.bottom;
    for_ticks(frame.y, [&](double value, const std::string& label) {
        const double y = frame.py(value);
        add_line(out, left, y, right, y, grid_line);
        add_text(out, left - 8, y + 4, "text-anchor=\"end\"", label);
    });
    for_ticks(frame.x, [&](double value, const std::string& label) {
        const double x = frame.px(value);
        if (frame.x.logarithmic) add_line(out, x, top, x, bottom, grid_line);
        add_line(out, x, bottom, x, bottom + 5, axis_line);
        add_text(out, x, bottom + 20, "text-anchor=\"middle\"", label);
    });
    add_line(out, left, bottom, right, bottom, axis_line);
    const Range& y = frame.y.range;
    if (!frame.y.logarithmic && y.low < 0 && y.high > 0)
        add_line(out, left, frame.py(0), right, frame.py(0), axis_line);
    add_text(out, 0.5 * (left + right), bottom + 44, "text-anchor=\"middle\"", axis_label(plot.x_axis, frame.x.unit));
    const double middle = 0.5 * (top + bottom);
    add_text(out, 20, middle, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 20 {:.1f})\"", middle),
        axis_label(plot.y_axis, frame.y.unit));
}

std::string stroke(const Series& series)
{
    return fmt::format("stroke=\"{}\" stroke-width=\"{}\"{}", escaped(series.color), series.width,
        series.dashed ? " stroke-dasharray=\"6 4\"" : "");
}

void add_dot(std::string& out, double x, double y, const Series& series)
{
    out += fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, series.dots, escaped(series.color));
}

/// Names beside pieces of their lines, in as many rows as they need; returns the number of rows.
int add_legend(std::string& out, const LinePlot& plot)
{
    double x = left;
    int row = 0;
    for (const Series& series : plot.series) {
        const double length = 30 + 7.5 * static_cast<double>(series.name.size());
        if (x > left && x + length > right) {
            x = left;
            ++row;
        }
        const double y = legend_top + row * legend_row;
        if (series.width > 0) {
            out += fmt::format("<line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\" {}/>\n", x, y - 4, x + 24, y - 4,
                stroke(series));
        }
        if (series.dots > 0) add_dot(out, x + 12, y - 4, series);
        add_text(out, x + 30, y, "", series.name);
        x += length + 22;
    }
    return row + 1;
}

void add_curve(std::string& out, const PlotArea& frame, const std::vector<double>& x, const Series& series)
{
    std::string path, dots;
    bool pen_down = false;
    for (const std::size_t i : thinned(x, series.values, frame)) {
        if (!frame.shows(x[i], series.values[i])) {
            pen_down = false;
            continue;
        }
        const double px = frame.px(x[i]), py = frame.py(series.values[i]);
        path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", px, py);
        if (!pen_down) path += "h0"; // so that a lone point is a dot
        pen_down = true;
        if (series.dots > 0) add_dot(dots, px, py, series);
    }
    if (path.empty()) return;
    if (series.width > 0)
        out += fmt::format("<path d=\"{}\" fill=\"none\" {} stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
            path, stroke(series));
    out += dots;
}

/// What the numbers span, in the measure of the axis, as far as it lies within its limits.
Range spanned(const Axis& axis, const Range& data)
{
    const auto measure = [&](double value) { return axis.logarithmic ? std::log10(value) : value; };
    const auto usable = [&](double limit) { return drawable(limit) && (!axis.logarithmic || limit > shortest_range); };
    Range range;
    if (!data.empty()) range = {measure(data.low), measure(data.high)};
    if (usable(axis.least)) range.low = measure(axis.least);
    if (usable(axis.most)) range.high = measure(axis.most);
    return range;
}

Scale logarithmic_scale(const Axis& axis, Range range, double ticks, bool whole_decades)
{
    if (range.empty()) range = {0, 1};
    if (whole_decades) range = {std::floor(range.low + 1e-9), std::ceil(range.high - 1e-9)};
    if (!(range.length() > 1e-6)) range = {range.low - 0.5, range.low + 0.5};
    const double apart = range.length() > ticks ? std::ceil(tick_distance(range.length(), ticks)) : 1;
    return {.logarithmic = true, .range = range, .distance = apart, .unit = {1, axis.unit}};
}

Scale linear_scale(const Axis& axis, const Range& range, double ticks)
{
    Scale scale{.logarithmic = false, .range = range, .distance = 1, .unit = {}};
    scale.unit = readable(axis.unit, std::max(std::abs(range.low), std::abs(range.high)));
    scale.distance = tick_distance(range.length() / scale.unit.factor, ticks);
    return scale;
}

Scale x_scale(const LinePlot& plot)
{
    Range data;
    const auto include = [&](double value) {
        if (!plot.x_axis.logarithmic || value > shortest_range) data.include(value);
    };
    for (const double value : plot.x) include(value);
    for (const Series& series : plot.series) {
        for (const double value : series.x) include(value);
    }
    Range range = spanned(plot.x_axis, data);
    if (plot.x_axis.logarithmic) return logarithmic_scale(plot.x_axis, range, 10, false);
    if (!(range.length() > shortest_range)) {
        const double at = drawable(range.low) ? range.low : 0;
        range = {at, at + std::max(1.0, std::abs(at))};
    }
    return linear_scale(plot.x_axis, range, 10);
}

Scale y_scale(const LinePlot& plot)
{
    const bool logarithmic = plot.y_axis.logarithmic;
    Range data;
    if (!logarithmic) data.include(0); // energies are judged by their distance from zero
    for (const Series& series : plot.series) {
        for (const double value : series.values) {
            if (!logarithmic || value > shortest_range) data.include(value);
        }
    }
    Range range = spanned(plot.y_axis, data);
    if (logarithmic) return logarithmic_scale(plot.y_axis, range, 8, true);
    if (!(range.length() > shortest_range)) range.high = range.low + 1;
    Scale scale = linear_scale(plot.y_axis, range, 6);
    // The vertical axis begins and ends at a tick.
    const double tick = scale.distance * scale.unit.factor;
    scale.range.low = std::floor(range.low / tick + 1e-6) * tick;
    scale.range.high = std::ceil(range.high / tick - 1e-6) * tick;
    return scale;
}

} // namespace

Series curve(std::size_t number, std::string name, std::vector<double> values)
{
    constexpr const char* colors[]
        = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", black, "#999999"};
    return {.name = std::move(name),
        .values = std::move(values),
        .color = colors[number % std::size(colors)],
        .dashed = number / std::size(colors) % 2 == 1};
}

std::string svg(const LinePlot& plot)
{
    std::string legend;
    const int rows = add_legend(legend, plot);
    PlotArea frame{.x = x_scale(plot), .y = y_scale(plot)};
    frame.top += (rows - 1) * legend_row;
    frame.bottom += (rows - 1) * legend_row;

    std::string out
        = fmt::format("{3} width=\"{0}\" height=\"{1}\" "
                      "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica, Arial, sans-serif\" "
                      "font-size=\"13\" fill=\"#333333\">\n{2}<rect class=\"rb-paper\" width=\"{0}\" height=\"{1}\" "
                      "fill=\"#fcfcfa\"/>\n",
            width, frame.height(), in_the_dark, plot_begin);
    add_text(out, left, 30, "font-size=\"17\" font-weight=\"bold\"", plot.title);
    add_axes(out, frame, plot);
    // A picture within the picture cuts off what lies outside given limits, and needs no name that a page with several
    // plots would see twice. Lines and dots at the edge are drawn whole.
    constexpr double margin = 5;
    out += fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} {3}\" "
                       "overflow=\"hidden\">\n",
        left - margin, frame.top - margin, right - left + 2 * margin, frame.bottom - frame.top + 2 * margin);
    for (const Series& series : plot.series) add_curve(out, frame, x_of(plot, series), series);
    out += "</svg>\n";
    return out + legend + "</svg>\n";
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
    plot.series.push_back({.name = "total", .values = total, .color = black, .width = 2});
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
