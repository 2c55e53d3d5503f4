#include "geometry/fields/triangle_crossing.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

using TriangleCorners = TriangleTree::Corners;
using Point = Eigen::Vector2d;

constexpr double tolerance = 1e-12; ///< of the size of the triangles
constexpr int most_partners = 64; ///< of one triangle that are looked for
constexpr std::int64_t most_pairs = 100'000; ///< then the search stops

double longest_edge(const TriangleCorners& t)
{
    return std::sqrt(std::max({(t.b - t.a).squaredNorm(), (t.c - t.b).squaredNorm(), (t.a - t.c).squaredNorm()}));
}

/// Heights of the corners of s over the plane of t, times twice the area of t; 0 below the noise.
Vec3 heights(const TriangleCorners& t, const Vec3& normal, double size, const TriangleCorners& s)
{
    Vec3 h{normal.dot(s.a - t.a), normal.dot(s.b - t.a), normal.dot(s.c - t.a)};
    for (double& x : h) {
        if (std::abs(x) <= tolerance * size * size * size) x = 0;
    }
    return h;
}

/// The piece of the common line inside a triangle, by the coordinate x of its corners along that line.
struct Interval {
    double low, high;
};
Interval interval(const Vec3& h, const Vec3& x)
{
    Interval cut{TriangleTree::inf, -TriangleTree::inf};
    auto add = [&](double y) { cut = {std::min(cut.low, y), std::max(cut.high, y)}; };
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (h[i] == 0) add(x[i]);
        if (h[i] * h[j] < 0) add(x[i] + (x[j] - x[i]) * (h[i] / (h[i] - h[j])));
    }
    return cut;
}

double cross(const Point& u, const Point& v) { return u.x() * v.y() - u.y() * v.x(); }

/// Area that two triangles in one plane have in common: one is clipped by the sides of the other.
double common_area(const std::array<Point, 3>& t, const std::array<Point, 3>& s)
{
    std::vector<Point> rest(s.begin(), s.end());
    const double sense = cross(t[1] - t[0], t[2] - t[0]) > 0 ? 1 : -1;
    for (int i = 0; i < 3 && !rest.empty(); ++i) {
        const Point& from = t[i];
        const Point side = t[(i + 1) % 3] - from;
        std::vector<Point> clipped;
        for (std::size_t k = 0; k < rest.size(); ++k) {
            const Point& p = rest[k];
            const Point& q = rest[(k + 1) % rest.size()];
            const double hp = sense * cross(side, p - from);
            const double hq = sense * cross(side, q - from);
            if (hp >= 0) clipped.push_back(p);
            if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) clipped.push_back(p + (q - p) * (hp / (hp - hq)));
        }
        rest = std::move(clipped);
    }
    double area = 0;
    for (std::size_t k = 2; k < rest.size(); ++k) area += cross(rest[k - 1] - rest[0], rest[k] - rest[0]) / 2;
    return std::abs(area);
}

bool overlap_in_plane(const TriangleCorners& t, const TriangleCorners& s, const Vec3& normal)
{
    int drop = 0;
    normal.cwiseAbs().maxCoeff(&drop);
    auto flat = [&](const Vec3& p) { return Point(p[(drop + 1) % 3], p[(drop + 2) % 3]); };
    const std::array<Point, 3> u{flat(t.a), flat(t.b), flat(t.c)};
    const std::array<Point, 3> v{flat(s.a), flat(s.b), flat(s.c)};
    const double smaller
        = std::min(std::abs(cross(u[1] - u[0], u[2] - u[0])), std::abs(cross(v[1] - v[0], v[2] - v[0])));
    return common_area(u, v) > 1e-9 * smaller;
}

} // namespace

bool triangles_cross(const TriangleCorners& t, const TriangleCorners& s)
{
    const double size = std::max({longest_edge(t), longest_edge(s)});
    const Vec3 normal_t = (t.b - t.a).cross(t.c - t.a);
    const Vec3 normal_s = (s.b - s.a).cross(s.c - s.a);
    if (normal_t.norm() <= tolerance * size * size || normal_s.norm() <= tolerance * size * size) return false;

    const Vec3 hs = heights(t, normal_t, size, s);
    if (hs.minCoeff() > 0 || hs.maxCoeff() < 0) return false;
    const Vec3 ht = heights(s, normal_s, size, t);
    if (ht.minCoeff() > 0 || ht.maxCoeff() < 0) return false;
    if (hs.isZero(0) || ht.isZero(0)) return overlap_in_plane(t, s, normal_t);

    auto goes_through = [](const Vec3& h) { return h.minCoeff() < 0 && h.maxCoeff() > 0; };
    if (!goes_through(hs) && !goes_through(ht)) return false;

    const Vec3 direction = normal_t.cross(normal_s).normalized();
    auto along = [&](const TriangleCorners& c) -> Vec3 {
        return {direction.dot(c.a - t.a), direction.dot(c.b - t.a), direction.dot(c.c - t.a)};
    };
    const Interval a = interval(ht, along(t));
    const Interval b = interval(hs, along(s));
    return std::min(a.high, b.high) - std::max(a.low, b.low) > 1e-9 * size;
}

Crossings crossings(const TriangleMesh& mesh, std::size_t most_listed)
{
    const TriangleTree tree(mesh);
    const auto n = static_cast<Index>(mesh.triangles.size());
    auto corners = [&](Index i) {
        const auto& [a, b, c] = mesh.triangles[i];
        return TriangleCorners{mesh.nodes[a], mesh.nodes[b], mesh.nodes[c]};
    };
    auto same_corners = [](const TriangleCorners& t, const TriangleCorners& s) {
        auto has = [&](const Vec3& p) { return p == s.a || p == s.b || p == s.c; };
        return has(t.a) && has(t.b) && has(t.c);
    };

    // In blocks of fixed size, so that where the search stops does not depend on the number of threads.
    Crossings found;
    constexpr Index block = 4096;
    std::vector<std::vector<Index>> partners;
    for (Index begin = 0; begin < n; begin += block) {
        const Index count = std::min(block, n - begin);
        partners.assign(static_cast<std::size_t>(count), {});
        parallel_for(count, [&](Index k) {
            const Index i = begin + k;
            const TriangleCorners t = corners(i);
            const Bounds box{t.a.cwiseMin(t.b).cwiseMin(t.c), t.a.cwiseMax(t.b).cwiseMax(t.c)};
            tree.for_touching(box, [&](Index j) {
                if (j <= i) return true;
                const TriangleCorners s = corners(j);
                if (!same_corners(t, s) && triangles_cross(t, s)) partners[k].push_back(j);
                return partners[k].size() < most_partners;
            });
            std::sort(partners[k].begin(), partners[k].end());
        });
        for (Index k = 0; k < count; ++k) {
            found.is_a_lower_bound |= partners[k].size() >= most_partners;
            found.count += static_cast<std::int64_t>(partners[k].size());
            for (const Index j : partners[k]) {
                if (found.first.size() < most_listed) found.first.push_back({begin + k, j});
            }
        }
        if (found.count >= most_pairs && begin + count < n) {
            found.is_a_lower_bound = true;
            break;
        }
    }
    return found;
}

} // namespace rubato
