#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "commands.hpp"
#include "geometry/files/atomic_file.hpp"
#include "record/report_page.hpp"
#include "viewer_bundle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct ReportArguments {
    std::vector<fs::path> directories;
    std::string out, title;
    bool force = false;
};

int make_report(const ReportArguments& arguments)
{
    const std::vector<ShownRun> runs = shown_runs(arguments.directories);
    const bool one = runs.size() == 1;
    const fs::path file = !arguments.out.empty() ? fs::path(arguments.out)
        : one                                    ? runs.front().directory / "report.html"
                                                 : fs::path("report.html");
    const bool own = one && arguments.out.empty() && begins_with(file, report_begin());
    require_output("-o", file, ".html", arguments.force || own);
    const std::string title = !arguments.title.empty() ? arguments.title
        : one                                          ? fmt::format("{} with {}", runs[0].scene, runs[0].integrator)
                                                       : runs[0].scene;
    write_report(file,
        {.title = title,
            .sections
            = {{.title = one ? "The run" : "The runs", .text = one ? runs[0].directory.string() : "", .runs = runs}}});
    return done;
}

} // namespace

void write_report(const fs::path& file, ReportOptions options)
{
    if (const auto viewer = viewer_folder()) options.viewer_script = file_bytes(*viewer / "viewer.js");
    const Report made = report(options);
    std::vector<std::string> plots;
    for (const ReportPlot& plot : made.plots) {
        plots.push_back(fmt::format("{}-{}.svg", file.stem().string(), plot.name));
        write_atomically(file.parent_path() / plots.back(), plot.svg);
    }
    write_atomically(file, made.html);
    std::cout << fmt::format("wrote {}   open it in a browser; it needs no other file\n  its plots: {}\n",
        printable(file.string()), printable(fmt::format("{}", fmt::join(plots, ", "))));
    if (options.viewer_script.empty())
        std::cout << "note: the viewer is not built, so the page has still pictures only; with Node.js 18 or newer and "
                     "npm installed, ./run builds it (see build/viewer.log)\n";
}

void add_report(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<ReportArguments>();
    CLI::App* command = app.add_subcommand("report", "One self-contained page about runs");
    command->add_option("directories", arguments->directories, "Run directories")->required();
    command->add_option(
        "-o,--out", arguments->out, "The page (default: report.html, in the run directory if it is one)");
    command->add_option("--title", arguments->title, "Of the page (default: the scene)");
    command->add_flag("--force", arguments->force, "Replace a page that is there");
    command->callback([arguments, &status] { status = make_report(*arguments); });
}

} // namespace rubato::cli
