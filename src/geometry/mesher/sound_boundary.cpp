#include "geometry/mesher/sound_boundary.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace rubato::mesher {

namespace {

/// Neighbours across faces: beyond[4 e + k] lies across the face opposite corner k, -1 for none.
std::vector<Index> face_neighbours(const std::vector<Tet>& tets)
{
    struct Side {
        std::array<Index, 3> nodes;
        Index place;
    };
    std::vector<Side> sides;
    sides.reserve(4 * tets.size());
    for (Index e = 0; e < static_cast<Index>(tets.size()); ++e) {
        for (int k = 0; k < 4; ++k) {
            std::array<Index, 3> f = {tets[e][(k + 1) % 4], tets[e][(k + 2) % 4], tets[e][(k + 3) % 4]};
            std::sort(f.begin(), f.end());
            sides.push_back({f, 4 * e + k});
        }
    }
    std::sort(sides.begin(), sides.end(),
        [](const Side& a, const Side& b) { return a.nodes != b.nodes ? a.nodes < b.nodes : a.place < b.place; });
    std::vector<Index> beyond(4 * tets.size(), -1);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        if (sides[i].nodes != sides[i + 1].nodes) continue;
        beyond[sides[i].place] = sides[i + 1].place / 4;
        beyond[sides[i + 1].place] = sides[i].place / 4;
    }
    return beyond;
}

double volume_of(const std::vector<Vec3>& x, const Tet& t)
{
    return det_of_edges(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) / 6;
}

/// The tetrahedra of `group` (at one node or edge) fall into parts that hang together by faces holding `a` and `b`.
/// All but the largest part are marked. `b` may equal `a`.
void mark_smaller_parts(const std::vector<Vec3>& x, const std::vector<Tet>& tets, const std::vector<Index>& beyond,
    const std::vector<Index>& group, Index a, Index b, std::vector<char>& marked)
{
    std::vector<int> part(group.size(), -1);
    std::vector<double> volumes;
    for (std::size_t seed = 0; seed < group.size(); ++seed) {
        if (part[seed] >= 0) continue;
        const int p = static_cast<int>(volumes.size());
        volumes.push_back(0);
        std::vector<std::size_t> stack = {seed};
        part[seed] = p;
        while (!stack.empty()) {
            const std::size_t i = stack.back();
            stack.pop_back();
            const Index e = group[i];
            volumes[p] += volume_of(x, tets[e]);
            for (int k = 0; k < 4; ++k) {
                const Index o = beyond[4 * e + k];
                if (o < 0 || tets[e][k] == a || tets[e][k] == b) continue;
                const auto at = std::find(group.begin(), group.end(), o);
                if (at == group.end() || part[at - group.begin()] >= 0) continue;
                part[at - group.begin()] = p;
                stack.push_back(static_cast<std::size_t>(at - group.begin()));
            }
        }
    }
    if (volumes.size() < 2) return;
    const int largest = static_cast<int>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (part[i] != largest) marked[group[i]] = 1;
    }
}

/// The open faces at node v fall into fans, each joined edge by edge. Where there are several although the tetrahedra
/// hang together (their opposite faces form a ring rather than a disc), the shortest row of tetrahedra from the first
/// fan to another is marked: without it the ring is open.
void mark_way_between_fans(const std::vector<Tet>& tets, const std::vector<Index>& beyond,
    const std::vector<Index>& group, Index v, std::vector<char>& marked)
{
    struct Open {
        std::size_t tet; ///< place in the group
        std::array<Index, 2> rim; ///< the corners of the face other than v
        int fan;
    };
    std::vector<Open> open;
    for (std::size_t i = 0; i < group.size(); ++i) {
        const Tet& t = tets[group[i]];
        for (int k = 0; k < 4; ++k) {
            if (t[k] == v || beyond[4 * group[i] + k] >= 0) continue;
            Open o{i, {}, -1};
            int n = 0;
            for (const Index w : t) {
                if (w != v && w != t[k]) o.rim[n++] = w;
            }
            open.push_back(o);
        }
    }
    int fans = 0;
    for (Open& seed : open) {
        if (seed.fan >= 0) continue;
        seed.fan = fans++;
        for (bool grown = true; grown;) {
            grown = false;
            for (Open& o : open) {
                if (o.fan >= 0) continue;
                for (const Open& p : open) {
                    if (p.fan != seed.fan) continue;
                    if (o.rim[0] != p.rim[0] && o.rim[0] != p.rim[1] && o.rim[1] != p.rim[0] && o.rim[1] != p.rim[1]) {
                        continue;
                    }
                    o.fan = seed.fan;
                    grown = true;
                    break;
                }
            }
        }
    }
    if (fans < 2) return;
    // breadth first from the tetrahedra of fan 0
    std::vector<char> goal(group.size(), 0);
    std::vector<std::size_t> queue, came(group.size(), group.size());
    for (const Open& o : open) {
        if (o.fan > 0) goal[o.tet] = 1;
        if (o.fan == 0 && came[o.tet] == group.size()) came[o.tet] = o.tet, queue.push_back(o.tet);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
        std::size_t i = queue[head];
        if (goal[i]) {
            for (; came[i] != i; i = came[i]) marked[group[i]] = 1;
            marked[group[i]] = 1;
            return;
        }
        for (int k = 0; k < 4; ++k) {
            const Index o = beyond[4 * group[i] + k];
            if (o < 0 || tets[group[i]][k] == v) continue;
            const auto at = static_cast<std::size_t>(std::find(group.begin(), group.end(), o) - group.begin());
            if (at < group.size() && came[at] == group.size()) came[at] = i, queue.push_back(at);
        }
    }
}

