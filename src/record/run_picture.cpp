#include "record/run_picture.hpp"

#include "base/errors.hpp"
#include "base/joined_sets.hpp"
#include "geometry/same_place.hpp"
#include "record/frame_file.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace fs = std::filesystem;

namespace {

std::vector<Vec3> vectors(std::span<const float> coordinates)
{
    std::vector<Vec3> points(coordinates.size() / 3);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = Vec3(coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]);
    return points;
}

FrameReader opened(const fs::path& run_directory)
{
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(run_directory / "frames.rbt", ignored))) {
        throw InputError(Mistake{.file = run_directory.string(), .message = "has no frames to draw: no frames.rbt"});
    }
    FrameReader reader(run_directory / "frames.rbt");
    if (reader.count() == 0) throw InputError(Mistake{.file = reader.file().string(), .message = "holds no frames"});
    return reader;
}

RunFrames frames_of(FrameReader& reader, const std::vector<std::size_t>& numbers)
{
    RunFrames out;
    for (const std::size_t number : numbers) {
        const Frame frame = reader.frame(number);
        out.times.push_back(frame.time);
        out.positions.push_back(
            vectors(frame.field(reader.header().fields, static_cast<std::size_t>(reader.header().points), "position")));
    }
    out.surface = {out.positions.front(), reader.triangles()};
    return out;
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
    for (std::size_t i = 0; i < times.size(); ++i)
        moments.push_back({times[i], parts.gathered(positions[i]), {},
            i < options.chosen.size() ? options.chosen[i].words : std::string()});
    PictureOptions picture = options.picture;
    picture.camera.up = options.up;
    return moments_picture(parts.bodies, moments, picture, {.title = options.title});
}

RunFrames run_frames(const fs::path& run_directory, int most)
{
    FrameReader reader = opened(run_directory);
    const std::size_t count = std::min(reader.count(), static_cast<std::size_t>(std::max(most, 1)));
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count; ++i)
        numbers.push_back(count == 1 ? reader.count() - 1 : i * (reader.count() - 1) / (count - 1));
    return frames_of(reader, numbers);
}

RunFrames run_frames(const fs::path& run_directory, const std::vector<TellingMoment>& moments)
{
    FrameReader reader = opened(run_directory);
    std::vector<std::size_t> numbers;
    for (const TellingMoment& moment : moments) {
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < reader.count(); ++i) {
            if (std::abs(reader.time(i) - moment.time) < std::abs(reader.time(nearest) - moment.time)) nearest = i;
        }
        numbers.push_back(nearest);
    }
    return frames_of(reader, numbers);
}

Image run_picture(const fs::path& run_directory, const RunPictureOptions& options)
{
    const RunFrames frames = options.chosen.empty() ? run_frames(run_directory, options.moments)
                                                    : run_frames(run_directory, options.chosen);
    return run_picture(frames.surface, frames.times, frames.positions, options);
}

} // namespace rubato
