#include "geometry/mesher/remodelling.hpp"

#include <algorithm>

namespace rubato::mesher {

namespace {

constexpr int most_around_edge = 8;
constexpr double gain = 1.02; // what is not clearly better might be undone again

double cosine_between(const Vec3& n, const Vec3& m) { return n.dot(m) / std::sqrt(n.squaredNorm() * m.squaredNorm()); }

} // namespace

/// Whether the boundary triangles at edge ab, with c and d beyond, may become those at edge cd.
bool Remodelling::boundary_stays(Index a, Index b, Index c, Index d) const
{
    const auto& x = mesh_.x;
    const auto& hold = mesh_.hold;
    // (a, b, d) and (b, a, c) before, (c, d, a) and (d, c, b) after: normals of each pair on the same side
    const Vec3 old1 = (x[b] - x[a]).cross(x[d] - x[a]), old2 = (x[c] - x[a]).cross(x[b] - x[a]);
    const Vec3 new1 = (x[c] - x[a]).cross(x[d] - x[a]), new2 = (x[d] - x[b]).cross(x[c] - x[b]);
    const double before = cosine_between(old1, old2), after = cosine_between(new1, new2);
    if (std::min(cosine_between(new1, old1 + old2), cosine_between(new2, old1 + old2)) < 0.3) return false;
    const bool on_crease = hold[a] >= Hold::crease && hold[b] >= Hold::crease;
    if (on_crease && before < 0.94) return false;
    if (after < std::min(before, 0.85)) return false;
    const double off = std::abs(surface_.value((x[c] + x[d]) / 2));
    return off < 0.1 * surface_.length() || off <= std::abs(surface_.value((x[a] + x[b]) / 2));
}

bool Remodelling::remove_edge(Index a, Index b)
{
    const auto ring = mesh_.ring(a, b);
    const auto& p = ring.nodes;
    const int n = static_cast<int>(p.size());
    if (n < 2 || n > most_around_edge || (ring.closed && n < 3)) return false;
    const auto old = mesh_.tets_at_edge(a, b);
    const double before = mesh_.worst_of(old);

    if (!ring.closed) {
        const Index first = p.front(), last = p.back();
        for (const Index v : {a, b, first, last}) {
            if (mesh_.frozen[v]) return false;
        }
        if (n == 2) {
            const auto other = mesh_.ring(first, last);
            if (!other.closed || mesh_.star(a).size() < 2 || mesh_.star(b).size() < 2) return false;
        } else if (mesh_.has_edge(first, last)) {
            return false;
        }
    }

    // Klincsek's dynamic programme: best triangulation of the polygon p, each triangle making one tetrahedron with a
    // and one with b. best[i][j]: of the part from p_i to p_j; via[i][j]: its third corner.
    double best[most_around_edge][most_around_edge];
    int via[most_around_edge][most_around_edge] = {};
    for (int i = 0; i + 1 < n; ++i) best[i][i + 1] = 2;
    for (int span = 2; span < n; ++span) {
        for (int i = 0; i + span < n; ++i) {
            const int j = i + span;
            best[i][j] = -2;
            for (int k = i + 1; k < j; ++k) {
                double s = std::min(best[i][k], best[k][j]);
                if (s <= best[i][j] || s <= before) continue;
                s = std::min(s, mesh_.shape_of({a, p[i], p[k], p[j]}));
                if (s <= best[i][j] || s <= before) continue;
                s = std::min(s, mesh_.shape_of({b, p[i], p[j], p[k]}));
                if (s > best[i][j]) best[i][j] = s, via[i][j] = k;
            }
        }
    }
    if (n > 2 && !(best[0][n - 1] > before * gain && best[0][n - 1] > 0)) return false;
    if (!ring.closed && !boundary_stays(a, b, p.front(), p.back())) return false;

    if (n == 2) mesh_.dropped_volume += mesh_.volume_of(old[0]);
    for (const Index e : old) mesh_.remove(e);
    const auto build = [&](const auto& self, int i, int j) -> void {
        if (j - i < 2) return;
        const int k = via[i][j];
        mesh_.add({a, p[i], p[k], p[j]});
        mesh_.add({b, p[i], p[j], p[k]});
        self(self, i, k);
        self(self, k, j);
    };
    build(build, 0, n - 1);
    return true;
}

bool Remodelling::remove_face(Index e, int corner)
{
    const Index o = mesh_.across(e, corner);
    if (o < 0) return false;
    const Tet t = mesh_.tet(e);
    const Index a = t[corner];
    const Index p[3] = {t[corners_after[corner][0]], t[corners_after[corner][1]], t[corners_after[corner][2]]};
    Index b = -1;
    for (const Index v : mesh_.tet(o)) {
        if (v != p[0] && v != p[1] && v != p[2]) b = v;
    }
    const double before = std::min(mesh_.shape(e), mesh_.shape(o));
    Tet next[3];
    for (int k = 0; k < 3; ++k) {
        next[k] = {a, p[k], p[(k + 1) % 3], b}; // (a, p0, p1, p2) is positive and b lies beyond
        const double shape = mesh_.shape_of(next[k]);
        if (!(shape > before * gain && shape > 0)) return false;
    }
    if (mesh_.has_edge(a, b)) return false;
    mesh_.remove(e);
    mesh_.remove(o);
    for (const Tet& s : next) mesh_.add(s);
    return true;
}

bool Remodelling::contract(Index a, Index b)
{
    if (mesh_.hold[a] < mesh_.hold[b]) std::swap(a, b); // b goes
    const auto ring = mesh_.ring(a, b);
    if (ring.nodes.empty()) return false;
    const Hold ha = mesh_.hold[a], hb = mesh_.hold[b];
    if (hb == Hold::corner) return false;
    if (hb != Hold::interior && (mesh_.frozen[a] || mesh_.frozen[b])) return false;
    if (hb != Hold::interior && ring.closed) return false; // two boundary nodes joined through the inside
    if (hb == Hold::crease && ha == Hold::crease) {
        if (std::abs(
                mesh_.crease[a].n1.cross(mesh_.crease[a].n2).normalized().dot((mesh_.x[a] - mesh_.x[b]).normalized()))
            < 0.9) {
            return false;
        }
    }
    // only nodes of the ring may be joined to both, or tetrahedra would fold onto each other
    const auto neighbours = [&](Index v) {
        std::vector<Index> all;
        for (const Index e : mesh_.star(v)) {
            for (const Index w : mesh_.tet(e)) {
                if (w != v) all.push_back(w);
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    };
    const auto na = neighbours(a), nb = neighbours(b);
    std::vector<Index> common;
    std::set_intersection(na.begin(), na.end(), nb.begin(), nb.end(), std::back_inserter(common));
    if (common.size() != ring.nodes.size()) return false;
    // and a triangle beyond an edge of both must belong to a tetrahedron at the edge
    for (const Index e : mesh_.star(a)) {
        if (mesh_.has(e, b)) continue;
        for (int k = 0; k < 4; ++k) {
            const Tet& t = mesh_.tet(e);
            Index pair[3];
            int n = 0, shared = 0;
            for (const Index v : t) {
                if (v == a || v == t[k]) continue;
                pair[n++] = v;
                shared += std::binary_search(common.begin(), common.end(), v);
            }
            if (n != 2 || shared != 2 || t[k] == a) continue;
            bool at_b = false, at_edge = false;
            for (const Index o : mesh_.star(b)) {
                if (!mesh_.has(o, pair[0]) || !mesh_.has(o, pair[1])) continue;
                at_b = true;
                at_edge = at_edge || mesh_.has(o, a);
            }
            if (at_b && !at_edge) return false;
        }
    }
    if (hb != Hold::interior) { // the same on the boundary
        const auto rim = [&](Index v) {
            std::vector<Index> all;
            for (const auto& [p, q] : mesh_.fan(v)) all.push_back(p), all.push_back(q);
            std::sort(all.begin(), all.end());
            all.erase(std::unique(all.begin(), all.end()), all.end());
            return all;
        };
        const auto ra = rim(a), rb = rim(b);
        common.clear();
        std::set_intersection(ra.begin(), ra.end(), rb.begin(), rb.end(), std::back_inserter(common));
        if (common.size() != 2) return false;
    }

    std::vector<Vec3> places = {mesh_.x[a]};
    const Vec3 mid = (mesh_.x[a] + mesh_.x[b]) / 2;
    if (ha == Hold::interior) places.push_back(mid), places.push_back(mesh_.x[b]);
    if (ha == Hold::surface && hb == Hold::surface) {
        if (const auto m = surface_.along(mid, mesh_.normal(a), surface_.length() / 2)) places.push_back(*m);
        places.push_back(mesh_.x[b]);
    }
    const double before = std::min(mesh_.worst_of(mesh_.star(a)), mesh_.worst_of(mesh_.star(b)));
    double best = std::max(before * gain, 0.0);
    int chosen = -1;
    const Vec3 old_a = mesh_.x[a], old_b = mesh_.x[b];
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
        mesh_.x[a] = mesh_.x[b] = places[i];
        double worst = 2;
        for (const Index v : {a, b}) {
            for (const Index e : mesh_.star(v)) {
                if (worst > best && !(mesh_.has(e, a) && mesh_.has(e, b))) {
                    worst = std::min(worst, mesh_.shape_of(mesh_.tet(e)));
                }
            }
        }
        if (worst > best) best = worst, chosen = i;
    }
    mesh_.x[a] = old_a, mesh_.x[b] = old_b;
    if (chosen < 0) return false;
    if (hb != Hold::interior) {
        // the boundary triangles of b, once at a, must neither turn over nor cut a corner off
        for (const auto& [p, q] : mesh_.fan(b)) {
            if (p == a || q == a) continue;
            const Vec3 was = (mesh_.x[p] - old_b).cross(mesh_.x[q] - old_b);
            const Vec3 is = (mesh_.x[p] - places[chosen]).cross(mesh_.x[q] - places[chosen]);
            if (cosine_between(was, is) < 0.8) return false;
            const Vec3 middle = (mesh_.x[p] + mesh_.x[q] + places[chosen]) / 3;
            if (std::abs(surface_.value(middle)) > 0.15 * surface_.length()) return false;
        }
    }
    mesh_.x[a] = places[chosen];
    const std::vector<Index> around = mesh_.star(b);
    for (const Index e : around) {
        Tet t = mesh_.tet(e);
        const bool collapses = mesh_.has(e, a);
        mesh_.remove(e);
        if (collapses) continue;
        for (Index& v : t) v = v == b ? a : v;
        mesh_.add(t);
    }
    mesh_.move(a, places[chosen]);
    return true;
}

bool Remodelling::remove_tip(Index e)
{
    const Tet t = mesh_.tet(e);
    for (int k = 0; k < 4; ++k) {
        if (mesh_.star(t[k]).size() != 1 || mesh_.hold[t[k]] >= Hold::crease) continue;
        int open = 0;
        for (int j = 0; j < 4; ++j) open += mesh_.across(e, j) < 0;
        if (open != 3) return false;
        for (const Index v : t) {
            if (mesh_.frozen[v]) return false;
        }
        const auto& x = mesh_.x;
        const auto n = face_vectors(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
        const double height = det_of_edges(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) / n[k].norm();
        if (height > 0.3 * surface_.length()) return false;
        mesh_.dropped_volume += mesh_.volume_of(e);
        mesh_.remove(e);
        return true;
    }
    return false;
}

bool Remodelling::improve(Index e)
{
    const Tet t = mesh_.tet(e);
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            if (remove_edge(t[i], t[j])) return true;
        }
    }
    for (int i = 0; i < 4; ++i) {
        if (remove_face(e, i)) return true;
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            if (contract(t[i], t[j])) return true;
        }
    }
    return remove_tip(e);
}

} // namespace rubato::mesher
