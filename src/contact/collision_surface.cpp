#include "contact/collision_surface.hpp"

#include "contact/flat_faces.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace rubato {

namespace {

using std::numbers::pi;

/// The points and edges that a part already has, to be found by their nodes.
class PartNumbers {
public:
    PartNumbers(CollisionSurface& surface, Index part)
        : surface_(surface)
        , part_(part)
    {
        bool& begun = surface.parts[static_cast<std::size_t>(part)].begun;
        if (!std::exchange(begun, true)) return; // looking through all parts for each would take their square
        for (std::size_t i = 0; i < surface.points.size(); ++i) {
            if (surface.point_part[i] == part) points_.emplace(surface.points[i], static_cast<Index>(i));
        }
        for (std::size_t i = 0; i < surface.edges.size(); ++i) {
            if (surface.edge_part[i] == part) edges_.emplace(key(surface.edges[i]), static_cast<Index>(i));
        }
    }

    /// The point of the part at this node, made if there is none.
    Index point(Index node)
    {
        const auto [place, made] = points_.try_emplace(node, static_cast<Index>(surface_.points.size()));
        if (made) {
            surface_.points.push_back(node);
            surface_.point_part.push_back(part_);
            surface_.point_area.push_back(0);
            surface_.point_alone.push_back(1);
        }
        return place->second;
    }

    /// The edge of the part between two nodes, made if there is none.
    Index edge(Index a, Index b, const Vector& X)
    {
        const Edge nodes{std::min(a, b), std::max(a, b)};
        const auto [place, made] = edges_.try_emplace(key(nodes), static_cast<Index>(surface_.edges.size()));
        if (made) {
            surface_.edges.push_back(nodes);
            surface_.edge_part.push_back(part_);
            surface_.edge_length.push_back((node(X, b) - node(X, a)).norm());
            surface_.edge_alone.push_back(1);
            surface_.edge_inner.push_back(0);
            for (const Index end : nodes) surface_.point_alone[point(end)] = 0;
        }
        return place->second;
    }

private:
    static std::int64_t key(const Edge& e) { return (static_cast<std::int64_t>(e[0]) << 32) + e[1]; }

    CollisionSurface& surface_;
    Index part_;
    std::unordered_map<Index, Index> points_;
    std::unordered_map<std::int64_t, Index> edges_;
};

/// The most that faces with these area vectors show to one side [m^2].
double shown_area(const std::vector<Vec3>& around)
{
    double most = 0;
    for (const Vec3& facing : around) {
        const Vec3 n = facing.normalized();
        double sum = 0;
        for (const Vec3& face : around) sum += std::max(0.0, n.dot(face));
        most = std::max(most, sum);
    }
    return most;
}

/// A thing of no thickness still wants to be pushed.
double or_one(double area) { return area > 0 ? area : 1; }

} // namespace

Index CollisionSurface::add_part(CollisionPart part)
{
    parts.push_back(std::move(part));
    return static_cast<Index>(parts.size()) - 1;
}

void CollisionSurface::add_faces(Index part, const std::vector<Triangle>& added, const Vector& X)
{
    PartNumbers numbers(*this, part);
    // Area vectors of the added faces at each point, from the first one that they touch on.
    std::vector<std::vector<Vec3>> around;
    std::size_t first = points.size();
    for (const Triangle& face : added) {
        for (const Index corner : face) first = std::min(first, static_cast<std::size_t>(numbers.point(corner)));
    }
    for (const Triangle& face : added) {
        const Vec3 a = node(X, face[0]);
        const Vec3 area = (node(X, face[1]) - a).cross(node(X, face[2]) - a) / 2;
        for (const Index corner : face) {
            const auto point = static_cast<std::size_t>(numbers.point(corner));
            if (point - first >= around.size()) around.resize(point - first + 1);
            around[point - first].push_back(area);
        }
        for (int k = 0; k < 3; ++k) edge_alone[numbers.edge(face[k], face[(k + 1) % 3], X)] = 0;
        faces.push_back(face);
        face_part.push_back(part);
        face_area.push_back(area.norm());
        flat_face.push_back(-1);
    }
    for (std::size_t i = 0; i < around.size(); ++i) point_area[first + i] += shown_area(around[i]) / 3;
}

void CollisionSurface::join_flat_faces(Index part, const Vector& X)
{
    std::size_t first = faces.size(); // of this part, whose faces were added last
    while (first > 0 && face_part[first - 1] == part) --first;
    const std::vector<Triangle> own(faces.begin() + static_cast<std::ptrdiff_t>(first), faces.end());
    const std::vector<Index> polygon = flat_faces(own, X);
    struct Sum {
        double area = 0;
        int pieces = 0;
        Index number = -1; // that of its first piece: another one for each polygon of the surface
    };
    std::map<Index, Sum> sums;
    std::map<std::pair<Index, Index>, int> met; // how many pieces, by polygon and edge
    PartNumbers numbers(*this, part);
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (polygon[k] < 0) continue;
        Sum& sum = sums[polygon[k]];
        if (sum.pieces == 0) sum.number = static_cast<Index>(first + k);
        flat_face[first + k] = sum.number;
        sum.area += face_area[first + k];
        ++sum.pieces;
        for (std::size_t c = 0; c < 3; ++c) {
            const Index edge = numbers.edge(own[k][c], own[k][(c + 1) % 3], X);
            if (++met[{polygon[k], edge}] == 2) edge_inner[edge] = 1;
        }
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (polygon[k] < 0) continue;
        const Sum& sum = sums.at(polygon[k]);
        face_area[first + k] = sum.area / sum.pieces;
    }
}

void CollisionSurface::add_curve(Index part, const std::vector<Edge>& added, const Vector& X)
{
    PartNumbers numbers(*this, part);
    const double circumference = 2 * pi * parts[part].radius;
    for (const auto& [a, b] : added) {
        const std::size_t known = edges.size();
        const Index edge = numbers.edge(a, b, X);
        if (edges.size() == known) continue; // it is there already, and has given its area
        for (const Index end : {a, b}) point_area[numbers.point(end)] += edge_length[edge] / 2 * circumference;
    }
    for (const auto& ends : added) {
        for (const Index end : ends) {
            double& area = point_area[numbers.point(end)];
            area = or_one(area);
        }
    }
}

void CollisionSurface::add_point(Index part, Index node)
{
    const bool begun = std::exchange(parts[static_cast<std::size_t>(part)].begun, true);
    for (std::size_t i = 0; begun && i < points.size(); ++i) {
        if (points[i] == node && point_part[i] == part) return;
    }
    const double radius = parts[part].radius;
    points.push_back(node);
    point_part.push_back(part);
    point_area.push_back(or_one(4 * pi * radius * radius));
    point_alone.push_back(1);
}

} // namespace rubato
