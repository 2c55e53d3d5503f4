#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "record/plot.hpp"
#include "reproduce.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

/// A missing number is an empty field.
std::string field(double value) { return std::isfinite(value) ? fmt::format("{:.17g}", value) : std::string(); }

/// A text field; quotes within are doubled.
std::string field(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv(const std::vector<PublishedRow>& rows)
{
    std::string text = "what,ours,published,difference,bound,holds,note\n";
    for (const PublishedRow& row : rows) {
        text += fmt::format("{},{},{},{},{},{},{}\n", field(row.what), field(row.ours),
            row.published ? field(*row.published) : "", field(row.difference()), field(row.bound_text()),
            row.bound == Bound::none ? ""
                : row.holds()        ? "yes"
                                     : "no",
            field(row.note));
    }
    return text;
}

std::string csv(const DataTable& table)
{
    std::string text;
    for (std::size_t k = 0; k < table.columns.size(); ++k) text += (k > 0 ? "," : "") + field(table.columns[k]);
    text += '\n';
    for (const std::vector<double>& row : table.rows) {
        for (std::size_t k = 0; k < row.size(); ++k) text += (k > 0 ? "," : "") + field(row[k]);
        text += '\n';
    }
    return text;
}

LinePlot plot_of(const PublishedFigure& figure)
{
    LinePlot plot{.title = figure.title,
        .x_axis = {.quantity = figure.x_quantity, .unit = figure.x_unit, .logarithmic = figure.log_x},
        .y_axis
        = {.quantity = figure.y_quantity, .unit = figure.y_unit, .logarithmic = figure.log_y, .least = figure.y_least}};
    for (const Curve& from : figure.curves) {
        const std::size_t color = from.color < 0 ? plot.series.size() : static_cast<std::size_t>(from.color);
        Series series = curve(color, from.name, from.y);
        series.x = from.x;
        series.dashed = series.dashed || from.dashed;
        plot.series.push_back(std::move(series));
    }
    return plot;
}

} // namespace

void write_reproduction(const ReproductionEntry& entry, const Reproduced& result, const fs::path& directory)
{
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw WriteError(directory.string(), error.message());
    write_atomically(directory / (entry.name + ".csv"), csv(result.rows));
    for (const DataTable& table : result.tables) write_atomically(directory / (table.name + ".csv"), csv(table));
    for (const PublishedFigure& figure : result.figures)
        write_atomically(directory / (figure.name + ".svg"), svg(plot_of(figure)));
}

} // namespace rubato::cli
