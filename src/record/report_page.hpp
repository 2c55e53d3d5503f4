#pragma once

#include "picture/image.hpp"
#include "record/plot.hpp"
#include "record/shown_runs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// A plot of a report, also to be had as a file of its own.
struct ReportPlot {
    std::string name; ///< of that file, without .svg
    std::string svg;
};

/// Runs beside each other.
struct ReportSection {
    std::string title, text; ///< text: what is compared here
    std::vector<ShownRun> runs;
    bool moving = true; ///< with moments and, where there is a viewer, the moving picture
};

struct ReportOptions {
    std::string title;
    std::vector<ReportSection> sections;
    std::string viewer_script = {}; ///< the viewer as one script; empty: the page has still pictures only
    std::uint64_t most_bytes = 16 << 20; ///< of frames in the page
};

struct Report {
    std::string html; ///< one page that needs no other file and asks for none
    std::vector<ReportPlot> plots;
};

/// Key figures, moments, plots, the table of time and work, and the settings of runs. InputError if a run cannot be
/// read.
Report report(const ReportOptions& options);

/// How every such page begins, and hardly one of another program.
std::string_view report_begin();

} // namespace rubato