void drop_crumbs(const std::vector<Vec3>& x, std::vector<Tet>& tets, double crumb, Dropped& dropped)
{
    const auto beyond = face_neighbours(tets);
    std::vector<int> piece(tets.size(), -1);
    std::vector<double> volumes;
    for (Index seed = 0; seed < static_cast<Index>(tets.size()); ++seed) {
        if (piece[seed] >= 0) continue;
        const int p = static_cast<int>(volumes.size());
        volumes.push_back(0);
        std::vector<Index> stack = {seed};
        piece[seed] = p;
        while (!stack.empty()) {
            const Index e = stack.back();
            stack.pop_back();
            volumes[p] += volume_of(x, tets[e]);
            for (int k = 0; k < 4; ++k) {
                const Index o = beyond[4 * e + k];
                if (o >= 0 && piece[o] < 0) piece[o] = p, stack.push_back(o);
            }
        }
    }
    const double whole = std::accumulate(volumes.begin(), volumes.end(), 0.0);
    std::vector<Tet> kept;
    for (std::size_t e = 0; e < tets.size(); ++e) {
        if (volumes[piece[e]] >= crumb * whole) {
            kept.push_back(tets[e]);
        } else {
            dropped.places.push_back(x[tets[e][0]]);
        }
    }
    for (const double v : volumes) {
        if (v >= crumb * whole) continue;
        ++dropped.crumbs;
        dropped.volume += v;
    }
    tets = std::move(kept);
}

} // namespace

Dropped make_boundary_sound(const std::vector<Vec3>& nodes, std::vector<Tet>& tets, double crumb)
{
    Dropped dropped;
    while (true) {
        const auto beyond = face_neighbours(tets);
        std::vector<std::vector<Index>> stars(nodes.size()); // of boundary nodes
        std::vector<char> on_boundary(nodes.size(), 0);
        std::vector<std::array<Index, 2>> edges;
        for (Index e = 0; e < static_cast<Index>(tets.size()); ++e) {
            for (int k = 0; k < 4; ++k) {
                if (beyond[4 * e + k] >= 0) continue;
                for (int j = 1; j < 4; ++j) {
                    const Index v = tets[e][(k + j) % 4], w = tets[e][(k + j % 3 + 1) % 4];
                    on_boundary[v] = 1;
                    edges.push_back({std::min(v, w), std::max(v, w)});
                }
            }
        }
        for (Index e = 0; e < static_cast<Index>(tets.size()); ++e) {
            for (const Index v : tets[e]) {
                if (on_boundary[v]) stars[v].push_back(e);
            }
        }
        std::vector<char> marked(tets.size(), 0);
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
            while (j < edges.size() && edges[j] == edges[i]) ++j;
            if (j - i == 2) continue;
            std::vector<Index> group;
            for (const Index e : stars[edges[i][0]]) {
                if (std::find(tets[e].begin(), tets[e].end(), edges[i][1]) != tets[e].end()) group.push_back(e);
            }
            mark_smaller_parts(nodes, tets, beyond, group, edges[i][0], edges[i][1], marked);
        }
        if (std::find(marked.begin(), marked.end(), 1) == marked.end()) {
            for (Index v = 0; v < static_cast<Index>(nodes.size()); ++v) {
                if (!stars[v].empty()) mark_smaller_parts(nodes, tets, beyond, stars[v], v, v, marked);
            }
        }
        if (std::find(marked.begin(), marked.end(), 1) == marked.end()) {
            for (Index v = 0; v < static_cast<Index>(nodes.size()); ++v) {
                if (!stars[v].empty()) mark_way_between_fans(tets, beyond, stars[v], v, marked);
            }
        }
        std::vector<Tet> kept;
        for (std::size_t e = 0; e < tets.size(); ++e) {
            if (!marked[e]) {
                kept.push_back(tets[e]);
            } else {
                ++dropped.tets;
                dropped.places.push_back(nodes[tets[e][0]]);
                dropped.volume += volume_of(nodes, tets[e]);
            }
        }
        if (kept.size() == tets.size()) break;
        tets = std::move(kept);
    }
    drop_crumbs(nodes, tets, crumb, dropped);
    return dropped;
}

} // namespace rubato::mesher
