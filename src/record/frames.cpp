#include "record/frames.hpp"

#include "base/errors.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <system_error>

namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr double most_frames = 1e18; ///< times beyond this number are not told apart: every step is a frame

std::string frame_stem(std::size_t number) { return fmt::format("frame_{:06}", number); }

/// The shown surface that goes with a frame of tetrahedra: surface_000000 with frame_000000, final_surface with final.
std::string surface_stem(const std::string& stem)
{
    return stem.starts_with("frame_") ? "surface_" + stem.substr(6) : stem + "_surface";
}

Vector stacked(const std::vector<Vec3>& nodes)
{
    Vector x(3 * static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) node(x, static_cast<Index>(i)) = nodes[i];
    return x;
}

} // namespace

FrameWriter::FrameWriter(fs::path run_directory, const TetMesh& rest, Skin skin, FrameOptions options)
    : directory_(std::move(run_directory))
    , options_(options)
    , tets_(rest.tets)
    , skin_(std::move(skin))
    , X_(stacked(rest.nodes))
{
    for (const Tet& tet : tets_) {
        for (const Index i : tet) tet_unknowns_ = std::max(tet_unknowns_, 3 * Eigen::Index{i} + 3);
    }
    if (skin_.embedded) skin_triangles_ = triangulated(skin_.surface).triangles;
    // The run directory keeps material files as inputs; frames lie one folder deeper.
    for (std::string& name : skin_.surface.material_files) {
        if (name.starts_with("meshes/")) name = "../" + name;
    }
}

FrameWriter::FrameWriter(fs::path run_directory, const TetMesh& rest, FrameOptions options)
    : FrameWriter(std::move(run_directory), rest, boundary_skin(rest), options)
{
}

void FrameWriter::step(const StepRecord& record)
{
    if (!enabled()) return;
    const double t = record.state.t;
    if (record.step == 0) start_ = t;

    // A step that ends short of a frame time by round-off belongs to it.
    const double slack = 1e-4 * std::min(record.h, 1 / options_.per_second);
    const auto time_of = [&](std::int64_t k) { return start_ + static_cast<double>(k) / options_.per_second; };
    if (t < time_of(next_) - slack) return;

    write(record.state, frame_stem(times_.size()), options_.vtu);
    times_.push_back(t);
    // The next one due is the first after t, however many this step has passed. The product may be rounded down by
    // one, or too large for an integer.
    const double passed = std::floor((t - start_ + slack) * options_.per_second);
    next_ = std::max(next_, static_cast<std::int64_t>(std::min(passed, most_frames))) + 1;
    if (time_of(next_) - slack <= t) ++next_;
    // The collection is written whole each time: every frame at first, then ever more rarely, so that the work stays
    // proportional to the number of frames.
    if (times_.size() - collected_ > times_.size() / 64) flush();
}

void FrameWriter::write(const State& state, const std::string& stem, bool vtu)
{
    const fs::path folder = directory_ / "frames";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw WriteError(folder.string(), error.message());
    if (vtu) {
        x_ = state.x.head(tet_unknowns_);
        v_ = state.v.head(tet_unknowns_);
        displacement_ = x_ - X_.head(tet_unknowns_);
        write_vtu(folder / (stem + ".vtu"), x_, tets_,
            {vector_field("velocity", v_), vector_field("displacement", displacement_)});
    }
    if (options_.obj || skin_.embedded) positions(skin_.points, state.x, points_);
    if (vtu && skin_.embedded) {
        positions(skin_.points, state.v, speeds_); // points are weighted sums of nodes, and so are their velocities
        const Vector shown = stacked(points_);
        const Vector moved = shown - stacked(skin_.surface.vertices);
        write_vtu(folder / (surface_stem(stem) + ".vtu"), shown, skin_triangles_,
            {vector_field("velocity", speeds_), vector_field("displacement", moved)});
    }
    if (options_.obj) write_obj(folder / (stem + ".obj"), skin_.surface, coordinates(points_));
}

void FrameWriter::save_final(const State& state)
{
    write(state, "final", final_vtu());
    final_ = true;
}

Image FrameWriter::picture(const State& state, const RunPictureOptions& options)
{
    if (times_.size() > 1) {
        flush();
        return run_picture(directory_, options, times_);
    }
    positions(skin_.points, state.x, points_);
    return run_picture(triangulated(skin_.surface), {state.t}, {points_}, options);
}

void FrameWriter::flush()
{
    if (!options_.vtu || collected_ == times_.size()) return;
    const auto write_collection = [&](const char* name, const auto& stem) {
        std::vector<PvdFrame> entries;
        entries.reserve(times_.size());
        for (std::size_t i = 0; i < times_.size(); ++i) {
            entries.push_back({times_[i], "frames/" + stem(frame_stem(i)) + ".vtu"});
        }
        write_pvd(directory_ / name, entries);
    };
    const auto tetrahedra = [](const std::string& stem) { return stem; };
    if (skin_.embedded) {
        write_collection("frames.pvd", surface_stem);
        write_collection("tetrahedra.pvd", tetrahedra);
    } else {
        write_collection("frames.pvd", tetrahedra);
    }
    collected_ = times_.size();
}

std::vector<std::string> FrameWriter::files() const
{
    std::vector<std::string> names;
    const auto add = [&](bool wanted, std::initializer_list<const char*> more) {
        if (wanted) names.insert(names.end(), more.begin(), more.end());
    };
    add(options_.vtu && !times_.empty(), {"frames.pvd", "frames/frame_*.vtu"});
    add(options_.vtu && !times_.empty() && skin_.embedded, {"tetrahedra.pvd", "frames/surface_*.vtu"});
    add(options_.obj && !times_.empty(), {"frames/frame_*.obj"});
    add(final_ && final_vtu(), {"frames/final.vtu"});
    add(final_ && final_vtu() && skin_.embedded, {"frames/final_surface.vtu"});
    add(final_ && options_.obj, {"frames/final.obj"});
    return names;
}

void FrameWriter::serialize(Archive& archive)
{
    if (!archive.loading()) flush();
    archive("frame_times", times_);
    archive("frame_start", start_);
    archive("frame_next", next_);
    if (archive.loading()) collected_ = 0; // the collection on disk may already know later frames
}

} // namespace rubato
