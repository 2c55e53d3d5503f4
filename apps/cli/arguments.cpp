#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
    command.add_option(intersections_option, intersections,
        "Where bodies start in each other, write the triangles concerned to this .ply file");
}

Scene SceneArguments::read() const
{
    require_output(intersections_option, intersections, ".ply", true);
    std::error_code ignored;
    if (!intersections.empty() && fs::exists(intersections, ignored)) {
        throw InputError(Mistake{
            .file = intersections_option, .value = intersections, .message = "exists already; choose another name"});
    }
    Scene read = scene_named(scene, overrides());
    // In the checked scene, not as an override: what the file says of its output is checked all the same.
    if (no_frames) read.root.parts.at("output").front().options.set("frames_per_second", 0.0);
    return read;
}

std::vector<Override> SceneArguments::overrides() const
{
    std::vector<Override> all;
    // First, so that --set can give its options; as an object, so that there is a place for them.
    if (!integrator.empty()) {
        const nlohmann::json named = {{"type", integrator}};
        all.push_back(
            {"integrator", named.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "--integrator"});
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
    return all;
}

void declare_threads(CLI::App& command, int& threads)
{
    command
        .add_option("--threads", threads, "Number of threads; the result does not depend on it (default: all cores)")
        ->check(CLI::Range(1, 4096));
}

bool holds_anything(const fs::path&) { return true; }

void require_own(const fs::path& folder, const std::vector<OwnFile>& files)
{
    for (const OwnFile& own : files) {
        const fs::path file = folder / own.name;
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(file, ignored)) || begins_with(file, own.begin)) continue;
        throw InputError(Mistake{.file = "--out",
            .value = folder.string(),
            .message
            = fmt::format("holds a file {} that this program did not write; choose another directory", own.name)});
    }
}

void require_no_detour(const char* option, const fs::path& path)
{
    fs::path before;
    std::error_code ignored;
    for (const fs::path& part : path) {
        if (part == ".." && !before.empty() && !fs::is_directory(before, ignored)) {
            throw InputError(Mistake{.file = option,
                .value = path.string(),
                .message = fmt::format("leads through {}, which is no folder", before.string())});
        }
        before /= part;
    }
}

fs::path run_directory(const std::string& wanted, const std::string& name, bool force, const Replaceable& replaceable)
{
    std::error_code ignored;
    if (wanted.empty()) {
        const fs::path base = fs::path("runs") / name;
        fs::path free = base;
        for (int i = 2; fs::exists(free, ignored); ++i) free = fmt::format("{}-{}", base.string(), i);
        return free;
    }
    const fs::path directory = wanted;
    const auto refuse
        = [&](const std::string& why) { throw InputError(Mistake{.file = "--out", .value = wanted, .message = why}); };
    require_no_detour("--out", directory);
    if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored))
        refuse("is a file, must be a directory");
    if (!fs::is_directory(directory, ignored) || fs::is_empty(directory, ignored)) return directory;
    if (!force)
        refuse(fmt::format(
            "is not empty; choose another directory, or --force to replace the {} in it", replaceable.what));
    if (!replaceable.there(directory))
        refuse(fmt::format(
            "holds files, but no {} that --force could replace; choose another directory", replaceable.what));
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
