#include "geometry/thickness.hpp"

#include "base/parallel.hpp"
#include "geometry/triangle_tree.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>
#include <numeric>

namespace rubato {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rim = 1e-9; // of the weights: a ray through an edge must not slip between two triangles

Vec3 area_normal(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * (b - a).cross(c - a); }

/// Where the ray o + t d leaves the solid through a triangle; infinity if it does not (Möller and Trumbore 1997).
double exit_time(const Vec3& o, const Vec3& d, const TriangleTree::Corners& t)
{
    const Vec3 e = t.b - t.a, f = t.c - t.a, q = d.cross(f);
    const double along = e.dot(q); // -d . n, twice the area
    if (!(along < 0)) return infinity; // parallel, or the ray enters here
    const Vec3 r = o - t.a, s = r.cross(e);
    const double u = r.dot(q) / along, v = d.dot(s) / along, time = f.dot(s) / along;
    if (u < -rim || v < -rim || u + v > 1 + rim || !(time > 0)) return infinity;
    return time;
}

/// Whether the ray o + t d, 0 <= t < until, touches a box; `inverse` holds 1/d.
bool meets(const Vec3& o, const Vec3& inverse, double until, const TriangleTree::Node& box)
{
    double from = 0, to = until;
    for (int k = 0; k < 3; ++k) {
        double near = (box.low[k] - o[k]) * inverse[k], far = (box.high[k] - o[k]) * inverse[k];
        if (near > far) std::swap(near, far);
        if (near > from) from = near; // a NaN, 0 times infinity, changes nothing: the ray runs in that side of the box
        if (far < to) to = far;
    }
    return from <= to;
}

bool share_node(const Triangle& a, const Triangle& b)
{
    return std::any_of(a.begin(), a.end(), [&](Index i) { return std::find(b.begin(), b.end(), i) != b.end(); });
}

} // namespace

std::vector<double> thicknesses(const TriangleMesh& surface)
{
    const TriangleTree tree(surface);
    std::vector<double> thick(surface.triangles.size(), infinity);
    parallel_for(static_cast<Index>(surface.triangles.size()), [&](Index i) {
        const auto number = static_cast<std::size_t>(i);
        const Triangle& own = surface.triangles[number];
        const auto corner = [&](std::size_t k) { return surface.nodes[static_cast<std::size_t>(own[k])]; };
        const Vec3 n = area_normal(corner(0), corner(1), corner(2));
        if (!(n.norm() > 0)) return;
        const Vec3 o = (corner(0) + corner(1) + corner(2)) / 3, d = -n.normalized(), inverse = d.cwiseInverse();
        std::vector<Index> stack{0};
        while (!stack.empty()) {
            const TriangleTree::Node& box = tree.nodes()[static_cast<std::size_t>(stack.back())];
            stack.pop_back();
            if (!meets(o, inverse, thick[number], box)) continue;
            if (box.count == 0) {
                stack.push_back(box.first);
                stack.push_back(box.first + 1);
                continue;
            }
            for (Index k = box.first; k < box.first + box.count; ++k) {
                const auto at = static_cast<std::size_t>(k);
                const Triangle& other = surface.triangles[static_cast<std::size_t>(tree.triangles()[at])];
                if (share_node(own, other)) continue;
                thick[number] = std::min(thick[number], exit_time(o, d, tree.corners()[at]));
            }
        }
    });
    return thick;
}

double thinnest(const TriangleMesh& surface, double share)
{
    const std::vector<double> thick = thicknesses(surface);
    std::vector<double> area(thick.size());
    for (std::size_t i = 0; i < area.size(); ++i) {
        const auto corner
            = [&](std::size_t k) { return surface.nodes[static_cast<std::size_t>(surface.triangles[i][k])]; };
        area[i] = area_normal(corner(0), corner(1), corner(2)).norm();
    }
    std::vector<std::size_t> order(thick.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return thick[a] != thick[b] ? thick[a] < thick[b] : a < b; });
    double left = share * std::accumulate(area.begin(), area.end(), 0.0);
    for (const std::size_t i : order) {
        left -= area[i];
        if (left <= 0) return thick[i];
    }
    return infinity;
}

} // namespace rubato
