#pragma once

#include "lab/published.hpp"

#include <filesystem>

namespace rubato::cli {

/// Writes DIR/NAME.csv (the rows), DIR/TABLE.csv for each table and DIR/FIGURE.svg for each figure. Throws WriteError.
void write_reproduction(
    const ReproductionEntry& entry, const Reproduced& result, const std::filesystem::path& directory);

} // namespace rubato::cli
