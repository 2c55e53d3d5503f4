#include "geometry/mesher/working_mesh.hpp"

#include <algorithm>

namespace rubato::mesher {

WorkingMesh::WorkingMesh(std::vector<Vec3> nodes, const std::vector<Tet>& mesh_tets)
    : x(std::move(nodes))
    , hold(x.size(), Hold::interior)
    , crease(x.size())
    , frozen(x.size(), 0)
    , stars_(x.size())
{
    tets_.reserve(mesh_tets.size());
    for (const Tet& t : mesh_tets) add(t);
}

double WorkingMesh::volume_of(Index e) const
{
    const Tet& t = tets_[e];
    return det_of_edges(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) / 6;
}

double WorkingMesh::worst_of(const std::vector<Index>& some_tets) const
{
    double worst = 2;
    for (const Index e : some_tets) worst = std::min(worst, shapes_[e]);
    return worst;
}

void WorkingMesh::add(const Tet& t)
{
    Index e = static_cast<Index>(tets_.size());
    if (unused_.empty()) {
        tets_.push_back(t);
        shapes_.push_back(shape_of(t));
    } else {
        e = unused_.back();
        unused_.pop_back();
        tets_[e] = t;
        shapes_[e] = shape_of(t);
    }
    for (const Index v : t) stars_[v].push_back(e);
}

void WorkingMesh::remove(Index e)
{
    for (const Index v : tets_[e]) {
        auto& s = stars_[v];
        s.erase(std::find(s.begin(), s.end(), e));
    }
    tets_[e] = {-1, -1, -1, -1};
    shapes_[e] = 2;
    unused_.push_back(e);
}

void WorkingMesh::move(Index v, const Vec3& place)
{
    x[v] = place;
    for (const Index e : stars_[v]) shapes_[e] = shape_of(tets_[e]);
}

bool WorkingMesh::has(Index e, Index v) const
{
    const Tet& t = tets_[e];
    return t[0] == v || t[1] == v || t[2] == v || t[3] == v;
}

bool WorkingMesh::has_edge(Index a, Index b) const
{
    return std::any_of(stars_[a].begin(), stars_[a].end(), [&](Index e) { return has(e, b); });
}

std::vector<Index> WorkingMesh::tets_at_edge(Index a, Index b) const
{
    std::vector<Index> found;
    for (const Index e : stars_[a]) {
        if (has(e, b)) found.push_back(e);
    }
    return found;
}

Index WorkingMesh::across(Index e, int corner) const
{
    const Tet& t = tets_[e];
    const Index a = t[(corner + 1) % 4], b = t[(corner + 2) % 4], c = t[(corner + 3) % 4];
    for (const Index o : stars_[a]) {
        if (o != e && has(o, b) && has(o, c)) return o;
    }
    return -1;
}

std::vector<std::pair<Index, Index>> WorkingMesh::fan(Index v) const
{
    // Each face at v is given by the edge opposite v: outward seen from one tetrahedron, inward from its neighbour.
    struct Side {
        Index low, high;
        bool flipped;
    };
    std::vector<Side> sides;
    sides.reserve(3 * stars_[v].size());
    for (const Index e : stars_[v]) {
        const Tet& t = tets_[e];
        int k = 0;
        while (t[k] != v) ++k;
        const Index b = t[corners_after[k][0]], c = t[corners_after[k][1]], d = t[corners_after[k][2]];
        // (v, b, c, d) positive: outward faces at v are (v, c, b), (v, d, c), (v, b, d)
        for (const auto& [p, q] : {std::pair{c, b}, std::pair{d, c}, std::pair{b, d}}) {
            sides.push_back({std::min(p, q), std::max(p, q), p > q});
        }
    }
    std::sort(sides.begin(), sides.end(),
        [](const Side& a, const Side& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
    std::vector<std::pair<Index, Index>> out;
    for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
        while (j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high) ++j;
        if (j - i == 1) {
            const Side& s = sides[i];
            out.push_back(s.flipped ? std::pair{s.high, s.low} : std::pair{s.low, s.high});
        }
    }
    return out;
}

Vec3 WorkingMesh::normal(Index v) const
{
    Vec3 n = Vec3::Zero();
    for (const auto& [a, b] : fan(v)) n += (x[a] - x[v]).cross(x[b] - x[v]);
    const double l = n.norm();
    return l > 0 ? (n / l).eval() : Vec3::Zero().eval();
}

WorkingMesh::Ring WorkingMesh::ring(Index a, Index b) const
{
    struct Link {
        Index from, to;
    };
    std::vector<Link> links;
    for (const Index e : stars_[a]) {
        if (!has(e, b)) continue;
        const Tet& t = tets_[e];
        int k = 0;
        while (t[k] != a) ++k;
        Index o[3] = {t[corners_after[k][0]], t[corners_after[k][1]],
            t[corners_after[k][2]]}; // cyclic turns keep the orientation
        while (o[0] != b) {
            const Index first = o[0];
            o[0] = o[1], o[1] = o[2], o[2] = first;
        }
        links.push_back({o[1], o[2]});
    }
    Ring r;
    if (links.empty()) return r;
    // the start of an open fan is the one node that no link leads to
    Index start = links[0].from;
    for (const Link& l : links) {
        if (std::none_of(links.begin(), links.end(), [&](const Link& m) { return m.to == l.from; })) start = l.from;
    }
    Index at = start;
    r.nodes.push_back(at);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto next = std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.from == at; });
        if (next == links.end()) return {};
        at = next->to;
        if (at == start) {
            r.closed = i + 1 == links.size();
            return r.closed ? r : Ring{};
        }
        r.nodes.push_back(at);
    }
    return r;
}

} // namespace rubato::mesher
