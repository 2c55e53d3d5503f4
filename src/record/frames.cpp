#include "record/frames.hpp"

#include "base/errors.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/files/write_vtu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr double most_frames = 1e18; ///< times beyond this number are not told apart: every step is a frame

std::string frame_stem(std::size_t number) { return fmt::format("frame_{:06}", number); }

Vector stacked(const std::vector<Vec3>& nodes)
{
    Vector x(3 * static_cast<Eigen::Index>(nodes.size()));
    for (std::size_t i = 0; i < nodes.size(); ++i) node(x, static_cast<Index>(i)) = nodes[i];
    return x;
}

} // namespace

FrameWriter::FrameWriter(fs::path run_directory, const TetMesh& rest, FrameOptions options)
    : directory_(std::move(run_directory))
    , options_(options)
    , tets_(rest.tets)
    , surface_(boundary_surface(rest.tets))
    , X_(stacked(rest.nodes))
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
        displacement_ = state.x - X_;
        write_vtu(folder / (stem + ".vtu"), state.x, tets_,
            {vector_field("velocity", state.v), vector_field("displacement", displacement_)});
    }
    if (options_.obj) write_obj(folder / (stem + ".obj"), surface_, state.x);
}

void FrameWriter::save_final(const State& state)
{
    write(state, "final", final_vtu());
    final_ = true;
}

void FrameWriter::flush()
{
    if (!options_.vtu || collected_ == times_.size()) return;
    std::vector<PvdFrame> entries;
    entries.reserve(times_.size());
    for (std::size_t i = 0; i < times_.size(); ++i) entries.push_back({times_[i], "frames/" + frame_stem(i) + ".vtu"});
    write_pvd(directory_ / "frames.pvd", entries);
    collected_ = times_.size();
}

std::vector<std::string> FrameWriter::files() const
{
    std::vector<std::string> names;
    if (options_.vtu && !times_.empty()) names.insert(names.end(), {"frames.pvd", "frames/frame_*.vtu"});
    if (options_.obj && !times_.empty()) names.emplace_back("frames/frame_*.obj");
    if (final_ && final_vtu()) names.emplace_back("frames/final.vtu");
    if (final_ && options_.obj) names.emplace_back("frames/final.obj");
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
