#pragma once

#include "base/archive.hpp"
#include "dynamics/observer.hpp"
#include "geometry/skin.hpp"
#include "record/run_picture.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rubato {

struct FrameOptions {
    double per_second = 30; ///< frames per second of simulated time [1/s]; 0: no frames
    bool vtu = true; ///< tetrahedra with velocity and displacement, and a collection frames.pvd
    bool obj = false; ///< what is shown of the bodies: their own surfaces, or the boundary of their tetrahedra
};

/// Writes frames at a rate of their own: frame k is the first accepted step at or after start + k / per_second. A step
/// that passes several frame times is written once. Files are frames/frame_000000.vtu and so on, without gaps, and
/// frames.pvd beside the folder gives the time of each. Where bodies show surfaces of their own, frames.pvd lists
/// these, as frames/surface_000000.vtu and so on, and tetrahedra.pvd the tetrahedra. Nodes behind those that
/// tetrahedra use (obstacles have such) are left out of the latter.
class FrameWriter : public Observer {
public:
    /// `rest` gives the tetrahedra and the positions from which displacement is measured.
    FrameWriter(std::filesystem::path run_directory, const TetMesh& rest, Skin skin, FrameOptions options = {});
    /// Bodies that show the boundary of their tetrahedra.
    FrameWriter(std::filesystem::path run_directory, const TetMesh& rest, FrameOptions options = {});

    void step(const StepRecord& record) override;
    /// Writes frames/final.*, the last good state of a run that failed, even where no frames are wanted.
    void save_final(const State& state);
    void flush(); ///< brings frames.pvd up to date
    /// What the run looked like: moments of it where there are frames, else the given state.
    Image picture(const State& state, const RunPictureOptions& options);

    long count() const { return static_cast<long>(times_.size()); } ///< frames written
    std::vector<std::string> files() const; ///< what was written, relative to the run directory; * for the numbers
    bool enabled() const { return options_.per_second > 0 && (options_.vtu || options_.obj); }

    /// Which frames exist and when the next is due. Saving also brings frames.pvd up to date.
    void serialize(Archive& archive);

private:
    void write(const State& state, const std::string& stem, bool vtu);
    bool final_vtu() const { return options_.vtu || !options_.obj; }

    std::filesystem::path directory_;
    FrameOptions options_;
    std::vector<Tet> tets_;
    Skin skin_;
    std::vector<Triangle> skin_triangles_; ///< its polygons, cut for .vtu; empty where that shows the tetrahedra
    Vector X_; ///< rest positions [m]
    Eigen::Index tet_unknowns_ = 0; ///< entries of a vector that belong to tetrahedra: the first ones
    Vector x_, v_, displacement_; ///< work space of write [m], [m/s], [m]
    std::vector<Vec3> points_, speeds_; ///< of the skin; work space of write [m], [m/s]
    std::vector<double> times_; ///< of the frames written so far [s]
    double start_ = 0; ///< time of frame 0 [s]
    std::int64_t next_ = 0; ///< the next frame is due at start_ + next_ / per_second
    bool final_ = false; ///< whether save_final wrote one
    std::size_t collected_ = 0; ///< frames that frames.pvd on disk knows
};

} // namespace rubato
