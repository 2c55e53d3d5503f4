#include "record/run_picture.hpp"

#include "base/errors.hpp"
#include "base/joined_sets.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/same_place.hpp"
#include "geometry/surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace rubato {

namespace fs = std::filesystem;

namespace {

struct FrameFile {
    double time; ///< [s]
    fs::path file;
};

/// The value of name="value" in a line of a collection; empty if it is not there.
std::string_view attribute(std::string_view line, std::string_view name)
{
    const auto at = line.find(fmt::format("{}=\"", name));
    if (at == std::string_view::npos) return {};
    const auto begin = at + name.size() + 2, end = line.find('"', begin);
    return end == std::string_view::npos ? std::string_view() : line.substr(begin, end - begin);
}

/// What frames.pvd lists, as far as the files are there.
std::vector<FrameFile> collected_frames(const fs::path& directory)
{
    std::vector<FrameFile> frames;
    std::error_code ignored;
    if (!fs::exists(directory / "frames.pvd", ignored)) return frames;
    const std::string bytes = file_bytes(directory / "frames.pvd");
    for (std::string_view rest = bytes; !rest.empty();) {
        const auto end = std::min(rest.find('\n'), rest.size() - 1);
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        const std::string_view time = attribute(line, "timestep"), file = attribute(line, "file");
        double t = 0;
        const auto [last, error] = std::from_chars(time.data(), time.data() + time.size(), t);
        if (file.empty() || error != std::errc() || last != time.data() + time.size()) continue;
        if (fs::exists(directory / file, ignored)) frames.push_back({t, directory / file});
    }
    return frames;
}

/// Numbered .obj frames, which know no time of their own.
std::vector<FrameFile> obj_frames(const fs::path& directory, const std::vector<double>& times)
{
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(directory / "frames", ignored)) {
        const fs::path& file = entry.path();
        if (file.extension() == ".obj" && file.stem().string().starts_with("frame_")) files.push_back(file);
    }
    std::sort(files.begin(), files.end());
    std::vector<FrameFile> frames;
    for (std::size_t i = 0; i < files.size(); ++i) {
        frames.push_back({i < times.size() ? times[i] : static_cast<double>(i), files[i]});
    }
    return frames;
}

/// `most` of them, evenly spread, the first and the last included.
std::vector<FrameFile> spread(const std::vector<FrameFile>& frames, int most)
{
    const auto count = std::min(frames.size(), static_cast<std::size_t>(std::max(most, 1)));
    std::vector<FrameFile> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(frames[count == 1 ? frames.size() - 1 : i * (frames.size() - 1) / (count - 1)]);
    }
    return chosen;
}

TriangleMesh surface_in(const fs::path& file)
{
    const std::variant<TetMesh, Surface> mesh = read_any(file);
    if (const Surface* surface = std::get_if<Surface>(&mesh)) return triangulated(*surface);
    const TetMesh& tets = std::get<TetMesh>(mesh);
    return {tets.nodes, boundary_triangles(tets.tets)};
}

} // namespace

PictureParts picture_parts(const TriangleMesh& surface)
{
    JoinedSets pieces(surface.nodes.size());
    for (const Triangle& t : surface.triangles) {
        pieces.join(t[0], t[1]);
        pieces.join(t[0], t[2]);
    }
    // A soup of triangles, as .stl files hold it, is one body all the same.
    const std::vector<Index> first = first_at_same_place(surface.nodes);
    for (std::size_t i = 0; i < first.size(); ++i) pieces.join(static_cast<Index>(i), first[i]);

    PictureParts parts;
    std::vector<Index> body_of(surface.nodes.size(), -1), number(surface.nodes.size(), -1);
    for (const Triangle& t : surface.triangles) {
        Index& body = body_of[static_cast<std::size_t>(pieces.root(t[0]))];
        if (body < 0) {
            body = static_cast<Index>(parts.bodies.size());
            parts.bodies.emplace_back();
            parts.vertices.emplace_back();
        }
        std::vector<Index>& vertices = parts.vertices[static_cast<std::size_t>(body)];
        Triangle own;
        for (std::size_t k = 0; k < 3; ++k) {
            Index& n = number[static_cast<std::size_t>(t[k])];
            if (n < 0) {
                n = static_cast<Index>(vertices.size());
                vertices.push_back(t[k]);
            }
            own[k] = n;
        }
        parts.bodies[static_cast<std::size_t>(body)].triangles.push_back(own);
    }
    const std::vector<std::vector<Vec3>> rest = parts.gathered(surface.nodes);
    for (std::size_t b = 0; b < rest.size(); ++b) parts.bodies[b].positions = rest[b];
    return parts;
}

std::vector<std::vector<Vec3>> PictureParts::gathered(const std::vector<Vec3>& positions) const
{
    std::vector<std::vector<Vec3>> all;
    for (const std::vector<Index>& own : vertices) {
        std::vector<Vec3>& body = all.emplace_back();
        for (const Index i : own) body.push_back(positions[static_cast<std::size_t>(i)]);
    }
    return all;
}

Image run_picture(const TriangleMesh& surface, const std::vector<double>& times,
    const std::vector<std::vector<Vec3>>& positions, const RunPictureOptions& options)
{
    PictureParts parts = picture_parts(surface);
    for (PictureBody& body : parts.bodies) body.edges = options.picture.edges;
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < times.size(); ++i) moments.push_back({times[i], parts.gathered(positions[i]), {}});
    PictureOptions picture = options.picture;
    picture.camera.up = options.up;
    return moments_picture(parts.bodies, moments, picture, {.title = options.title});
}

RunFrames run_frames(const fs::path& run_directory, int most, const std::vector<double>& all_times)
{
    std::vector<FrameFile> frames = collected_frames(run_directory);
    if (frames.empty()) frames = obj_frames(run_directory, all_times);
    if (frames.empty()) {
        throw InputError(Mistake{.file = run_directory.string(), .message = "has no frames to draw"});
    }
    RunFrames out;
    for (const FrameFile& frame : spread(frames, most)) {
        TriangleMesh shown = surface_in(frame.file);
        if (out.positions.empty()) out.surface = shown;
        if (shown.nodes.size() != out.surface.nodes.size()) {
            throw InputError(Mistake{.file = frame.file.string(),
                .message = fmt::format(
                    "has {} vertices, the first frame has {}", shown.nodes.size(), out.surface.nodes.size())});
        }
        out.times.push_back(frame.time);
        out.positions.push_back(std::move(shown.nodes));
    }
    return out;
}

Image run_picture(const fs::path& run_directory, const RunPictureOptions& options, const std::vector<double>& all_times)
{
    const RunFrames frames = run_frames(run_directory, options.moments, all_times);
    return run_picture(frames.surface, frames.times, frames.positions, options);
}

} // namespace rubato
