#include "contact/flat_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace rubato {

namespace {

constexpr double same_direction = 1 - 1e-10; // cosine between normals of one plane: files may hold single precision
constexpr double flat_enough = 1e-6; // height above the plane, relative to the size
constexpr double whole = 1e-6; // area by which the convex hull may differ, relative

using Point = std::array<double, 2>;

double turn(const Point& a, const Point& b, const Point& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// By monotone chains (Andrew 1979).
double hull_area(std::vector<Point> points)
{
    std::sort(points.begin(), points.end());
    std::vector<Point> hull;
    const auto add_chain = [&](auto begin, auto end) {
        const std::size_t before = hull.size();
        for (auto p = begin; p != end; ++p) {
            while (hull.size() >= before + 2 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0) hull.pop_back();
            hull.push_back(*p);
        }
        hull.pop_back(); // the other chain begins with it
    };
    add_chain(points.begin(), points.end());
    add_chain(points.rbegin(), points.rend());
    double twice = 0;
    for (std::size_t i = 1; i + 1 < hull.size(); ++i) twice += turn(hull[0], hull[i], hull[i + 1]);
    return twice / 2;
}

/// The triangles of a surface, and which of them meet at an edge that no third one shares, and that they run through in
/// opposite directions: of two in one plane, which then lie on either side of it.
struct Faces {
    Faces(const std::vector<Triangle>& list, const Vector& X)
        : faces(list)
        , x(X)
        , neighbours(list.size())
    {
        struct Use {
            std::size_t face;
            bool upwards; ///< from the lower node to the higher one
        };
        std::map<std::pair<Index, Index>, std::vector<Use>> around;
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const Vec3 a = node(x, faces[i][0]);
            area.push_back((Vec3(node(x, faces[i][1])) - a).cross(Vec3(node(x, faces[i][2])) - a) / 2);
            for (std::size_t k = 0; k < 3; ++k) {
                const Index from = faces[i][k], to = faces[i][(k + 1) % 3];
                around[std::minmax(from, to)].push_back({i, from < to});
            }
        }
        for (const auto& [edge, both] : around) {
            if (both.size() != 2 || both[0].upwards == both[1].upwards) continue;
            neighbours[both[0].face].push_back(both[1].face);
            neighbours[both[1].face].push_back(both[0].face);
        }
    }

    /// Whether these triangles, whose normals agree, are a convex polygon.
    bool convex(const std::vector<std::size_t>& some) const
    {
        const Vec3 n = area[some[0]].normalized(), o = node(x, faces[some[0]][0]);
        const Vec3 e = (Vec3(node(x, faces[some[0]][1])) - o).normalized(), f = n.cross(e);
        std::vector<Point> points;
        double sum = 0, highest = 0, size = 0;
        for (const std::size_t i : some) {
            sum += area[i].dot(n);
            for (const Index corner : faces[i]) {
                const Vec3 r = Vec3(node(x, corner)) - o;
                points.push_back({e.dot(r), f.dot(r)});
                highest = std::max(highest, std::abs(n.dot(r)));
                size = std::max(size, r.norm());
            }
        }
        // Less than the hull where there is a gap or a notch, more where triangles lie upon each other.
        return highest <= flat_enough * size && std::abs(hull_area(std::move(points)) - sum) <= whole * sum;
    }

    const std::vector<Triangle>& faces;
    const Vector& x;
    std::vector<Vec3> area; ///< vectors [m^2]
    std::vector<std::vector<std::size_t>> neighbours;
};

} // namespace

std::vector<Index> flat_faces(const std::vector<Triangle>& faces, const Vector& X)
{
    const Faces all(faces, X);
    std::vector<Index> number(faces.size(), -1);
    std::vector<char> seen(faces.size(), 0);
    Index polygons = 0;
    for (std::size_t first = 0; first < faces.size(); ++first) {
        if (seen[first] != 0 || !(all.area[first].norm() > 0)) continue;
        std::vector<std::size_t> piece{first};
        seen[first] = 1;
        const Vec3 n = all.area[first].normalized();
        for (std::size_t k = 0; k < piece.size(); ++k) {
            for (const std::size_t next : all.neighbours[piece[k]]) {
                if (seen[next] != 0 || !(all.area[next].dot(n) >= same_direction * all.area[next].norm())) continue;
                seen[next] = 1;
                piece.push_back(next);
            }
        }
        if (piece.size() < 2 || !all.convex(piece)) continue;
        for (const std::size_t i : piece) number[i] = polygons;
        ++polygons;
    }
    return number;
}

} // namespace rubato
