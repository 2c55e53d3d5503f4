#include "scene/run.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/parallel.hpp"
#include "scene/format.hpp"
#include "scene/probes.hpp"

namespace rubato {

namespace fs = std::filesystem;

namespace {

std::vector<const ExportEntry*> exports_of(const Block& output)
{
    std::vector<const ExportEntry*> exports;
    for (const Block& format : output.list("formats")) exports.push_back(&entry_of(export_catalog(), format));
    return exports;
}

std::vector<RecordedInput> inputs_of(const BuiltScene& built)
{
    std::vector<RecordedInput> inputs;
    for (const SceneFile& file : built.files) inputs.push_back({file.copy, file_bytes(file.source)});
    return inputs;
}

RecordingOptions recording_options(const Scene& scene, std::string text, BuiltScene& built, const fs::path& directory,
    const std::string& program_version)
{
    const Block& output = scene.root.part("output");
    return {
        .directory = directory,
        .scene_text = std::move(text),
        .inputs = inputs_of(built),
        .description = {
            .scene = scene.name(),
            .program_version = program_version,
            .integrator = scene.root.part("integrator").type,
            .integrator_options = scene.root.part("integrator").options,
            .h = built.step,
            .end_time = built.duration,
            .threads = thread_count(),
            .nodes = built.body_nodes,
            .tets = static_cast<long>(built.mesh.tets.size()),
            .weight = built.mass() * scene.root.options.vec3("gravity").norm(),
            .has_contact = built.contact.has_value(),
            .aims_at_target = built.integrator_entry->aims_at_target,
            .notes = built.notes,
            .ground = built.ground,
            .ground_kind = ground_word(built.ground_kind),
        },
        .frames = {.per_second = output.options.real("frames_per_second"),
            .tetrahedra = output.options.flag("tetrahedra")},
        .probes = frame_probes(built),
        .exports = exports_of(output),
        .checkpoint_every = output.options.integer("checkpoint_every"),
        .picture = output.options.flag("picture"),
        .up = scene.up(),
        .ground_height = ground_height(scene),
    };
}

} // namespace

SceneRun::SceneRun(const Scene& scene, std::string text, const fs::path& directory, const std::string& program_version,
    BuiltScene ready)
    : built_(std::move(ready))
    , simulation_(built_.simulation())
    , recording_(recording_options(scene, text.empty() ? resolved_scene(scene, built_).text() : std::move(text), built_,
                     directory, program_version),
          built_.mesh, built_.skin, simulation_)
{
}

SceneRun::SceneRun(const Scene& scene, const fs::path& directory, const std::string& program_version)
    : SceneRun(scene, "", directory, program_version, rubato::built(scene))
{
}

std::unique_ptr<SceneRun> SceneRun::resumed(const fs::path& directory, const std::string& program_version)
{
    const fs::path file = directory / "scene.json";
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) {
        throw InputError(Mistake{.file = directory.string(), .message = "is no run directory: it has no scene.json"});
    }
    require_inputs_unchanged(directory);
    std::string text = file_bytes(file);
    const Scene scene = scene_from_text(text, file.string(), directory);
    BuiltScene ready = rubato::built(scene);
    for (SceneFile& copied : ready.files) copied.copy = copied.source.lexically_relative(directory).string();
    std::unique_ptr<SceneRun> run(new SceneRun(scene, std::move(text), directory, program_version, std::move(ready)));
    run->note_ = run->recording_.resume();
    return run;
}

RunResult SceneRun::run(const std::atomic<bool>* stop)
{
    RunResult result = simulation_.run(built_.duration, stop);
    recording_.finish(result);
    return result;
}

} // namespace rubato
