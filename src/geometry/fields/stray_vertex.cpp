#include "geometry/surface_check.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

namespace rubato {

namespace {

constexpr double slender = 20; ///< times the width of its foot: so much longer is a spike that no mesh can fill

/// The box of all corners of triangles but one; and of those that share a triangle with it.
struct Around {
    Bounds others, neighbours;
    double nearest = std::numeric_limits<double>::infinity(); ///< neighbour [m]
};

void enlarge(Bounds& box, const Vec3& x)
{
    box.low = box.low.cwiseMin(x);
    box.high = box.high.cwiseMax(x);
}

Around around(const TriangleMesh& mesh, Index vertex)
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    const Bounds nothing{Vec3::Constant(inf), Vec3::Constant(-inf)};
    Around a{.others = nothing, .neighbours = nothing};
    const auto at = [&](Index i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(i)]; };
    for (const Triangle& t : mesh.triangles) {
        const bool touches = t[0] == vertex || t[1] == vertex || t[2] == vertex;
        for (const Index i : t) {
            if (i == vertex) continue;
            enlarge(a.others, at(i));
            if (!touches) continue;
            enlarge(a.neighbours, at(i));
            a.nearest = std::min(a.nearest, (at(i) - at(vertex)).norm());
        }
    }
    return a;
}

/// The corners of triangles that touch the sides of their box: at most one for each side.
std::set<Index> outermost(const TriangleMesh& mesh)
{
    std::array<Index, 6> found;
    found.fill(-1);
    const auto at = [&](Index i, int axis) { return mesh.nodes[static_cast<std::size_t>(i)][axis]; };
    for (const Triangle& t : mesh.triangles) {
        for (const Index i : t) {
            for (int axis = 0; axis < 3; ++axis) {
                Index& low = found[static_cast<std::size_t>(2 * axis)];
                Index& high = found[static_cast<std::size_t>(2 * axis + 1)];
                if (low < 0 || at(i, axis) < at(low, axis)) low = i;
                if (high < 0 || at(i, axis) > at(high, axis)) high = i;
            }
        }
    }
    return {found.begin(), found.end()};
}

} // namespace

std::optional<std::string> stray_vertex(const TriangleMesh& mesh)
{
    for (const Index vertex : outermost(mesh)) {
        if (vertex < 0) continue;
        const Around a = around(mesh, vertex);
        const double rest = a.others.diagonal(), foot = a.neighbours.diagonal();
        // A cone of such a shape is one as a whole: its foot is as wide as all of the rest.
        if (!(a.nearest > rest && a.nearest > slender * foot && rest > 4 * foot)) continue;
        const Vec3& x = mesh.nodes[static_cast<std::size_t>(vertex)];
        return fmt::format("one vertex, at [{:.6g}, {:.6g}, {:.6g}] m, lies {:.3g} m from its neighbours, and the rest "
                           "of the surface is {:.3g} m across: move it to where it belongs, or remove it",
            x.x(), x.y(), x.z(), a.nearest, rest);
    }
    return std::nullopt;
}

} // namespace rubato
