#include "record/shown_runs.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "record/frame_file.hpp"
#include "record/run_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace rubato {

namespace fs = std::filesystem;

namespace {

/// From what a run leaves first: its frames know what they belong to from the first one on, the summary comes last.
ShownRun shown_run(const fs::path& directory)
{
    std::error_code ignored;
    const auto refuse = [&](const std::string& why) {
        throw InputError(Mistake{.file = directory.string(), .message = "is no run directory: " + why});
    };
    if (!fs::is_directory(directory, ignored)) refuse("there is no such folder");
    // What is there but cannot be read, such as a link that leads in a circle, is told by whoever reads it.
    const auto there = [&](const char* name) { return fs::exists(fs::symlink_status(directory / name, ignored)); };
    if (!there("stats.csv")) refuse("it has no stats.csv");
    if (there("frames.rbt")) {
        const FrameReader reader(directory / "frames.rbt");
        const FrameHeader& header = reader.header();
        return {directory, header.scene, header.integrator, header.step, reader.count() > 0};
    }
    if (!fs::exists(directory / "summary.json", ignored)) refuse("it has neither frames.rbt nor summary.json");
    try {
        const nlohmann::ordered_json summary = read_summary(directory);
        return {directory, summary.at("scene"), summary.at("integrator").at("name"), summary.at("h").at("asked")};
    } catch (const nlohmann::json::exception&) {
        refuse("its summary.json is damaged");
    }
    return {};
}

bool told_apart(const std::vector<ShownRun>& runs)
{
    std::set<std::string> names;
    for (const ShownRun& run : runs) names.insert(run.name);
    return names.size() == runs.size();
}

} // namespace

std::vector<ShownRun> shown_runs(const std::vector<fs::path>& directories)
{
    std::vector<ShownRun> runs;
    for (const fs::path& directory : directories) runs.push_back(shown_run(directory));
    const bool one_scene
        = std::all_of(runs.begin(), runs.end(), [&](const ShownRun& run) { return run.scene == runs.front().scene; });
    for (ShownRun& run : runs) run.name = one_scene ? run.integrator : fmt::format("{}, {}", run.scene, run.integrator);
    if (told_apart(runs)) return runs;
    for (ShownRun& run : runs) run.name += fmt::format(", h = {:.4g} s", run.step);
    if (told_apart(runs)) return runs;
    for (ShownRun& run : runs) run.name = run.directory.lexically_normal().string();
    return runs;
}

void require_frames(const std::vector<ShownRun>& runs)
{
    for (const ShownRun& run : runs) {
        if (run.has_frames) continue;
        throw InputError(Mistake{
            .file = run.directory.string(), .message = "has no frames to show; run the scene without --no-frames"});
    }
}

} // namespace rubato
