#pragma once

#include "figures/figure.hpp"

#include <string>

/// Figures as tables for people: one for each table name, medians in its cells.
namespace rubato {

enum class TableStyle { plain, markdown };

std::string figure_tables(const FigureSet& set, TableStyle style);

} // namespace rubato
