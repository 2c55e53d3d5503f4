#include "figures/figure_file.hpp"

#include "base/errors.hpp"
#include "figures/statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace rubato {

namespace {

const char* const header = "table,row,column,unit,better,median,spread,samples,text";
constexpr std::size_t columns = 9;
const std::array<const char*, 3> names_of_better{"lower", "higher", "neither"};

std::string quoted(const std::string& cell)
{
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string out = "\"";
    for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + "\"";
}

/// The cells of a line; those in quotes may hold commas and doubled quotes.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            const bool doubled = inside && i + 1 < line.size() && line[i + 1] == '"';
            if (doubled) cells.back() += line[++i];
            if (!doubled) inside = !inside;
        } else if (line[i] == ',' && !inside) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    return cells;
}

/// The text's numbers, separated by spaces; false if one of its words is none or is not finite.
bool read_samples(const std::string& text, std::vector<double>& samples)
{
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return false;
        samples.push_back(value);
    }
    return true;
}

} // namespace

const Figure* FigureSet::find(const Figure& named_like) const
{
    for (const Figure& figure : figures) {
        if (figure.same_name(named_like)) return &figure;
    }
    return nullptr;
}

std::string figures_as_csv(const FigureSet& set)
{
    std::string out;
    for (const auto& [key, value] : set.machine) out += fmt::format("# {}: {}\n", key, value);
    out += fmt::format("{}\n", header);
    for (const Figure& figure : set.figures) {
        const bool counted = !figure.samples.empty();
        out += fmt::format("{},{},{},{},{},{},{},{},{}\n", quoted(figure.table), quoted(figure.row),
            quoted(figure.column), quoted(figure.unit), names_of_better[static_cast<std::size_t>(figure.better)],
            counted ? fmt::format("{:.6g}", median(figure.samples)) : "",
            counted ? fmt::format("{:.2g}", spread(figure.samples)) : "",
            fmt::format("{:.8g}", fmt::join(figure.samples, " ")), quoted(figure.text));
    }
    return out;
}

FigureSet figures_from_csv(const std::string& text, const std::string& file)
{
    FigureSet set;
    std::istringstream in(text);
    int number = 0;
    bool headed = false;
    const auto wrong = [&](const std::string& value, const std::string& message) {
        throw InputError(Mistake{.file = file, .line = number, .value = value, .message = message});
    };
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) continue;
        if (line[0] == '#') {
            const std::size_t colon = line.find(": ");
            if (line.size() > 2 && colon != std::string::npos)
                set.machine[line.substr(2, colon - 2)] = line.substr(colon + 2);
            continue;
        }
        if (!headed) {
            if (line != header) wrong(line, fmt::format("must be '{}': is this a file of rubato bench?", header));
            headed = true;
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() != columns) wrong(line, fmt::format("must have {} cells, has {}", columns, cells.size()));
        Figure figure{.table = cells[0], .row = cells[1], .column = cells[2], .unit = cells[3], .text = cells[8]};
        const auto better = std::find(names_of_better.begin(), names_of_better.end(), cells[4]);
        if (better == names_of_better.end()) wrong(cells[4], "must be lower, higher or neither");
        figure.better = static_cast<Better>(better - names_of_better.begin());
        if (!read_samples(cells[7], figure.samples)) wrong(cells[7], "must be numbers separated by spaces");
        set.figures.push_back(std::move(figure));
    }
    if (!headed) wrong("", fmt::format("must begin with '{}': is this a file of rubato bench?", header));
    return set;
}

FigureSet figures_from_file(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    if (!in || std::filesystem::is_directory(file))
        throw InputError(Mistake{.file = file.string(), .message = "cannot be read"});
    return figures_from_csv(text.str(), file.string());
}

} // namespace rubato
