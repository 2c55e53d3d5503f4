#include "record/recording.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "record/plot.hpp"
#include "record/run_folder.hpp"

#include <fmt/format.h>

#include <string_view>
#include <system_error>

namespace rubato {

namespace fs = std::filesystem;

namespace {

/// Whether a file in the folder of meshes was copied there by a run: its name begins with a number and a dash.
bool is_copied_input(const fs::path& file)
{
    const std::string name = file.filename().string();
    const auto dash = name.find_first_not_of("0123456789");
    return dash != std::string::npos && dash > 0 && name[dash] == '-';
}

/// What an earlier run left, except what a new one puts in its place. First what resume goes on from, then what report
/// believes, so that neither is there with files that do not belong to it.
void remove_earlier_run(const fs::path& directory)
{
    std::error_code ignored; // what cannot be removed is overwritten, or fails there with a better message
    for (const char* name : {"checkpoint.new.bin", "checkpoint.prev.bin", "checkpoint.bin", "summary.json",
             "energy.svg", "frames.rbt", "picture.png"}) {
        fs::remove(directory / name, ignored);
    }
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(directory / "meshes", ignored)) {
        if (is_copied_input(entry.path())) old.push_back(entry.path());
    }
    for (const fs::path& file : old) fs::remove(file, ignored);
}

/// Scene and inputs.
CheckpointIdentity identity_of(const RecordingOptions& options)
{
    CheckpointIdentity identity{options.description.program_version, {mark_of("scene.json", options.scene_text)}};
    for (const RecordedInput& input : options.inputs) identity.inputs.push_back(mark_of(input.name, input.bytes));
    return identity;
}

/// Where a first file of a run lies until all of them are written: in the folder below its own, so that renaming it
/// takes no room and no right that was not needed before.
fs::path written_first(const fs::path& file) { return file.parent_path() / begun_run / file.filename(); }

/// Files and folders made so far. They are removed again unless they are kept; a folder that holds something else
/// stays.
class Footprint {
public:
    ~Footprint()
    {
        std::error_code ignored;
        for (auto it = made_.rbegin(); it != made_.rend(); ++it) fs::remove(*it, ignored);
    }
    void add(fs::path file) { made_.push_back(std::move(file)); }
    /// Makes a folder and those it lies in. Says what went wrong.
    std::error_code make(const fs::path& folder)
    {
        std::error_code error;
        std::vector<fs::path> missing;
        for (fs::path p = folder; !p.empty() && !fs::exists(p, error); p = p.parent_path()) missing.push_back(p);
        made_.insert(made_.end(), missing.rbegin(), missing.rend());
        fs::create_directories(folder, error);
        if (!error && !fs::is_directory(folder, error) && !error)
            error = std::make_error_code(std::errc::not_a_directory);
        return error;
    }
    void keep() { made_.clear(); }

private:
    std::vector<fs::path> made_;
};

} // namespace

Recording::Recording(RecordingOptions options, const TetMesh& rest, Skin skin, Simulation& simulation)
    : options_(std::move(options))
    , identity_(identity_of(options_))
    , simulation_(simulation)
    , stats_(options_.directory / "stats.csv", options_.description.has_contact, options_.description.aims_at_target)
    , frames_(options_.directory, rest, std::move(skin), options_.frames,
          {.program = options_.description.program_version,
              .scene = options_.description.scene,
              .integrator = options_.description.integrator,
              .step = options_.description.h,
              .up = options_.up,
              .ground = options_.ground_height},
          options_.probes)
    , summary_(options_.description)
    , checkpoints_(
          options_.directory, identity_, options_.checkpoint_every, [this](Archive& archive) { serialize(archive); })
{
    simulation.observe(stats_);
    simulation.observe(frames_);
    simulation.observe(summary_);
    simulation.observe(checkpoints_); // last: it stores what the others have seen
}

