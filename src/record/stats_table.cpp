#include "record/stats_table.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace rubato {

namespace {

/// Removes the text up to the next `mark` from the front of `rest` and returns it.
std::string_view take(std::string_view& rest, char mark)
{
    const std::size_t end = rest.find(mark);
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return taken;
}

std::size_t cells(std::string_view line)
{
    std::size_t count = 1;
    for (const char c : line) count += c == ',';
    return count;
}

} // namespace

const std::vector<double>& StatsTable::column(std::string_view name) const
{
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return columns[i];
    }
    throw InputError(Mistake{.file = file, .line = 1, .message = fmt::format("has no column '{}'", name)});
}

StatsTable stats_table(const std::filesystem::path& file)
{
    const auto wrong = [&](int line, std::string message) {
        return InputError(Mistake{.file = file.string(), .line = line, .message = std::move(message)});
    };
    const std::string text = file_bytes(file);
    std::string_view rest = text;
    if (rest.find('\n') == std::string_view::npos) throw wrong(0, "has no header line; is it a stats.csv?");

    StatsTable table;
    table.file = file.string();
    std::string_view header = take(rest, '\n');
    while (!header.empty()) table.names.emplace_back(take(header, ','));
    table.columns.resize(table.names.size());

    for (int line = 2; rest.find('\n') != std::string_view::npos; ++line) {
        std::string_view row = take(rest, '\n');
        if (cells(row) != table.names.size()) {
            throw wrong(line, fmt::format("has {} cells, the header has {}", cells(row), table.names.size()));
        }
        for (std::vector<double>& column : table.columns) {
            const std::string_view cell = take(row, ',');
            double value = std::numeric_limits<double>::quiet_NaN();
            const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            if (!cell.empty() && (error != std::errc{} || end != cell.data() + cell.size())) {
                throw wrong(line, fmt::format("'{}' is not a number", cell));
            }
            column.push_back(value);
        }
    }
    return table;
}

} // namespace rubato
