#pragma once

#include "figures/figure.hpp"

#include <filesystem>
#include <string>

/// Figures as a file of comma-separated values:
///
///     # processor: …                                              lines about the machine
///     table,row,column,unit,better,median,spread,samples,text     one line per figure; samples separated by spaces
///
/// Median and spread are there for other readers; this one computes them from the samples.
namespace rubato {

std::string figures_as_csv(const FigureSet& set);

/// Throws InputError that names file, line and what is allowed.
FigureSet figures_from_csv(const std::string& text, const std::string& file);
FigureSet figures_from_file(const std::filesystem::path& file);

} // namespace rubato