void Recording::begin()
{
    if (!takes_run(options_.directory)) {
        throw InputError(Mistake{.file = options_.directory.string(),
            .message = "holds files, and no run that could be replaced (a run has a scene.json and a stats.csv)"});
    }
    Footprint made;
    if (const std::error_code error = made.make(options_.directory)) {
        throw InputError(Mistake{.file = options_.directory.string(),
            .message = fmt::format("cannot be made a run directory: {}", error.message())});
    }
    std::vector<fs::path> files;
    const auto written = [&](const std::string& name, const auto& write) {
        const fs::path file = options_.directory / name, first = written_first(file);
        if (const std::error_code error = made.make(first.parent_path()))
            throw WriteError(file.string(), error.message());
        made.add(first);
        write(first);
        files.push_back(file);
    };
    written("scene.json", [&](const fs::path& file) { write_atomically(file, options_.scene_text); });
    written("stats.csv", [&](const fs::path& file) {
        stats_.begin(file);
        stats_.flush();
    });
    for (RecordedInput& input : options_.inputs) {
        written(input.name, [&](const fs::path& file) { write_atomically(file, input.bytes); });
        input.bytes = {}; // a mesh may be large
    }
    std::error_code ignored;
    for (const fs::path& file : files) {
        if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
            throw WriteError(file.string(), "something that is not a regular file has this name");
    }
    // All is written and may be renamed, and the earlier run was whole up to here.
    made.keep();
    remove_earlier_run(options_.directory);
    for (const fs::path& file : files) {
        std::error_code error;
        fs::rename(written_first(file), file, error);
        if (error) throw WriteError(file.string(), error.message());
    }
    fs::remove_all(options_.directory / "meshes" / begun_run, ignored); // also that of a run that was killed
    fs::remove_all(options_.directory / begun_run, ignored); // last: up to here it tells that the rest is a run's
}

std::string Recording::resume()
{
    const Checkpoint found = read_checkpoint(options_.directory, identity_);
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
    // Nothing has been touched up to here. The summary is that of a run that ended and of its whole table, so it goes
    // before the table is cut.
    const fs::path ended = options_.directory / "summary.json";
    std::error_code error;
    fs::remove(ended, error);
    if (error) throw WriteError(ended.string(), "cannot be removed: " + error.message());
    stats_.reopen();
    return found.note;
}

void Recording::serialize(Archive& archive)
{
    simulation_.serialize(archive);
    summary_.serialize(archive);
    frames_.serialize(archive);
    stats_.serialize(archive);
}

void Recording::finish(const RunResult& result)
{
    stats_.flush();
    if (checkpoints_.enabled()) checkpoints_.write(); // before the last good state, which is no frame of a longer run
    // A run that could not even start may have no state worth keeping.
    const bool failed = !result.finished && !result.interrupted;
    if (failed && simulation_.state().finite()) frames_.save_final(simulation_.state(), simulation_.steps());
    frames_.close();
    stats_.close();
    write_energy_plot(options_.directory,
        fmt::format("{}: energy under {}, h = {:.4g} s", options_.description.scene, options_.description.integrator,
            options_.description.h));
    if (options_.picture && simulation_.state().finite()) draw();
    std::vector<FileMark> marks = identity_.inputs;
    marks.push_back({"stats.csv", stats_.bytes(), stats_.checksum()});
    summary_.write(options_.directory, result, files(), frames_.count(), marks);
    if (frames_.count() > 0) write_exports(); // last: one that cannot be written must not cost the summary
}

void Recording::write_exports()
{
    if (options_.exports.empty()) return;
    FrameReader reader(options_.directory / "frames.rbt");
    for (const ExportEntry* format : options_.exports)
        exported(*format, reader, {.folder = options_.directory / format->name});
}

void Recording::draw()
{
    RunPictureOptions options{.moments = 4, .up = options_.up, .title = options_.description.scene};
    options.picture.ground_height = options_.ground_height;
    const fs::path file = options_.directory / "picture.png";
    std::error_code ignored;
    fs::remove(file, ignored); // one of an earlier end would no longer be true
    try {
        write_png(file, frames_.picture(simulation_.state(), options));
    } catch (const std::exception&) {
        // No picture is a reason to lose the summary of a long run: a frame may have been removed, the disk be full.
    }
}

std::vector<std::string> Recording::files() const
{
    std::vector<std::string> names = {"scene.json", "stats.csv", "energy.svg", "summary.json"};
    for (const RecordedInput& input : options_.inputs) names.push_back(input.name);
    for (std::string& name : frames_.files()) names.push_back(std::move(name));
    for (const ExportEntry* format : options_.exports) {
        if (frames_.count() > 0) names.push_back(format->name + "/");
    }
    std::error_code ignored;
    if (options_.picture && fs::exists(options_.directory / "picture.png", ignored)) names.emplace_back("picture.png");
    if (checkpoints_.enabled()) names.push_back("checkpoint.bin");
    return names;
}

} // namespace rubato
