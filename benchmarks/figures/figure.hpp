#pragma once

#include <map>
#include <string>
#include <vector>

/// What a benchmark finds out: figures, each a cell of a table, measured several times.
namespace rubato {

enum class Better {
    lower, ///< times, bytes
    higher, ///< rates, shares of what the machine can do
    neither, ///< counts and facts: the same in every run of the same code
};

struct Figure {
    std::string table, row, column; ///< together its name
    std::string unit = {}; ///< empty: a plain number
    Better better = Better::lower;
    std::vector<double> samples = {}; ///< one for each repetition; empty: the figure is a text
    std::string text = {};

    bool same_name(const Figure& other) const
    {
        return table == other.table && row == other.row && column == other.column;
    }
};

/// All figures of one run of the benchmarks on one machine.
struct FigureSet {
    std::map<std::string, std::string> machine; ///< processor, cores, compiler, program: what the figures hold for
    std::vector<Figure> figures;

    const Figure* find(const Figure& named_like) const;
};

} // namespace rubato
