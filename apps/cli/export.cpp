#include "base/errors.hpp"
#include "commands.hpp"
#include "record/export/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct ExportArguments {
    std::string what, out;
    std::vector<std::string> formats;
    int every = 1;
    std::optional<double> from, until;
    bool force = false;
};

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& why)
{
    throw InputError(Mistake{.file = option, .value = value, .message = why});
}

/// The file of frames that is meant: itself, or that of a run directory.
fs::path frame_file(const fs::path& what)
{
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(what, ignored)))
        throw InputError(
            Mistake{.file = what.string(), .message = "is not there; give a run directory or a .rbt file"});
    if (!fs::is_directory(what, ignored)) return what;
    if (!fs::exists(fs::symlink_status(what / "frames.rbt", ignored)))
        throw InputError(Mistake{.file = what.string(),
            .message = "has no frames.rbt in it; give a run directory whose scene wrote frames, or a .rbt file"});
    return what / "frames.rbt";
}

std::vector<const ExportEntry*> entries(const std::vector<std::string>& names)
{
    std::vector<std::string> allowed;
    for (const ExportEntry& entry : export_catalog()) allowed.push_back(entry.name);
    std::vector<const ExportEntry*> chosen;
    for (const std::string& name : names) {
        const ExportEntry* entry = export_named(name);
        if (entry == nullptr) {
            const std::string best = closest(name, allowed);
            refuse("--to", name,
                fmt::format("{}must be one of {}", best.empty() ? "" : "did you mean '" + best + "'? ",
                    fmt::join(allowed, ", ")));
        }
        if (std::find(chosen.begin(), chosen.end(), entry) == chosen.end()) chosen.push_back(entry);
    }
    return chosen;
}

void require_folder(const fs::path& folder, bool force)
{
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_directory(folder, ignored))
        refuse("-o", folder.string(), "is a file, must be a folder");
    if (!force && fs::is_directory(folder, ignored) && !fs::is_empty(folder, ignored))
        refuse(
            "-o", folder.string(), "is not empty; choose another folder with -o, or --force to replace what is in it");
}

/// One line for each folder: the files by their names, a row of frames by its ends.
std::string told(const fs::path& folder, const std::vector<fs::path>& written)
{
    constexpr std::size_t most = 6;
    std::vector<std::string> names;
    std::uintmax_t bytes = 0;
    std::error_code ignored;
    for (const fs::path& file : written) {
        names.push_back(printable(file.filename().string()));
        const std::uintmax_t size = fs::file_size(file, ignored);
        bytes += ignored ? 0 : size;
    }
    std::string list = fmt::format("{}", fmt::join(names, ", "));
    if (names.size() > most) {
        list = fmt::format("{}, ... {}",
            fmt::join(std::vector<std::string>(names.begin(), names.begin() + most - 1), ", "), names.back());
    }
    return fmt::format("wrote {}: {}, {:.1f} MB\n  {}\n", printable(folder.string()),
        counted(static_cast<std::int64_t>(written.size()), "file", "files"), static_cast<double>(bytes) / 1e6, list);
}

int export_frames(const ExportArguments& arguments)
{
    const std::vector<const ExportEntry*> formats = entries(arguments.formats);
    const fs::path file = frame_file(arguments.what);
    require_no_detour("-o", arguments.out);
    const fs::path base = arguments.out.empty() ? file.parent_path() : fs::path(arguments.out);
    // A folder for each format, but what -o names is taken by its word if there is only one.
    const auto folder_of = [&](const ExportEntry& entry) {
        return arguments.out.empty() || formats.size() > 1 ? base / entry.name : base;
    };
    for (const ExportEntry* entry : formats) require_folder(folder_of(*entry), arguments.force);
    FrameChoice choice{.every = static_cast<std::size_t>(arguments.every)};
    if (arguments.from) choice.from = *arguments.from;
    if (arguments.until) choice.until = *arguments.until;
    if (choice.from > choice.until)
        refuse("--from", fmt::format("{}", choice.from),
            fmt::format("must not be later than --until {} [s]", choice.until));

    FrameReader reader(file);
    FrameSelection frames(reader, choice);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    for (const ExportEntry* entry : formats) {
        const fs::path folder = folder_of(*entry);
        if (terminal) {
            frames.watch([&](std::size_t number) {
                std::cerr << fmt::format("\r\033[K{} frame {} of {}", entry->name, number + 1, frames.count())
                          << std::flush;
            });
        }
        const std::vector<fs::path> written = exported(*entry, frames, {.folder = folder});
        if (terminal) std::cerr << "\r\033[K" << std::flush;
        std::cout << told(folder, written);
    }
    return done;
}

} // namespace

void add_export(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* command = app.add_subcommand("export", "Turn the frames of a run into files for other programs");
    command->add_option("what", arguments->what, "A run directory, or a file of frames (.rbt)")->required();
    std::vector<std::string> names;
    for (const ExportEntry& entry : export_catalog()) names.push_back(entry.name);
    command->add_option("--to", arguments->formats, fmt::format("Formats, with commas: {}", fmt::join(names, ", ")))
        ->required()
        ->delimiter(',');
    command->add_option("-o,--out", arguments->out, "Folder (default: one named after the format, beside the frames)");
    command->add_option("--every", arguments->every, "Take only each so many frames")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    command->add_option("--from", arguments->from, "Leave out frames before this time [s]");
    command->add_option("--until,--to-time", arguments->until, "Leave out frames after this time [s]");
    command->add_flag("--force", arguments->force, "Replace what is in the folder already");
    command->callback([arguments, &status] { status = export_frames(*arguments); });
}

} // namespace rubato::cli
