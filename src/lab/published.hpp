#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Published numbers, computed again. Every reproduction runs the ordinary integrators on the problems of this room and
/// hands back rows that say what we get, what was printed, and how far apart the two may be.
namespace rubato {

/// What is asked of a number of ours.
enum class Bound {
    none, ///< it is reported, nothing more
    within, ///< |ours - published| <= limit
    at_least, ///< ours >= limit
    at_most, ///< ours <= limit
};

struct PublishedRow {
    std::string what; ///< "soft, bdf2, h = 1/30 s"
    double ours = 0; ///< NaN: a run could not be finished, and no bound holds
    std::optional<double> published = {}; ///< as printed; none where the paper has no number
    Bound bound = Bound::none;
    double limit = 0;
    std::string note = {}; ///< one clause

    double difference() const; ///< ours - published; NaN without a published number
    bool holds() const; ///< true where nothing is asked
    std::string bound_text() const; ///< "+-0.003", ">= 10", "<= 1e-06", or empty
};

/// Numbers behind the rows, for a file of their own.
struct DataTable {
    std::string name; ///< of the file, without extension
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
};

struct Curve {
    std::string name;
    std::vector<double> x, y; ///< x ascending
    bool dashed = false; ///< a reference, or the other end of a range
    int color = -1; ///< the number of the curve whose colour it shares; -1: one of its own
};

struct PublishedFigure {
    std::string name; ///< of the file, without extension
    std::string title;
    std::string x_quantity, x_unit, y_quantity, y_unit;
    std::vector<Curve> curves;
    bool log_x = false, log_y = false;
    double y_least = std::numeric_limits<double>::quiet_NaN(); ///< curves are cut off below; NaN: they are not
};

struct Reproduced {
    std::vector<PublishedRow> rows;
    std::vector<DataTable> tables = {};
    std::vector<PublishedFigure> figures = {};

    bool holds() const; ///< every row does
};

/// One line of the catalog of reproductions.
struct ReproductionEntry {
    std::string name; ///< as the command line spells it
    std::string summary; ///< one sentence
    std::string source; ///< paper and place
    std::function<Reproduced()> run;
};

const std::vector<ReproductionEntry>& reproduction_catalog();

} // namespace rubato
