#pragma once

#include "record/recording.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <atomic>
#include <filesystem>
#include <string>

namespace rubato {

/// A run of a scene in a directory: everything is built before the first file is written.
class SceneRun {
public:
    /// A new run. Throws InputError if the scene is wrong; touches no file.
    SceneRun(const Scene& scene, const std::filesystem::path& directory, const std::string& program_version);

    /// A run that goes on where the directory's last checkpoint stands. Throws InputError if it cannot.
    static std::unique_ptr<SceneRun> resumed(
        const std::filesystem::path& directory, const std::string& program_version);

    /// Makes the directory and writes what does not change: the scene and the files it reads. Throws InputError if
    /// there can be no such directory, WriteError if a file cannot be written; then nothing is left of it.
    void begin() { recording_.begin(); }

    RunResult run(const std::atomic<bool>* stop = nullptr); ///< to the end; leaves everything on disk

    Simulation& simulation() { return simulation_; }
    const BuiltScene& built() const { return built_; }
    const Recording& recording() const { return recording_; }
    const std::string& note() const { return note_; } ///< what the user should know about a resumption

private:
    SceneRun(const Scene& scene, std::string text, const std::filesystem::path& directory,
        const std::string& program_version, BuiltScene built);

    BuiltScene built_;
    Simulation simulation_;
    Recording recording_;
    std::string note_;
};

} // namespace rubato
