#include "geometry/mesher/smoothing.hpp"

#include <algorithm>

/// Optimisation-based smoothing (Freitag and Ollivier-Gooch 1997): the worst shape at a node is a minimum of smooth
/// functions of its place; the steepest way up is the shortest vector in the hull of the slopes of those near the
/// minimum. What the surface forbids is taken out of the slopes first; a step off the surface is led back onto it.
namespace rubato::mesher {

namespace {

constexpr double off_surface = 0.2; // of an edge: how far the middle of a boundary triangle may get from the surface

struct Opposite {
    Vec3 b, c, d; ///< the face opposite the node; (node, b, c, d) is positive
};

double worst_at(const std::vector<Opposite>& faces, const Vec3& p)
{
    double worst = 2;
    for (const Opposite& o : faces) worst = std::min(worst, tet_shape(p, o.b, o.c, o.d));
    return worst;
}

/// The shortest vector in the convex hull of the slopes of all shapes within `band` of the worst (Gilbert's method).
Vec3 way_up(const std::vector<ShapeAndSlope>& shapes, double worst, double band)
{
    std::vector<Vec3> slopes;
    Vec3 d = Vec3::Zero();
    double lowest = 2;
    for (const ShapeAndSlope& s : shapes) {
        if (s.shape <= worst + band) slopes.push_back(s.slope);
        if (s.shape < lowest) lowest = s.shape, d = s.slope;
    }
    for (int i = 0; i < 30; ++i) {
        double least = INFINITY;
        const Vec3* support = nullptr;
        for (const Vec3& g : slopes) {
            if (g.dot(d) < least) least = g.dot(d), support = &g;
        }
        const double d2 = d.squaredNorm();
        if (support == nullptr || least >= 0.98 * d2) break;
        const Vec3 e = *support - d;
        d += std::clamp(-d.dot(e) / e.squaredNorm(), 0.0, 1.0) * e;
    }
    return d;
}

} // namespace

std::optional<Vec3> onto_crease(const ZeroSet& surface, const Vec3& p, Crease& crease)
{
    const double off = 0.12 * surface.length();
    Vec3 at = p;
    Crease c = crease;
    for (int i = 0; i < 2; ++i) {
        const Vec3 t = c.n1.cross(c.n2);
        if (t.squaredNorm() < 0.05) return std::nullopt;
        // away from the edge, within each side
        Vec3 u1 = t.cross(c.n1).normalized(), u2 = t.cross(c.n2).normalized();
        if ((u1.dot(c.n2) < 0) != c.convex) u1 = -u1;
        if ((u2.dot(c.n1) < 0) != c.convex) u2 = -u2;
        const auto a = surface.along(at + off * u1, c.n1, 4 * off);
        const auto b = surface.along(at + off * u2, c.n2, 4 * off);
        if (!a || !b) return std::nullopt;
        c.n1 = surface.normal(*a);
        c.n2 = surface.normal(*b);
        const double cosine = c.n1.dot(c.n2);
        if (std::abs(cosine) > 0.95) return std::nullopt;
        // at + s n1 + t n2 in both planes
        const double r1 = c.n1.dot(*a - at), r2 = c.n2.dot(*b - at), det = 1 - cosine * cosine;
        at += (r1 - cosine * r2) / det * c.n1 + (r2 - cosine * r1) / det * c.n2;
    }
    if ((at - p).norm() > 0.7 * surface.length() || std::abs(surface.value(at)) > 0.03 * surface.length()) {
        return std::nullopt;
    }
    crease = c;
    return at;
}

bool smooth(WorkingMesh& mesh, const ZeroSet& surface, Index v)
{
    const Hold hold = mesh.hold[v];
    const auto& star = mesh.star(v);
    if (hold == Hold::corner || mesh.frozen[v] || star.empty()) return false;
    std::vector<Opposite> faces;
    double reach = INFINITY; // a step should not jump over the nearest node
    for (const Index e : star) {
        const Tet& t = mesh.tet(e);
        int k = 0;
        while (t[k] != v) ++k;
        faces.push_back(
            {mesh.x[t[corners_after[k][0]]], mesh.x[t[corners_after[k][1]]], mesh.x[t[corners_after[k][2]]]});
        const Opposite& o = faces.back();
        for (const Vec3* p : {&o.b, &o.c, &o.d}) reach = std::min(reach, (*p - mesh.x[v]).norm());
    }
    const Vec3 normal = hold == Hold::surface ? mesh.normal(v) : Vec3::Zero().eval();
    const auto fan = hold == Hold::surface ? mesh.fan(v) : std::vector<std::pair<Index, Index>>{};
    Vec3 tangent = Vec3::Zero();
    Crease crease = mesh.crease[v];
    if (hold == Hold::crease) tangent = crease.n1.cross(crease.n2).normalized();

    Vec3 at = mesh.x[v];
    double worst = worst_at(faces, at);
    const double start = worst;
    std::vector<ShapeAndSlope> shapes(faces.size());

    const auto held = [&](const Vec3& p) -> std::optional<Vec3> {
        if (hold == Hold::surface) return surface.along(p, normal, 0.5 * surface.length());
        if (hold == Hold::crease) return onto_crease(surface, p, crease);
        return p;
    };
    // A node may slide where its triangles leave the surface, over an edge or beside a gap: not farther than they were.
    const auto stays_near = [&](const Vec3& p) {
        for (const auto& [a, b] : fan) {
            const Vec3 rest = mesh.x[a] + mesh.x[b];
            const double off = std::abs(surface.value((p + rest) / 3));
            if (off > off_surface * surface.length() && off > std::abs(surface.value((at + rest) / 3))) return false;
        }
        return true;
    };
    for (int round = 0; round < 5; ++round) {
        if (worst <= 0) break; // no slopes for what is inverted
        for (std::size_t i = 0; i < faces.size(); ++i) {
            const Opposite& o = faces[i];
            shapes[i] = tet_shape_and_slope(at, o.b, o.c, o.d);
            Vec3& g = shapes[i].slope;
            if (hold == Hold::surface) g -= g.dot(normal) * normal;
            if (hold == Hold::crease) g = g.dot(tangent) * tangent;
        }
        const Vec3 d = way_up(shapes, worst, 0.1 * worst);
        const double rate = d.squaredNorm();
        if (std::sqrt(rate) * reach < 0.02 * worst) break;
        // up to where another tetrahedron becomes the worst, if shapes were linear
        double s = 0.4 * reach / std::sqrt(rate);
        for (const ShapeAndSlope& q : shapes) {
            const double other = q.slope.dot(d);
            if (other < rate && q.shape > worst * 1.1) s = std::min(s, (q.shape - worst) / (rate - other));
        }
        bool moved = false;
        for (int half = 0; half < 4 && !moved; ++half, s *= 0.4) {
            const Vec3 trial = at + s * d;
            const double gained = worst + std::max(0.003 * worst, 1e-5);
            if (worst_at(faces, trial) < gained) continue; // before the surface is asked, which costs more
            const auto place = held(trial);
            if (!place) continue;
            const double w = worst_at(faces, *place);
            if (w < gained || !stays_near(*place)) continue;
            at = *place;
            worst = w;
            moved = true;
        }
        if (!moved) break;
    }
    if (!(worst > start)) return false;
    mesh.move(v, at);
    if (hold == Hold::crease) mesh.crease[v] = crease;
    return true;
}

} // namespace rubato::mesher
