#pragma once

#include "record/checkpoint.hpp"
#include "record/export/catalog.hpp"
#include "record/frames.hpp"
#include "record/stats.hpp"
#include "record/summary.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato {

/// A file that the scene reads. A run keeps a copy of it.
struct RecordedInput {
    std::string name; ///< of the copy, relative to the run directory
    std::string bytes;
};

struct RecordingOptions {
    std::filesystem::path directory; ///< of the run
    std::string scene_text; ///< scene.json with every default written out; checkpoints belong to it
    std::vector<RecordedInput> inputs = {}; ///< and to these: with another mesh a run cannot go on
    RunDescription description;
    FrameOptions frames;
    std::vector<NodeProbe> probes = {}; ///< what frames show besides position and velocity
    std::vector<const ExportEntry*> exports
        = {}; ///< made of the frames when the run ends, each in a folder of its name
    long checkpoint_every = 100; ///< steps; 0: no checkpoints
    bool picture = false; ///< draw moments of the run as picture.png when it ends
    Vec3 up = Vec3::UnitY(); ///< of that picture; any length but zero
    std::optional<double> ground_height = {}; ///< in it, along up [m]; none: the lowest point that is drawn
};

/// The run directory: scene.json, stats.csv, frames, checkpoints, summary.json, energy.svg, picture.png. It holds the
/// observers that write them and keeps their order. Use:
///
///     Recording recording(options, mesh, simulation);
///     recording.begin();                      // or recording.resume()
///     simulation.observe(progress);           // anything else that watches; any place
///     RunResult result = simulation.run(end);
///     recording.finish(result);
class Recording {
public:
    /// Attaches the observers to the simulation. Touches no file.
    Recording(RecordingOptions options, const TetMesh& rest, Skin skin, Simulation& simulation);
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Makes the directory, writes scene.json, the inputs and the header of stats.csv, and only then removes what an
    /// earlier run left there (only files that a run writes). InputError if there can be no such directory or it holds
    /// files and no run, WriteError if a file cannot be written; then all that was made is removed, and an earlier run
    /// is whole. After a kill at any moment the folder takes a run again.
    void begin();

    /// Restores simulation and observers from the last checkpoint. Returns what the user should know (empty, or why the
    /// previous checkpoint was taken). InputError if there is nothing to go on from; then nothing was touched.
    std::string resume();

    /// The run ended: last rows, last checkpoint, index of the frames, plot, summary; after a failure the last good
    /// state as the last frame.
    void finish(const RunResult& result);

    void checkpoint() { checkpoints_.write(); } ///< now, outside the rhythm
    std::vector<std::string> files() const; ///< what the run wrote, relative to its directory
    const std::filesystem::path& directory() const { return options_.directory; }
    const RunSummary& summary() const { return summary_; }
    const FrameWriter& frames() const { return frames_; }

private:
    void serialize(Archive& archive);
    void draw();
    void write_exports();

    RecordingOptions options_;
    CheckpointIdentity identity_;
    Simulation& simulation_;
    StatsWriter stats_;
    FrameWriter frames_;
    RunSummary summary_;
    CheckpointWriter checkpoints_;
};

} // namespace rubato
