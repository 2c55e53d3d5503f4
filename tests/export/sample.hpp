#pragma once

#include "geometry/files/write_obj.hpp"
#include "geometry/files/writing.hpp"
#include "record/fixture.hpp"
#include "record/frame_file_writer.hpp"

#include <cmath>

/// A small run that has all that makes exports hard: odd names, quads with texture coordinates and materials beside
/// triangles without, an obstacle that stands still, tetrahedra, times at unequal distances, z up.
namespace rubato::test {

inline const char* const cube_name = "W\xC3\xBCrfel \"A\"/b <&> 1";
inline const char* const tet_name = "../../etc/pass wd";
inline const char* const ground_name = "ground";
inline const std::vector<double> sample_times{0, 1.0 / 30, 2.0 / 30, 0.15, 0.15 + 1.0 / 30, 0.3}; ///< [s]

inline Surface sample_surface()
{
    Surface s;
    s.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, // cube
        {2.3, 0, 0.1}, {3.1, 0.2, 0.1}, {2.5, 0.9, 0.1}, {2.6, 0.4, 1.3}, // tetrahedron
        {-4, -4, -1}, {6, -4, -1}, {6, 5, -1}, {-4, 5, -1}}; // ground
    const std::vector<std::vector<Index>> polygons{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6},
        {3, 0, 4, 7}, {8, 10, 9}, {8, 9, 11}, {9, 10, 11}, {10, 8, 11}, {12, 13, 14, 15}};
    s.polygons = {0};
    for (const auto& polygon : polygons) {
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            s.corners.push_back(polygon[k]);
            s.corner_texture.push_back(polygon[0] < 8 && polygon.size() == 4 ? static_cast<Index>(k) : -1);
        }
        s.polygons.push_back(static_cast<Index>(s.corners.size()));
    }
    s.texture = {{0.1, 0.2}, {0.9, 0.2}, {0.9, 0.7}, {0.1, 0.7}};
    // The tetrahedron has no object's name; the body's has to do.
    s.parts = {{0, cube_name, "", "red paint"}, {2, cube_name, "sides", "Glas/blau"}, {6, "", "", ""},
        {10, ground_name, "", ""}};
    return s;
}

inline FrameFileParts sample_parts()
{
    FrameFileParts parts;
    const Surface surface = sample_surface();
    parts.header = {.program = "1.2.3",
        .scene = "odd things",
        .integrator = "bdf2",
        .step = 1.0 / 120,
        .up = Vec3::UnitZ(),
        .ground = -1.0,
        .points = 16,
        .triangles = 18,
        .bodies = {{cube_name, false, 0, 8, 0, 12}, {tet_name, false, 8, 4, 12, 4}, {ground_name, true, 12, 4, 16, 2}},
        .fields = {{"position", "m", 3}, {"velocity", "m/s", 3}, {"stress", "Pa", 1}, {"contact", "N", 1}},
        .nodes = 5,
        .tetrahedra = 2,
        .node_fields = {{"position", "m", 3}, {"velocity", "m/s", 3}}};
    parts.surface = obj_bytes("surface", surface, coordinates(surface.vertices));
    parts.triangles = triangulated(surface).triangles;
    for (const Vec3& v : surface.vertices)
        for (const double c : v) parts.rest.push_back(static_cast<float>(c));
    parts.tetrahedra = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    parts.node_rest = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    return parts;
}

/// Where a point that rests at X is at time t, and how fast: something that turns, swells and flies.
inline Vec3 sample_place(const Vec3& X, double t)
{
    const Eigen::AngleAxisd turn(7 * t, Vec3(1, 2, 3).normalized());
    return turn * ((1 + 0.1 * std::sin(20 * t + X.x())) * X) + Vec3(3 * t, -t, 2 * t - 5 * t * t);
}

inline void append_sample(FrameFileWriter& writer, const FrameFileParts& parts, double t, std::int64_t step)
{
    FrameMoment& moment = writer.next();
    moment.time = t;
    moment.step = step;
    const auto fill = [&](const std::vector<float>& rest, std::size_t moving, std::vector<float>& values) {
        std::vector<float> speeds;
        values.clear();
        for (std::size_t i = 0; i < rest.size() / 3; ++i) {
            const Vec3 X(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]);
            const double e = 1e-5;
            const Vec3 x = i < moving ? sample_place(X, t) : X;
            const Vec3 v
                = i < moving ? Vec3((sample_place(X, t + e) - sample_place(X, t - e)) / (2 * e)) : Vec3::Zero();
            for (int c = 0; c < 3; ++c) {
                values.push_back(static_cast<float>(x[c]));
                speeds.push_back(static_cast<float>(v[c]));
            }
        }
        values.insert(values.end(), speeds.begin(), speeds.end());
    };
    fill(parts.rest, 12, moment.points);
    for (int i = 0; i < 16; ++i) moment.points.push_back(static_cast<float>(1000.1 * i + 17 * t)); // stress
    for (int i = 0; i < 16; ++i) moment.points.push_back(static_cast<float>(0.3 * i)); // contact
    fill(parts.node_rest, 5, moment.nodes);
    writer.append();
}

/// Writes the run as frames.rbt in the folder.
inline std::filesystem::path sample_file(const std::filesystem::path& folder,
    const FrameFileParts& parts = sample_parts(), const std::vector<double>& times = sample_times)
{
    const auto file = folder / "frames.rbt";
    FrameFileWriter writer;
    writer.create(file, parts);
    for (std::size_t i = 0; i < times.size(); ++i) append_sample(writer, parts, times[i], static_cast<std::int64_t>(i));
    writer.close();
    return file;
}

inline constexpr double sample_size = 14; ///< [m]: what 1e-6 of the scene is counted in

} // namespace rubato::test
