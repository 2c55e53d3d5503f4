/// Lines in three directions, each on a grid across the body: the volume is the length of all lines inside times the
/// area that each stands for, and a surface of area A is met A <|n . d|> times per area, about A / 2 (Cauchy and
/// Crofton). Along a line the field's value says how far it is safe to step, so that thin walls are not stepped over.

#include "geometry/mesher/body_size.hpp"

#include "base/parallel.hpp"
#include "geometry/mesher/zero_set.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <vector>

namespace rubato::mesher {

namespace {

constexpr int lines_per_direction = 1024;
constexpr int most_steps = 500;
constexpr double least_step = 1e-5; // of the diagonal

struct Line {
    double inside = 0; ///< length [m]
    int crossed = 0;
};

Line line_through(const ZeroSet& surface, const Vec3& from, const Vec3& d, double length, double least)
{
    Line line;
    double t = 0, f = surface.value(from);
    for (int i = 0; i < most_steps && t < length; ++i) {
        const double step = std::min(std::max(std::abs(f) / surface.field().steepness(), least), length - t);
        const double next = surface.value(from + (t + step) * d);
        if ((next < 0) != (f < 0)) {
            const double part = f == next ? 0.5 : std::clamp(f / (f - next), 0.0, 1.0);
            line.inside += step * (f < 0 ? part : 1 - part);
            ++line.crossed;
        } else if (f < 0) {
            line.inside += step;
        }
        t += step;
        f = next;
        if (step <= 0) break;
    }
    return line;
}

} // namespace

BodySize body_size(const SignedField& field)
{
    const Bounds box = field.bounds();
    const double diagonal = box.diagonal();
    const ZeroSet surface(field, diagonal);
    Vec3 longest = Vec3::Zero();
    int axis = 0;
    box.size().maxCoeff(&axis);
    longest[axis] = 1;

    // Three directions at right angles, none of them along the faces that bodies like to have.
    const Vec3 d1 = Vec3(0.67, 0.58, 0.46).normalized(), d2 = d1.cross(Vec3(0.3, -0.8, 0.52)).normalized();
    BodySize size;
    for (const Vec3& d : {d1, d2, d1.cross(d2).eval()}) {
        const Vec3 u = (longest - longest.dot(d) * d).normalized(), v = d.cross(u);
        // the box seen along d
        const Vec3 half = box.size() / 2;
        const double wu = half.dot(u.cwiseAbs()), wv = half.dot(v.cwiseAbs()), wd = half.dot(d.cwiseAbs());
        const double aspect = std::sqrt(std::clamp(wu / std::max(wv, 1e-300), 1e-3, 1e3));
        const int nu = std::max(2, static_cast<int>(std::sqrt(lines_per_direction) * aspect));
        const int nv = std::max(2, lines_per_direction / nu);
        std::vector<Line> lines(static_cast<std::size_t>(nu) * nv);
        parallel_for(static_cast<Index>(lines.size()), [&](Index i) {
            // each row is shifted by another part of a cell, so that no row of lines runs along a wall
            const double shift = std::fmod(0.618 * (i / nu), 1.0);
            const double a = (2 * (i % nu + shift) / nu - 1) * wu, b = (2 * (i / nu + 0.5) / nv - 1) * wv;
            const double way = 1.01 * wd + 1e-3 * diagonal;
            lines[i] = line_through(surface, box.center() + a * u + b * v - way * d, d, 2 * way, least_step * diagonal);
        });
        const double cell = 4 * wu * wv / (nu * nv);
        for (const Line& l : lines) {
            size.volume += cell * l.inside / 3;
            size.area += 2 * cell * l.crossed / 3;
        }
    }
    return size;
}

} // namespace rubato::mesher
