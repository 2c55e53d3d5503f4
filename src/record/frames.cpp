#include "record/frames.hpp"

#include "base/errors.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/files/writing.hpp"
#include "record/export/names.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr double most_frames = 1e18; ///< times beyond this number are not told apart: every step is a frame

void append(std::vector<float>& values, const std::vector<Vec3>& points)
{
    for (const Vec3& x : points) {
        for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(x[k]));
    }
}

void append(std::vector<float>& values, const Vector& x, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(x[static_cast<Eigen::Index>(i)]));
}

/// A number at the nodes, carried to points that ride on them. Weights of points outside are negative: such a point
/// gets a mean of the nodes all the same, so that a stress stays positive.
void append_carried(std::vector<float>& values, const Embedding& points, const Vector& per_node)
{
    for (std::size_t i = 0; i < points.count(); ++i) {
        double sum = 0, weights = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const double weight = std::max(0.0, points.weights[i][k]);
            if (weight == 0) continue;
            sum += weight * per_node[points.nodes[i][k]];
            weights += weight;
        }
        values.push_back(static_cast<float>(weights > 0 ? sum / weights : 0.0));
    }
}

} // namespace

FrameWriter::FrameWriter(fs::path run_directory, const TetMesh& rest, Skin skin, FrameOptions options, FrameTitle title,
    std::vector<NodeProbe> probes)
    : directory_(std::move(run_directory))
    , options_(options)
    , title_(std::move(title))
    , probes_(std::move(probes))
    , tets_(options.tetrahedra ? rest.tets : std::vector<Tet>())
    , skin_(std::move(skin))
    , triangles_(triangulated(skin_.surface).triangles)
{
    std::size_t used = 0;
    for (const Tet& tet : tets_) {
        for (const Index i : tet) used = std::max(used, static_cast<std::size_t>(i) + 1);
    }
    X_.assign(rest.nodes.begin(), rest.nodes.begin() + static_cast<std::ptrdiff_t>(used));
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

    write(record.state, record.step);
    // The next one due is the first after t, however many this step has passed. The product may be rounded down by
    // one, or too large for an integer.
    const double passed = std::floor((t - start_ + slack) * options_.per_second);
    next_ = std::max(next_, static_cast<std::int64_t>(std::min(passed, most_frames))) + 1;
    if (time_of(next_) - slack <= t) ++next_;
}

FrameFileParts FrameWriter::parts() const
{
    FrameFileParts all;
    all.header = {.program = title_.program,
        .scene = title_.scene,
        .integrator = title_.integrator,
        .step = title_.step,
        .up = title_.up.normalized() + Vec3::Zero(), // turns -0 into 0
        .ground = title_.ground,
        .points = static_cast<Index>(skin_.points.count()),
        .triangles = static_cast<Index>(triangles_.size()),
        .fields = {{"position", "m", 3}, {"velocity", "m/s", 3}},
        .nodes = static_cast<Index>(X_.size()),
        .tetrahedra = static_cast<Index>(tets_.size()),
        .node_fields = {{"position", "m", 3}, {"velocity", "m/s", 3}}};
    for (const NodeProbe& probe : probes_) all.header.fields.push_back({probe.name, probe.unit, 1});
    const std::vector<Index>& polygons = skin_.surface.polygons;
    for (const SkinBody& body : skin_.bodies) {
        // A polygon of n corners becomes n - 2 triangles.
        const auto triangles_before
            = [&](Index polygon) { return polygons[static_cast<std::size_t>(polygon)] - 2 * polygon; };
        const Index first = triangles_before(body.first_polygon);
        all.header.bodies.push_back({body.name, body.obstacle, body.first_vertex, body.vertices, first,
            triangles_before(body.first_polygon + body.polygons) - first});
    }
    Surface named = skin_.surface; // names of bodies are free text, of which an .obj bears less; the header has them
    for (SurfacePart& part : named.parts) {
        for (std::string* name : {&part.object, &part.group, &part.material}) {
            if (!name->empty()) *name = line_name(*name);
        }
    }
    all.surface = obj_bytes(file(), named, coordinates(named.vertices));
    all.triangles = triangles_;
    append(all.rest, skin_.surface.vertices);
    all.tetrahedra = tets_;
    append(all.node_rest, X_);
    return all;
}

void FrameWriter::open()
{
    if (out_.is_open()) return;
    if (resumed_ && resumed_->end > 0) {
        out_.reopen(file(), *std::move(resumed_));
    } else {
        std::error_code error;
        fs::create_directories(directory_, error);
        if (error) throw WriteError(directory_.string(), error.message());
        out_.create(file(), parts());
    }
    resumed_.reset();
}

void FrameWriter::write(const State& state, long step)
{
    open();
    FrameMoment& moment = out_.next();
    moment.time = state.t;
    moment.step = step;
    moment.points.clear();
    positions(skin_.points, state.x, points_);
    append(moment.points, points_);
    positions(skin_.points, state.v, points_); // points are weighted sums of nodes, and so are their velocities
    append(moment.points, points_);
    for (const NodeProbe& probe : probes_) {
        probe.measure(state, probed_);
        append_carried(moment.points, skin_.points, probed_);
    }
    moment.nodes.clear();
    append(moment.nodes, state.x, 3 * X_.size());
    append(moment.nodes, state.v, 3 * X_.size());
    if (!all_finite(moment)) return;
    out_.append();
    ++count_;
    last_time_ = state.t;
}

void FrameWriter::save_final(const State& state, long step)
{
    if (count_ == 0 || state.t != last_time_) write(state, step);
}

void FrameWriter::close()
{
    if (!out_.is_open() && !resumed_) return; // there are no frames, or it is closed already
    if (count_ == 0) return;
    open();
    out_.close();
}

Image FrameWriter::picture(const State& state, const RunPictureOptions& options)
{
    if (count_ > 1) {
        close();
        return run_picture(directory_, options);
    }
    positions(skin_.points, state.x, points_);
    return run_picture(triangulated(skin_.surface), {state.t}, {points_}, options);
}

std::vector<std::string> FrameWriter::files() const
{
    return count_ > 0 ? std::vector<std::string>{"frames.rbt"} : std::vector<std::string>{};
}

void FrameWriter::serialize(Archive& archive)
{
    archive("frame_count", count_);
    archive("frame_last", last_time_);
    archive("frame_start", start_);
    archive("frame_next", next_);
    serialize_mark(archive);
}

void FrameWriter::serialize_mark(Archive& archive)
{
    FrameFileMark mark = archive.loading() ? FrameFileMark{} : resumed_ ? *resumed_ : out_.mark();
    std::string index(mark.index.size() * sizeof(frame_chunks::IndexEntry), '\0');
    if (!index.empty()) std::memcpy(index.data(), mark.index.data(), index.size());
    archive("frame_file_end", mark.end);
    archive("frame_file_index", index);
    if (!archive.loading()) return;
    mark.index.resize(index.size() / sizeof(frame_chunks::IndexEntry));
    if (!index.empty()) std::memcpy(mark.index.data(), index.data(), index.size());
    if (mark.end > 0) require_marked(file(), mark);
    resumed_ = std::move(mark);
}

} // namespace rubato
