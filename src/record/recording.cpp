#include "record/recording.hpp"

#include "base/errors.hpp"
#include "geometry/atomic_file.hpp"
#include "record/plot.hpp"

#include <fmt/format.h>

#include <system_error>

namespace rubato {

namespace fs = std::filesystem;

namespace {

/// Whether a file of this name in the frames folder was written by a run: frame_*.vtu, frame_*.obj, final.*
bool is_frame(const fs::path& file)
{
    const std::string stem = file.stem().string(), extension = file.extension().string();
    return (stem.starts_with("frame_") || stem == "final") && (extension == ".vtu" || extension == ".obj");
}

void remove_earlier_run(const fs::path& directory)
{
    std::error_code ignored; // what cannot be removed is overwritten, or fails there with a better message
    for (const char* name : {"stats.csv", "summary.json", "energy.svg", "frames.pvd", "checkpoint.bin",
             "checkpoint.prev.bin", "checkpoint.new.bin"}) {
        fs::remove(directory / name, ignored);
    }
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(directory / "frames", ignored)) {
        if (is_frame(entry.path())) old.push_back(entry.path());
    }
    for (const fs::path& file : old) fs::remove(file, ignored);
}

} // namespace

Recording::Recording(RecordingOptions options, const TetMesh& rest, Simulation& simulation)
    : options_(std::move(options))
    , simulation_(simulation)
    , stats_(options_.directory / "stats.csv", options_.has_contact)
    , frames_(options_.directory, rest, options_.frames)
    , summary_(options_.description)
    , checkpoints_(options_.directory, {options_.description.program_version, fingerprint(options_.scene_text)},
          options_.checkpoint_every, [this](Archive& archive) { serialize(archive); })
{
    simulation.observe(stats_);
    simulation.observe(frames_);
    simulation.observe(summary_);
    simulation.observe(checkpoints_); // last: it stores what the others have seen
}

void Recording::begin()
{
    std::error_code error;
    fs::create_directories(options_.directory, error);
    if (!fs::is_directory(options_.directory)) {
        throw WriteError(options_.directory.string(), error ? error.message() : "is not a directory");
    }
    remove_earlier_run(options_.directory);
    write_atomically(options_.directory / "scene.json", options_.scene_text, false);
    stats_.begin();
}

std::string Recording::resume()
{
    const Checkpoint found
        = read_checkpoint(options_.directory, {options_.description.program_version, fingerprint(options_.scene_text)});
    Archive archive(found.payload);
    try {
        serialize(archive);
        if (!archive.at_end()) throw Archive::Mismatch("holds more than this version expects");
    } catch (const Archive::Mismatch& mismatch) {
        throw InputError(Mistake{
            .file = found.file.string(),
            .message = fmt::format("{}; run the scene again from the start", mismatch.what()),
        });
    }
    // A last good state is only that of a run that ended there.
    std::error_code ignored;
    for (const char* name : {"frames/final.vtu", "frames/final.obj"}) fs::remove(options_.directory / name, ignored);
    return found.note;
}

void Recording::serialize(Archive& archive)
{
    simulation_.serialize(archive);
    summary_.serialize(archive);
    frames_.serialize(archive);
    stats_.serialize(archive); // last: loading it cuts stats.csv, so everything else must have fitted
}

void Recording::finish(const RunResult& result)
{
    stats_.flush();
    frames_.flush();
    // A run that could not even start may have no state worth keeping.
    const bool failed = !result.finished && !result.interrupted;
    if (failed && simulation_.state().finite()) frames_.save_final(simulation_.state());
    if (checkpoints_.enabled()) checkpoints_.write();
    stats_.close();
    write_energy_plot(options_.directory,
        fmt::format("{}: energy under {}, h = {:.4g} s", options_.description.scene, options_.description.integrator,
            options_.description.h));
    summary_.write(options_.directory, result, files(), frames_.count());
}

std::vector<std::string> Recording::files() const
{
    std::vector<std::string> names = {"scene.json", "stats.csv", "energy.svg", "summary.json"};
    for (std::string& name : frames_.files()) names.push_back(std::move(name));
    if (checkpoints_.enabled()) names.push_back("checkpoint.bin");
    return names;
}

} // namespace rubato
