#include "reproduce.hpp"

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct ReproduceArguments {
    std::string what = "list", out;
    int threads = 0;
};

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }

void print_catalog()
{
    std::size_t widest = 0;
    for (const ReproductionEntry& entry : reproduction_catalog()) widest = std::max(widest, entry.name.size());
    for (const ReproductionEntry& entry : reproduction_catalog()) {
        std::cout << fmt::format(
            "  {:<{}}  {}\n  {:<{}}  {}\n", entry.name, widest, entry.summary, "", widest, entry.source);
    }
    std::cout << called_as() << " reproduce NAME computes one of them again, 'all' every one.\n";
}

/// Ours beside print, a line each; how many bounds there are and how many hold.
void print_rows(const std::vector<PublishedRow>& rows)
{
    std::size_t widest = 4;
    for (const PublishedRow& row : rows) widest = std::max(widest, row.what.size());
    std::cout << fmt::format(
        "  {:<{}} {:>12} {:>12} {:>12} {:>10}\n", "", widest, "ours", "published", "difference", "bound");
    int asked = 0, held = 0;
    for (const PublishedRow& row : rows) {
        const bool is_asked = row.bound != Bound::none;
        asked += is_asked ? 1 : 0;
        held += is_asked && row.holds() ? 1 : 0;
        std::cout << fmt::format("  {:<{}} {:>12} {:>12} {:>12} {:>10} {}{}\n", row.what, widest, number(row.ours),
            row.published ? number(*row.published) : "-", number(row.difference()), row.bound_text(),
            !is_asked         ? "reported"
                : row.holds() ? "ok"
                              : "FAILS",
            row.note.empty() ? "" : "  (" + row.note + ")");
    }
    std::cout << fmt::format("{} of {} bounds hold.\n", held, asked);
}

bool reproduced(const ReproductionEntry& entry, const fs::path& directory)
{
    std::cout << fmt::format("{}: {}\n{}\n", entry.name, entry.summary, entry.source) << std::flush;
    const Reproduced result = entry.run();
    print_rows(result.rows);
    write_reproduction(entry, result, directory);
    std::cout << "Numbers and plots are in " << printable(directory.string()) << "\n";
    return result.holds();
}

const ReproductionEntry& entry_named(const std::string& name)
{
    std::vector<std::string> names;
    for (const ReproductionEntry& entry : reproduction_catalog()) {
        if (entry.name == name) return entry;
        names.push_back(entry.name);
    }
    const std::string best = closest(name, names);
    throw InputError(Mistake{.file = "reproduce",
        .value = name,
        .message
        = best.empty() ? "is not in the list that the command 'reproduce' shows" : "did you mean '" + best + "'?"});
}

int reproduce(const ReproduceArguments& arguments)
{
    set_thread_count(arguments.threads);
    if (arguments.what == "list") {
        print_catalog();
        return done;
    }
    if (!arguments.out.empty()) {
        require_no_detour("--out", arguments.out);
        std::error_code ignored;
        if (fs::exists(arguments.out, ignored) && !fs::is_directory(arguments.out, ignored)) {
            throw InputError(
                Mistake{.file = "--out", .value = arguments.out, .message = "is a file, must be a directory"});
        }
    }
    const fs::path base = arguments.out.empty() ? fs::path("reproduce") : fs::path(arguments.out);
    if (arguments.what != "all") {
        const ReproductionEntry& entry = entry_named(arguments.what);
        return reproduced(entry, arguments.out.empty() ? base / entry.name : base) ? done : could_not_go_on;
    }
    bool all = true;
    for (const ReproductionEntry& entry : reproduction_catalog()) {
        all = reproduced(entry, base / entry.name) && all;
        std::cout << '\n';
    }
    return all ? done : could_not_go_on;
}

} // namespace

void add_reproduce(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<ReproduceArguments>();
    CLI::App* command = app.add_subcommand("reproduce", "Published numbers computed again, ours beside theirs");
    command->add_option("what", arguments->what, "A name from the list, 'all', or 'list'")->type_name("NAME");
    command->add_option("--out", arguments->out, "Where tables and plots go (default: reproduce/NAME)")
        ->type_name("DIR");
    declare_threads(*command, arguments->threads);
    command->footer("Exit status: 0 every bound holds, 2 no such name, 3 a bound does not hold.");
    command->callback([arguments, &status] { status = reproduce(*arguments); });
}

} // namespace rubato::cli
