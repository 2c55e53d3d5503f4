#include "figures/tables.hpp"

#include "figures/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

void remember(std::vector<std::string>& list, const std::string& item)
{
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

std::string short_number(double value)
{
    const bool readable = value == std::floor(value) || std::abs(value) >= 1000;
    if (readable && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

std::string heading(const Figure& figure)
{
    return figure.unit.empty() ? figure.column : fmt::format("{} [{}]", figure.column, figure.unit);
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths, TableStyle style)
{
    std::string out = style == TableStyle::markdown ? "|" : "";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (style == TableStyle::markdown) {
            out += fmt::format(" {} |", cells[i]);
        } else {
            out += i == 0 ? fmt::format("{:<{}}", cells[i], widths[i]) : fmt::format("  {:>{}}", cells[i], widths[i]);
        }
    }
    return out + '\n';
}

/// Characters of a text in UTF-8.
std::size_t width(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string table(const std::string& name, const std::vector<const Figure*>& figures, TableStyle style)
{
    std::vector<std::string> rows, columns;
    for (const Figure* figure : figures) {
        remember(rows, figure->row);
        remember(columns, heading(*figure));
    }
    std::vector<std::vector<std::string>> cells{{""}};
    for (const std::string& column : columns) cells[0].push_back(column);
    for (const std::string& row : rows) {
        cells.push_back({row});
        for (const std::string& column : columns) {
            const auto at = std::find_if(figures.begin(), figures.end(),
                [&](const Figure* figure) { return figure->row == row && heading(*figure) == column; });
            const bool there = at != figures.end();
            cells.back().push_back(!there    ? ""
                    : (*at)->samples.empty() ? (*at)->text
                                             : short_number(median((*at)->samples)));
        }
    }
    std::vector<std::size_t> widths(cells[0].size(), 0);
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out = style == TableStyle::markdown ? fmt::format("### {}\n\n", name) : fmt::format("{}\n", name);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        out += line(cells[i], widths, style);
        if (i > 0 || style == TableStyle::plain) continue;
        out += "|---|";
        for (std::size_t k = 1; k < cells[0].size(); ++k) out += "---:|";
        out += '\n';
    }
    return out + '\n';
}

} // namespace

std::string figure_tables(const FigureSet& set, TableStyle style)
{
    std::string out;
    for (const auto& [key, value] : set.machine)
        out += style == TableStyle::markdown ? fmt::format("- {}: {}\n", key, value)
                                             : fmt::format("{}: {}\n", key, value);
    out += '\n';
    std::vector<std::string> names;
    for (const Figure& figure : set.figures) remember(names, figure.table);
    for (const std::string& name : names) {
        std::vector<const Figure*> figures;
        for (const Figure& figure : set.figures) {
            if (figure.table == name) figures.push_back(&figure);
        }
        out += table(name, figures, style);
    }
    return out;
}

} // namespace rubato
