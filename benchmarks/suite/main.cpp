#include "base/errors.hpp"
#include "base/options.hpp"
#include "base/parallel.hpp"
#include "figures/comparison.hpp"
#include "figures/figure_file.hpp"
#include "figures/tables.hpp"
#include "geometry/files/atomic_file.hpp"
#include "suite/child_run.hpp"
#include "suite/clocks.hpp"
#include "suite/machine.hpp"
#include "suite/parts.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <unistd.h>

/// `rubato bench`.
namespace {

using namespace rubato;

enum Status { done = 0, internal_error = 1, wrong_input = 2, could_not_go_on = 3, something_worse = 4 };

struct Arguments {
    bool all = false, list = false, markdown = false, force = false;
    std::vector<std::string> only, compare;
    std::string out;
    int repetitions = 5;
    double least = 0.05; ///< smallest relative change that counts
};

/// A line that is redrawn in place on a terminal; nothing elsewhere.
class Progress {
public:
    ~Progress() { say(""); }
    void say(const std::string& text)
    {
        if (!terminal_) return;
        const std::string blank(width_ > text.size() ? width_ - text.size() : 0, ' ');
        std::cerr << '\r' << text << blank << (text.empty() ? "\r" : "") << std::flush;
        width_ = text.size();
    }

private:
    bool terminal_ = ::isatty(STDERR_FILENO) == 1;
    std::size_t width_ = 0;
};

std::vector<std::string> part_names()
{
    std::vector<std::string> names;
    for (const Part& part : suite_parts()) names.push_back(part.name);
    return names;
}

std::vector<Part> chosen(const Arguments& arguments)
{
    if (arguments.all) return suite_parts();
    std::vector<Mistake> mistakes;
    const std::vector<std::string> names = part_names();
    for (const std::string& name : arguments.only) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        const std::string best = closest(name, names);
        mistakes.push_back({.file = "--only",
            .value = name,
            .message = best.empty() ? fmt::format("must be one of {}", fmt::join(names, ", "))
                                    : fmt::format("there is no such part; did you mean '{}'?", best)});
    }
    if (!mistakes.empty()) throw InputError(mistakes);
    std::vector<Part> out;
    for (const Part& part : suite_parts()) {
        const auto& only = arguments.only;
        if (std::find(only.begin(), only.end(), part.name) != only.end()) out.push_back(part);
    }
    return out;
}

void require_output(const Arguments& arguments)
{
    if (arguments.out.empty()) return;
    namespace fs = std::filesystem;
    const fs::path file = arguments.out;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const auto refuse
        = [&](const char* why) { throw InputError(Mistake{.file = "--out", .value = arguments.out, .message = why}); };
    if (file.extension() != ".csv") refuse("must end in .csv");
    if (!fs::is_directory(folder)) refuse("is in no folder that exists");
    if (!arguments.force && fs::exists(file)) refuse("exists already; choose another name, or --force");
}

int listed()
{
    for (const Part& part : suite_parts()) fmt::print("{:16} {}\n", part.name, part.summary);
    return done;
}

int compared(const Arguments& arguments)
{
    const FigureSet before = figures_from_file(arguments.compare[0]), after = figures_from_file(arguments.compare[1]);
    const auto processor = [](const FigureSet& set) {
        const auto at = set.machine.find("processor");
        return at == set.machine.end() ? std::string("unknown") : at->second;
    };
    if (processor(before) != processor(after))
        fmt::print("note: other processors ({}; {}): ratios tell of machines, not of changes\n", processor(before),
            processor(after));
    const std::vector<Change> changes = rubato::compared(before, after, {.least = arguments.least});
    fmt::print("{}", told(changes));
    return anything_worse(changes) ? something_worse : done;
}

int measured(const Arguments& arguments)
{
    const std::vector<Part> parts = chosen(arguments);
    require_output(arguments);
    set_thread_count(1); // runs with more have processes of their own
    FigureSet set{.machine = machine_description(), .figures = {}};
    const double began = wall_seconds();
    Progress progress;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string where = fmt::format("[{}/{}] {}: ", i + 1, parts.size(), parts[i].name);
        Findings findings(arguments.repetitions, [&](const std::string& text) { progress.say(where + text); });
        parts[i].measure(findings);
        set.figures.insert(set.figures.end(), findings.figures().begin(), findings.figures().end());
        progress.say("");
        fmt::print("{}",
            figure_tables({.machine = i == 0 ? set.machine : decltype(set.machine){}, .figures = findings.figures()},
                arguments.markdown ? TableStyle::markdown : TableStyle::plain));
        std::fflush(stdout);
        if (!arguments.out.empty())
            write_atomically(arguments.out, figures_as_csv(set)); // what is there stays, if it ends
    }
    fmt::print(stderr, "{:.0f} s{}\n", wall_seconds() - began,
        arguments.out.empty() ? "" : "; every figure is in " + arguments.out);
    return done;
}

void declare(CLI::App& app, Arguments& arguments)
{
    app.add_flag("--all", arguments.all, "measure everything");
    app.add_option("--only", arguments.only, "measure these parts: " + fmt::format("{}", fmt::join(part_names(), ", ")))
        ->type_name("NAME...");
    app.add_flag("--list", arguments.list, "the parts and what they measure");
    app.add_option("--compare", arguments.compare, "what changed from one file to another beyond noise")
        ->type_name("BEFORE.csv AFTER.csv")
        ->expected(2);
    app.add_option("--least", arguments.least, "with --compare: smallest relative change that counts")
        ->type_name("R")
        ->check(CLI::Range(0.0, 10.0))
        ->capture_default_str();
    app.add_option("--out", arguments.out, "write every figure with its repetitions to this file")
        ->type_name("FILE.csv");
    app.add_flag("--force", arguments.force, "replace that file");
    app.add_flag("--markdown", arguments.markdown, "tables for a page");
    app.add_option("--repeat", arguments.repetitions, "repetitions of a figure, of which the median is shown")
        ->type_name("N")
        ->check(CLI::Range(1, 50))
        ->capture_default_str();
    app.footer(
        "Exit status: 0 done; with --compare, nothing is worse. 2 wrong input, 3 a scene could not be run, 4 with "
        "--compare: something is worse beyond its noise.");
}

int performed(int argc, char** argv)
{
    CLI::App app("Measures how fast Rubato is on this machine.", "rubato bench");
    Arguments arguments;
    declare(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        std::cerr << "rubato bench: " << error.what() << "; 'rubato bench --help' says more\n";
        return wrong_input;
    }
    const int asked = (arguments.all ? 1 : 0) + (arguments.only.empty() ? 0 : 1) + (arguments.list ? 1 : 0)
        + (arguments.compare.empty() ? 0 : 1);
    if (asked != 1) {
        std::cerr << "rubato bench: say one of --all, --only NAME..., --list or --compare BEFORE.csv AFTER.csv\n";
        return wrong_input;
    }
    if (arguments.list) return listed();
    return arguments.compare.empty() ? measured(arguments) : compared(arguments);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc > 1 && std::string(argv[1]) == run_word) return child_main({argv + 2, argv + argc});
        return performed(argc, argv);
    } catch (const InputError& error) {
        for (const Mistake& mistake : error.mistakes()) std::cerr << "rubato bench: " << mistake.text() << '\n';
        return wrong_input;
    } catch (const WriteError& error) {
        std::cerr << "rubato bench: " << error.what() << '\n';
        return could_not_go_on;
    } catch (const std::exception& error) {
        std::cerr << "rubato bench: " << error.what() << '\n';
        return could_not_go_on;
    }
}
