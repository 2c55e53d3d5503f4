#include "geometry/mesher/creases.hpp"

#include "base/parallel.hpp"
#include "geometry/mesher/smoothing.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <optional>

/// A boundary edge whose ends have different normals is halved along the surface, always keeping the half whose ends
/// differ more. On a rounded surface the difference melts away; across a sharp edge it stays. Then the planes of both
/// ends meet in the sharp edge (as in dual contouring: Ju, Losasso, Schaefer, Warren 2002), and the nearer end of the
/// boundary edge moves there. Where the planes around a node meet in a point, that is a corner.
namespace rubato::mesher {

namespace {

constexpr double sharp_cosine = 0.82; // 35 degrees
constexpr double bent_cosine = 0.966; // 15 degrees
constexpr double usable_degrees = 4; // what smoothing can mend

struct Crossing {
    Index a = 0, b = 0; ///< ends of the boundary edge
    bool found = false;
    Vec3 place = Vec3::Zero();
    Vec3 pa = Vec3::Zero(), pb = Vec3::Zero(); ///< points on both sides
    Crease crease; ///< n1 on the side of a
};

void find_crossing(const ZeroSet& surface, const Vec3& xa, Vec3 na, const Vec3& xb, Vec3 nb, Crossing& c)
{
    Vec3 pa = xa, pb = xb;
    const double span = (xb - xa).norm();
    for (int i = 0; i < 5; ++i) {
        const Vec3 n = na + nb;
        if (n.norm() < 0.2) return;
        const auto m = surface.along((pa + pb) / 2, n.normalized(), span);
        if (!m) return;
        const Vec3 nm = surface.normal(*m);
        if (nm.dot(na) > nm.dot(nb)) {
            pa = *m, na = nm;
        } else {
            pb = *m, nb = nm;
        }
        if (na.dot(nb) > sharp_cosine) return;
    }
    const double cosine = na.dot(nb), det = 1 - cosine * cosine;
    if (det < 0.1) return; // a fold rather than an edge
    const Vec3 mid = (pa + pb) / 2;
    const double ra = na.dot(pa - mid), rb = nb.dot(pb - mid);
    c.place = mid + (ra - cosine * rb) / det * na + (rb - cosine * ra) / det * nb;
    if (std::abs(surface.value(c.place)) > 0.03 * surface.length()) return;
    c.found = true;
    c.pa = pa, c.pb = pb;
    c.crease = {na, nb, (pb - pa).dot(na) < 0};
}

std::vector<Crossing> crossings(const WorkingMesh& mesh, const ZeroSet& surface)
{
    std::vector<Crossing> out;
    std::vector<Index> ends;
    for (Index v = 0; v < static_cast<Index>(mesh.x.size()); ++v) {
        if (mesh.hold[v] != Hold::surface || mesh.star(v).empty()) continue;
        // A sharp edge nearby bends the mesh too; where it is smooth the field need not be asked.
        const auto fan = mesh.fan(v);
        const Vec3 n = mesh.normal(v);
        bool bent = false;
        for (const auto& [p, q] : fan) {
            const Vec3 m = (mesh.x[p] - mesh.x[v]).cross(mesh.x[q] - mesh.x[v]);
            bent = bent || m.dot(n) < bent_cosine * m.norm();
        }
        if (!bent) continue;
        for (const auto& [p, q] : fan) {
            if (mesh.hold[p] != Hold::surface) continue;
            Crossing c;
            c.a = std::min(v, p), c.b = std::max(v, p);
            out.push_back(c);
            ends.push_back(v), ends.push_back(p);
        }
    }
    const auto order = [](const Crossing& c, const Crossing& d) { return c.a != d.a ? c.a < d.a : c.b < d.b; };
    const auto same = [](const Crossing& c, const Crossing& d) { return c.a == d.a && c.b == d.b; };
    std::sort(out.begin(), out.end(), order);
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Vec3> normals(mesh.x.size(), Vec3::Zero());
    parallel_for(static_cast<Index>(ends.size()), [&](Index i) { normals[ends[i]] = surface.normal(mesh.x[ends[i]]); });
    parallel_for(
        static_cast<Index>(out.size()),
        [&](Index i) {
            Crossing& c = out[i];
            if (normals[c.a].dot(normals[c.b]) > sharp_cosine) return;
            find_crossing(surface, mesh.x[c.a], normals[c.a], mesh.x[c.b], normals[c.b], c);
        },
        8);
    out.erase(std::remove_if(out.begin(), out.end(), [](const Crossing& c) { return !c.found; }), out.end());
    return out;
}

struct Placing {
    double distance;
    Index node;
    Vec3 place;
    Crease crease;
    bool corner;
    Index other; ///< the other end of the boundary edge
};

using Plane = std::pair<Vec3, Vec3>; ///< a point and the normal

/// Of planes that face the same way the first.
void add_plane(std::vector<Plane>& planes, const Vec3& p, const Vec3& n)
{
    const auto alike = [&](const Plane& q) { return q.second.dot(n) > 0.9; };
    if (std::none_of(planes.begin(), planes.end(), alike)) planes.push_back({p, n});
}

/// Where planes near a place meet in a point, if they do.
std::optional<Vec3> corner_near(const ZeroSet& surface, const Vec3& x, const std::vector<Plane>& planes)
{
    if (planes.size() < 3) return std::nullopt;
    Mat3 A = Mat3::Zero();
    Vec3 r = Vec3::Zero();
    for (const auto& [p, n] : planes) {
        A += n * n.transpose();
        r += n * n.dot(p - x);
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
    if (eigen.eigenvalues()[0] < 0.15) return std::nullopt;
    const Vec3 place = x + A.ldlt().solve(r);
    if ((place - x).norm() > 1.1 * surface.length()) return std::nullopt;
    if (std::abs(surface.value(place)) > 0.03 * surface.length()) return std::nullopt;
    return place;
}

bool put(WorkingMesh& mesh, Index v, const Vec3& place)
{
    if (mesh.frozen[v]) return false;
    const Vec3 old = mesh.x[v];
    const double before = mesh.worst_of(mesh.star(v));
    mesh.move(v, place);
    if (mesh.worst_of(mesh.star(v)) > std::min(before, shape_of_angle(usable_degrees))) return true;
    mesh.move(v, old);
    return false;
}

std::vector<Vec3> corners_of(const WorkingMesh& mesh)
{
    std::vector<Vec3> corners;
    for (std::size_t v = 0; v < mesh.x.size(); ++v) {
        if (mesh.hold[v] == Hold::corner) corners.push_back(mesh.x[v]);
    }
    return corners;
}

bool is_taken(const std::vector<Vec3>& corners, const Vec3& place, double length)
{
    return std::any_of(
        corners.begin(), corners.end(), [&](const Vec3& c) { return (c - place).norm() < 0.4 * length; });
}

/// Nodes on creases that run into each other move to the corner, if no other node holds it yet.
Index place_at_corners(WorkingMesh& mesh, const ZeroSet& surface)
{
    std::vector<Placing> placings;
    for (Index v = 0; v < static_cast<Index>(mesh.x.size()); ++v) {
        if (mesh.hold[v] != Hold::crease || mesh.star(v).empty()) continue;
        std::vector<Plane> planes;
        add_plane(planes, mesh.x[v], mesh.crease[v].n1);
        add_plane(planes, mesh.x[v], mesh.crease[v].n2);
        for (const auto& [w, q] : mesh.fan(v)) {
            if (mesh.hold[w] != Hold::crease) continue;
            add_plane(planes, mesh.x[w], mesh.crease[w].n1);
            add_plane(planes, mesh.x[w], mesh.crease[w].n2);
        }
        if (const auto place = corner_near(surface, mesh.x[v], planes)) {
            placings.push_back({(*place - mesh.x[v]).norm(), v, *place, {}, true, v});
        }
    }
    std::sort(placings.begin(), placings.end(), [](const Placing& p, const Placing& q) {
        return p.distance != q.distance ? p.distance < q.distance : p.node < q.node;
    });
    std::vector<Vec3> corners = corners_of(mesh);
    Index moved = 0;
    for (const Placing& p : placings) {
        if (is_taken(corners, p.place, surface.length()) || !put(mesh, p.node, p.place)) continue;
        corners.push_back(p.place);
        mesh.hold[p.node] = Hold::corner;
        ++moved;
    }
    return moved;
}

} // namespace

Index place_on_creases(WorkingMesh& mesh, const ZeroSet& surface)
{
    Index moved = place_at_corners(mesh, surface);
    const std::vector<Crossing> all = crossings(mesh, surface);
    std::vector<std::vector<const Crossing*>> at(mesh.x.size());
    for (const Crossing& c : all) at[c.a].push_back(&c), at[c.b].push_back(&c);

    std::vector<Placing> placings;
    for (Index v = 0; v < static_cast<Index>(at.size()); ++v) {
        if (at[v].empty()) continue;
        std::vector<const Crossing*> near = at[v];
        for (const Crossing* c : at[v]) {
            const Index other = c->a == v ? c->b : c->a;
            near.insert(near.end(), at[other].begin(), at[other].end());
        }
        std::vector<Plane> planes;
        for (const Crossing* c : near) {
            add_plane(planes, c->pa, c->crease.n1);
            add_plane(planes, c->pb, c->crease.n2);
        }
        if (const auto corner = corner_near(surface, mesh.x[v], planes)) {
            placings.push_back({(*corner - mesh.x[v]).norm(), v, *corner, {}, true, v});
        }
    }
    for (const Crossing& c : all) {
        for (const Index v : {c.a, c.b}) {
            // foot of the node on the line where the planes meet
            const Vec3 t = c.crease.n1.cross(c.crease.n2).normalized();
            const Vec3 foot = c.place + t * t.dot(mesh.x[v] - c.place);
            placings.push_back({(foot - mesh.x[v]).norm(), v, foot, c.crease, false, v == c.a ? c.b : c.a});
        }
    }
    std::sort(placings.begin(), placings.end(), [](const Placing& p, const Placing& q) {
        if (p.corner != q.corner) return p.corner;
        if (p.distance != q.distance) return p.distance < q.distance;
        return p.node != q.node ? p.node < q.node : p.other < q.other;
    });

    std::vector<Vec3> corners = corners_of(mesh);
    for (const Placing& p : placings) {
        if (mesh.hold[p.node] != Hold::surface) continue;
        if (p.corner) {
            if (is_taken(corners, p.place, surface.length()) || !put(mesh, p.node, p.place)) continue;
            corners.push_back(p.place);
            mesh.hold[p.node] = Hold::corner;
            ++moved;
            continue;
        }
        if (mesh.hold[p.other] != Hold::surface) continue; // this crossing is settled
        if (p.distance > 0.8 * surface.length()) continue;
        Crease crease = p.crease;
        const auto place = onto_crease(surface, p.place, crease);
        if (!place) continue;
        if (!put(mesh, p.node, *place)) continue;
        mesh.hold[p.node] = Hold::crease;
        mesh.crease[p.node] = crease;
        ++moved;
    }
    return moved;
}

} // namespace rubato::mesher
