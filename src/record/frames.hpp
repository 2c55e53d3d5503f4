#pragma once

#include "base/archive.hpp"
#include "dynamics/observer.hpp"
#include "geometry/skin.hpp"
#include "record/frame_file_writer.hpp"
#include "record/run_picture.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rubato {

struct FrameOptions {
    double per_second = 30; ///< frames per second of simulated time [1/s]; 0: no frames
    bool tetrahedra = true; ///< with the nodes of the tetrahedra, not only what is shown
};

/// A number at every node that frames show, besides position and velocity.
struct NodeProbe {
    std::string name, unit;
    std::function<void(const State& state, Vector& per_node)> measure;
};

/// What a file of frames says of the run it belongs to.
struct FrameTitle {
    std::string program = {}, scene = {}, integrator = {};
    double step = 0; ///< length asked for [s]
    Vec3 up = Vec3::UnitY(); ///< against gravity; any length but zero
    std::optional<double> ground = {}; ///< height of a level ground along up [m]
};

/// Writes frames at a rate of their own: frame k is the first accepted step at or after start + k / per_second. A step
/// that passes several frame times is written once. They go into frames.rbt in the run directory. A moment of an
/// explosion that single precision cannot hold is left out.
class FrameWriter : public Observer {
public:
    /// `rest` gives the tetrahedra and the rest positions; nodes behind those that tetrahedra use (obstacles have such)
    /// are shown by the skin only.
    FrameWriter(std::filesystem::path run_directory, const TetMesh& rest, Skin skin, FrameOptions options = {},
        FrameTitle title = {}, std::vector<NodeProbe> probes = {});
    /// Bodies that show the boundary of their tetrahedra.
    FrameWriter(std::filesystem::path run_directory, const TetMesh& rest, FrameOptions options = {});

    void step(const StepRecord& record) override;
    /// The last good state of a run that failed becomes the last frame, even where no frames are wanted, unless single
    /// precision cannot hold it.
    void save_final(const State& state, long step);
    void close(); ///< everything is on the disk, with an index
    /// What the run looked like: moments of it where there are frames, else the given state. Closes the file.
    Image picture(const State& state, const RunPictureOptions& options);

    long count() const { return count_; } ///< frames written
    std::vector<std::string> files() const; ///< what was written, relative to the run directory
    bool enabled() const { return options_.per_second > 0; }

    /// Which frames exist and when the next is due. Loading checks that the file is there; what lies behind the
    /// checkpoint is cut off when the next frame comes.
    void serialize(Archive& archive);

private:
    std::filesystem::path file() const { return directory_ / "frames.rbt"; }
    void open();
    void write(const State& state, long step);
    FrameFileParts parts() const;
    void serialize_mark(Archive& archive);

    std::filesystem::path directory_;
    FrameOptions options_;
    FrameTitle title_;
    std::vector<NodeProbe> probes_;
    std::vector<Tet> tets_;
    Skin skin_;
    std::vector<Triangle> triangles_; ///< its polygons, cut
    std::vector<Vec3> X_; ///< rest positions of the nodes that tetrahedra use: the first ones [m]
    FrameFileWriter out_;
    std::optional<FrameFileMark> resumed_; ///< where a resumed run has to go on
    std::vector<Vec3> points_; ///< of the skin; work space of write [m], [m/s]
    Vector probed_; ///< work space of write
    long count_ = 0;
    double last_time_ = 0; ///< of the last frame [s]
    double start_ = 0; ///< time of frame 0 [s]
    std::int64_t next_ = 0; ///< the next frame is due at start_ + next_ / per_second
};

} // namespace rubato
