#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace rubato::cli {

namespace fs = std::filesystem;

void SceneArguments::declare(CLI::App& command)
{
    declare_without_integrator(command);
    command.add_option("--integrator", integrator, "Time integration, in place of the scene's");
}

void SceneArguments::declare_without_integrator(CLI::App& command)
{
    command.add_option("scene", scene, "A scene file, or the name of a built-in scene")->required();
    command.add_option("--dt", dt, "Length of a step [s], e.g. 0.01 or 1/100");
    command.add_option("--duration", duration, "Simulated time [s]");
    command
        .add_option("--set", settings, "Replaces a value of the scene, e.g. time.step=1/100; may be given many times")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
}

std::vector<Override> SceneArguments::overrides() const
{
    std::vector<Override> all;
    // First, so that --set can give its options; as an object, so that there is a place for them.
    if (!integrator.empty()) {
        all.push_back({"integrator", fmt::format(R"({{"type": "{}"}})", integrator), "--integrator"});
    }
    for (const std::string& setting : settings) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw InputError(Mistake{.file = "--set", .value = setting, .message = "must be PATH=VALUE"});
        }
        all.push_back({setting.substr(0, equals), setting.substr(equals + 1), "--set"});
    }
    if (!dt.empty()) all.push_back({"time.step", dt, "--dt"});
    if (!duration.empty()) all.push_back({"time.duration", duration, "--duration"});
    if (no_frames) all.push_back({"output.frames_per_second", "0", "--no-frames"});
    return all;
}

void declare_threads(CLI::App& command, int& threads)
{
    command
        .add_option("--threads", threads, "Number of threads; the result does not depend on it (default: all cores)")
        ->check(CLI::Range(1, 4096));
}

fs::path run_directory(const std::string& wanted, const std::string& name, bool force)
{
    std::error_code ignored;
    if (wanted.empty()) {
        const fs::path base = fs::path("runs") / name;
        fs::path free = base;
        for (int i = 2; fs::exists(free, ignored); ++i) free = fmt::format("{}-{}", base.string(), i);
        return free;
    }
    const fs::path directory = wanted;
    if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored)) {
        throw InputError(Mistake{.file = "--out", .value = wanted, .message = "is a file, must be a directory"});
    }
    if (!force && fs::is_directory(directory, ignored) && !fs::is_empty(directory, ignored)) {
        throw InputError(Mistake{.file = "--out",
            .value = wanted,
            .message = "is not empty; choose another directory, or --force to replace the run in it"});
    }
    return directory;
}

void require_output(const char* option, const fs::path& file, const std::string& extension, bool replace)
{
    if (file.empty()) return;
    const auto refuse = [&](const std::string& why) {
        throw InputError(Mistake{.file = option, .value = file.string(), .message = why});
    };
    if (!extension.empty() && file.extension() != extension) refuse("must end in " + extension);
    std::error_code ignored;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) refuse("there is no folder " + folder.string());
    if (fs::is_directory(file, ignored)) refuse("is a folder");
    if (::access(folder.c_str(), W_OK) != 0) refuse("the folder cannot be written to");
    if (!replace && fs::exists(file, ignored)) refuse("exists already; choose another name, or --force");
}

} // namespace rubato::cli
