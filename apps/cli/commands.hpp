#pragma once

#include "geometry/listing.hpp"
#include "record/report_page.hpp"
#include "record/run_folder.hpp"
#include "scene/run.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

/// One function per command: it declares the command and what happens when it is given. `status` becomes the exit
/// status of the program.
namespace rubato::cli {

enum Status {
    done = 0,
    internal_error = 1,
    wrong_input = 2,
    could_not_go_on = 3,
    interrupted = 130,
};

void add_run(CLI::App& app, int& status);
void add_scenes(CLI::App& app, int& status);
void add_list(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_rest(CLI::App& app, int& status);
void add_resume(CLI::App& app, int& status);
void add_mesh(CLI::App& app, int& status);
void add_thumbnail(CLI::App& app, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_analyze(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_view(CLI::App& app, int& status);
void add_render(CLI::App& app, int& status);
void add_report(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);

/// A scene and what the command line changes in it; shared by run, check and rest.
struct SceneArguments {
    std::string scene;
    std::string integrator, dt, duration;
    std::vector<std::string> settings; ///< path=value
    std::string intersections; ///< where triangles that start in each other are written; main does it
    bool no_frames = false;

    void declare(CLI::App& command);
    void declare_without_integrator(CLI::App& command); ///< for commands that name it in their own way
    std::vector<Override> overrides() const; ///< throws InputError
    Scene read() const; ///< throws InputError
};

inline constexpr const char* intersections_option = "--intersections";

void declare_threads(CLI::App& command, int& threads);

/// What --force may replace in a folder.
struct Replaceable {
    bool (*there)(const std::filesystem::path& folder); ///< whether it is in the folder
    const char* what; ///< "a run"
};
bool holds_anything(const std::filesystem::path& folder);
inline constexpr Replaceable any_run{holds_replaceable_run, "run"};
inline constexpr Replaceable own_files{holds_anything, "files"}; ///< require_own() says which

/// A page, plot or table that a command writes.
struct OwnFile {
    std::string name;
    std::string_view begin; ///< of every one that this program wrote
};

/// Refuses a folder given as --out that holds a file of such a name which this program did not write.
void require_own(const std::filesystem::path& folder, const std::vector<OwnFile>& files);

/// Where a run goes: `wanted` if given (it must be empty or absent, or with `force` hold what may be replaced),
/// otherwise runs/<name>, with a number behind it if that exists already. Creates nothing.
std::filesystem::path run_directory(
    const std::string& wanted, const std::string& name, bool force, const Replaceable& replaceable);

/// Refuses a path that climbs out of a folder which is not there: making its folders would make that one too.
void require_no_detour(const char* option, const std::filesystem::path& path);

/// Refuses, before the work, a file that could not or should not be written after it: wrong ending (`extension` empty:
/// any), no such folder, not writable, or there already without `replace`. Nothing to do for an empty name.
void require_output(const char* option, const std::filesystem::path& file, const std::string& extension, bool replace);

/// Tells what is allowed in a scene but may not be what was meant, a line each.
void tell_notes(const BuiltScene& built);

/// Runs to the end with progress and tells how it went. Ctrl-C stops after the current step.
int run_to_end(SceneRun& run);

/// Writes a report and its plots, with the viewer in it where there is one, and tells so.
void write_report(const std::filesystem::path& file, ReportOptions options);

std::string program_version();

/// How the program was called, so that hints work as they are typed: "rubato", "./run",
/// "build/release/apps/cli/rubato".
std::string called_as();

} // namespace rubato::cli
