#pragma once

#include "base/archive.hpp"
#include "dynamics/observer.hpp"
#include "record/fingerprint.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rubato {

/// What a checkpoint belongs to. A checkpoint of another program version or another scene is refused: it could not be
/// continued bit for bit.
struct CheckpointIdentity {
    std::string program_version; ///< e.g. "0.1.0"
    std::vector<FileMark> inputs = {}; ///< scene.json and the files it reads
};

/// What was found on disk.
struct Checkpoint {
    std::vector<std::uint8_t> payload; ///< bytes for an Archive
    std::filesystem::path file; ///< where it came from
    std::string note; ///< why the previous checkpoint was taken instead of the newest; empty when it was the newest
};

/// Writes DIR/checkpoint.bin so that a crash at any moment leaves a whole checkpoint: temporary file, fsync, rename.
/// The one before is kept as DIR/checkpoint.prev.bin. Throws WriteError.
void write_checkpoint(const std::filesystem::path& run_directory, const CheckpointIdentity& identity,
    const std::vector<std::uint8_t>& payload);

/// Reads DIR/checkpoint.bin, or DIR/checkpoint.prev.bin if the newest is missing or damaged. Everything that is wrong
/// is an InputError that names the file and what to do.
Checkpoint read_checkpoint(const std::filesystem::path& run_directory, const CheckpointIdentity& identity);

/// Throws InputError where scene.json, or a file that it reads, is not what it was when the run began: whoever resumes
/// a run hears of that first, not of what the change led to. Nothing where no checkpoint can be read.
void require_inputs_unchanged(const std::filesystem::path& run_directory);

/// Writes a checkpoint at the start, every `every` steps and when asked. It must be the last observer of a simulation,
/// so that the others have seen the step it stores.
class CheckpointWriter : public Observer {
public:
    /// `contents` saves the simulation and the observers that have state. `every` = 0: only when asked.
    CheckpointWriter(std::filesystem::path run_directory, CheckpointIdentity identity, long every,
        std::function<void(Archive&)> contents);

    void step(const StepRecord& record) override;
    void write(); ///< now
    bool enabled() const { return every_ > 0; }

private:
    std::filesystem::path directory_;
    CheckpointIdentity identity_;
    long every_;
    std::function<void(Archive&)> contents_;
};

} // namespace rubato
