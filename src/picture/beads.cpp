#include "picture/beads.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr int around = 12; ///< corners of a circle

/// Unit vector of the circle in the plane of u and v.
Vec3 on_circle(const Vec3& u, const Vec3& v, int i)
{
    const double turn = 2 * std::numbers::pi * i / around;
    return std::cos(turn) * u + std::sin(turn) * v;
}

/// Two triangles between corners i and i + 1 of two rings that begin at those positions.
void add_band(PictureBody& body, Index low, Index high, int i)
{
    const Index next = (i + 1) % around;
    body.triangles.push_back({low + i, low + next, high + next});
    body.triangles.push_back({low + i, high + next, high + i});
}

} // namespace

PictureBody beads(const std::vector<Vec3>& points, double radius)
{
    PictureBody body;
    if (!(radius > 0)) return body;
    constexpr int rings = around / 2 - 1; // circles of latitude between the poles
    for (const Vec3& p : points) {
        const Index first = static_cast<Index>(body.positions.size());
        for (int r = 1; r <= rings; ++r) {
            const double latitude = std::numbers::pi * (static_cast<double>(r) / (rings + 1) - 0.5);
            for (int i = 0; i < around; ++i) {
                body.positions.push_back(p
                    + radius
                        * (std::cos(latitude) * on_circle(Vec3::UnitZ(), Vec3::UnitX(), i)
                            + std::sin(latitude) * Vec3::UnitY()));
            }
        }
        const Index south = first + rings * around, north = south + 1;
        body.positions.push_back(p - radius * Vec3::UnitY());
        body.positions.push_back(p + radius * Vec3::UnitY());
        for (int i = 0; i < around; ++i) {
            const Index next = (i + 1) % around, last = first + (rings - 1) * around;
            body.triangles.push_back({south, first + next, first + i});
            body.triangles.push_back({north, last + i, last + next});
            for (int r = 0; r + 1 < rings; ++r) add_band(body, first + r * around, first + (r + 1) * around, i);
        }
    }
    return body;
}

PictureBody rods(const std::vector<Vec3>& points, const std::vector<std::array<Index, 2>>& pairs, double radius)
{
    PictureBody body;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
        for (const Index end : pairs[k]) {
            if (end >= 0 && static_cast<std::size_t>(end) < points.size()) continue;
            throw InputError({.key = fmt::format("pairs[{}]", k),
                .value = fmt::format("{}", end),
                .message = fmt::format("there are {} points", points.size())});
        }
        const Vec3& a = points[static_cast<std::size_t>(pairs[k][0])];
        const Vec3& b = points[static_cast<std::size_t>(pairs[k][1])];
        const double length = (b - a).norm();
        if (!(length > 0) || !(radius > 0)) continue;
        const Vec3 along = (b - a) / length;
        const Vec3 other = std::abs(along.x()) < 0.8 ? Vec3::UnitX() : Vec3::UnitY();
        const Vec3 u = along.cross(other).normalized(), v = along.cross(u);
        const Index first = static_cast<Index>(body.positions.size());
        for (const Vec3& end : {a, b}) {
            for (int i = 0; i < around; ++i) body.positions.push_back(end + radius * on_circle(u, v, i));
        }
        body.positions.push_back(a);
        body.positions.push_back(b);
        const Index low = first, high = first + around, start = first + 2 * around, end = start + 1;
        for (int i = 0; i < around; ++i) {
            const Index next = (i + 1) % around;
            add_band(body, low, high, i);
            body.triangles.push_back({start, low + next, low + i});
            body.triangles.push_back({end, high + i, high + next});
        }
    }
    return body;
}

} // namespace rubato
