#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// A stats.csv in memory. Empty cells are NaN.
struct StatsTable {
    std::vector<std::string> names; ///< from the header line
    std::vector<std::vector<double>> columns; ///< one per name, equally long
    std::string file; ///< where it came from, for messages

    std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
    /// Throws InputError if there is no such column.
    const std::vector<double>& column(std::string_view name) const;
};

/// Reads a stats.csv. A last line without line end, as a killed run leaves it, is ignored; anything else that is not a
/// table of numbers is an InputError.
StatsTable stats_table(const std::filesystem::path& file);

} // namespace rubato
