#include "geometry/mesher/lattice.hpp"

#include "base/parallel.hpp"
#include "geometry/mesher/octree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato::mesher {

namespace {

constexpr double thin_part = 0.3; // of the shortest edge of a tetrahedron

std::uint64_t key_of(const LatticePoint& p)
{
    std::uint64_t key = 0;
    for (int a = 0; a < 3; ++a) key = key << 21 | static_cast<std::uint64_t>(p[a]);
    return key;
}

LatticePoint middle(const LatticePoint& p, const LatticePoint& q)
{
    return {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2};
}

LatticePoint corner(const Cell& c, int k)
{
    const std::int32_t length = 2 << c.level;
    return {(c.at[0] + (k & 1)) * length, (c.at[1] + (k >> 1 & 1)) * length, (c.at[2] + (k >> 2 & 1)) * length};
}

LatticePoint center(const Cell& c)
{
    const std::int32_t half = 1 << c.level;
    return {(2 * c.at[0] + 1) * half, (2 * c.at[1] + 1) * half, (2 * c.at[2] + 1) * half};
}

/// The tetrahedra of an octree, kind by kind, and the coarse leaves that the surface turns out to pass through.
class Filling {
public:
    Filling(const Octree& tree, const FlatMap& numbers, Lattice& lattice, const LatticeSizes& sizes, double edge)
        : tree_(tree)
        , numbers_(numbers)
        , lattice_(lattice)
        , sizes_(sizes)
        , edge_(edge)
    {
        lattice_.tets.clear();
        const auto& cells = tree.cells();
        for (Index i = 0; i < static_cast<Index>(cells.size()); ++i) {
            if (cells[i].state != Cell::leaf) continue;
            for (int axis = 0; axis < 3; ++axis) {
                for (int side = 0; side < 2; ++side) fill_face(i, axis, side);
            }
        }
    }

    /// Cells left out as outside beside a leaf that turns out to reach inside there; each once.
    std::vector<Index> left_out()
    {
        std::sort(left_out_.begin(), left_out_.end());
        left_out_.erase(std::unique(left_out_.begin(), left_out_.end()), left_out_.end());
        return left_out_;
    }

    /// Leaves above the level of the surface whose tetrahedra have corners of both signs; each once.
    std::vector<Index> too_coarse()
    {
        std::sort(too_coarse_.begin(), too_coarse_.end());
        too_coarse_.erase(std::unique(too_coarse_.begin(), too_coarse_.end()), too_coarse_.end());
        return too_coarse_;
    }

private:
    void fill_face(Index i, int axis, int side)
    {
        const Cell& c = tree_.cells()[i];
        CellPlace at = c.at;
        at[axis] += side ? 1 : -1;
        // corners of the shared face in a ring
        LatticePoint ring[4];
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, w = side << axis;
        const int offsets[4] = {0, u, u + v, v};
        for (int k = 0; k < 4; ++k) ring[k] = corner(c, w + offsets[k]);
        const LatticePoint mine = center(c), face_center = middle(ring[0], ring[2]);

        const Index beyond = tree_.covering(c.level, at);
        if (beyond >= 0 && tree_.cells()[beyond].state == Cell::outside) {
            bool inside = lattice_.values[numbers_.at(key_of(mine))] < 0;
            for (const LatticePoint& p : ring) inside = inside || lattice_.values[numbers_.at(key_of(p))] < 0;
            if (inside) left_out_.push_back(beyond);
            return;
        }
        const Index j = tree_.find(c.level, at);
        if (j >= 0) {
            const Cell& other = tree_.cells()[j];
            if (other.state == Cell::leaf && side == 1) {
                // two pyramids of equal cells, cut into four about the line of their centres
                for (int k = 0; k < 4; ++k) {
                    const LatticePoint &p = ring[k], &q = ring[(k + 1) % 4], m = middle(p, q);
                    if (c.level > 0 && numbers_.at(key_of(m)) >= 0) {
                        add({mine, center(other), p, m}, i, j);
                        add({mine, center(other), m, q}, i, j);
                    } else {
                        add({mine, center(other), p, q}, i, j);
                    }
                }
            } else if (other.state == Cell::split) {
                // finer cells beyond: eight quarters of the regular kind about the middle of the face
                for (int k = 0; k < 4; ++k) {
                    const LatticePoint &p = ring[k], &q = ring[(k + 1) % 4], m = middle(p, q);
                    add({mine, face_center, p, m}, i, i);
                    add({mine, face_center, m, q}, i, i);
                }
            }
            return;
        }
        // a coarser leaf beyond: the pyramid halved along the diagonal through the middle of the coarse face
        const CellPlace up = {at[0] >> 1, at[1] >> 1, at[2] >> 1};
        const Index parent = std::min({at[0], at[1], at[2]}) < 0 ? FlatMap::none : tree_.find(c.level + 1, up);
        if (parent < 0 || tree_.cells()[parent].state != Cell::leaf) return;
        const Cell& coarse = tree_.cells()[parent];
        for (int k = 0; k < 4; ++k) {
            // the middle of the coarse face is odd in both directions of the face, in units of fine cells
            LatticePoint p = ring[k];
            bool is_middle = true;
            for (int a = 0; a < 3; ++a) {
                if (a != axis) is_middle = is_middle && (p[a] / (2 << c.level) - 2 * coarse.at[a]) == 1;
            }
            if (!is_middle) continue;
            add({mine, ring[k], ring[(k + 1) % 4], ring[(k + 2) % 4]}, parent, parent);
            add({mine, ring[k], ring[(k + 2) % 4], ring[(k + 3) % 4]}, parent, parent);
        }
    }

    void add(const std::array<LatticePoint, 4>& p, Index owner, Index other_owner)
    {
        Tet t;
        int inside = 0, beyond = 0;
        for (int k = 0; k < 4; ++k) {
            t[k] = numbers_.at(key_of(p[k]));
            if (t[k] < 0) return; // beside a cell that was left out as outside
            (lattice_.values[t[k]] < 0 ? inside : beyond)++;
        }
        if (inside == 0) return;
        if (beyond > 0) {
            for (const Index o : {owner, other_owner}) {
                if (tree_.cells()[o].level > sizes_.finer_levels) too_coarse_.push_back(o);
            }
        }
        double e[3][3];
        for (int k = 0; k < 3; ++k) {
            for (int a = 0; a < 3; ++a) e[k][a] = p[k + 1][a] - p[0][a];
        }
        const double det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1])
            - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) + e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        if (det < 0) std::swap(t[2], t[3]);
        lattice_.tets.push_back(t);
        if (static_cast<double>(lattice_.tets.size()) > sizes_.most_tets) {
            throw TooFine(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge_),
                fmt::format("is too short for this body: at most {:.0f} tetrahedra are generated", sizes_.most_tets)});
        }
    }

    const Octree& tree_;
    const FlatMap& numbers_;
    Lattice& lattice_;
    const LatticeSizes& sizes_;
    double edge_; ///< as the user gave it, for messages [m]
    std::vector<Index> too_coarse_, left_out_;
};

} // namespace

LatticeMaker::LatticeMaker(const ZeroSet& surface, const LatticeSizes& sizes)
    : surface_(surface)
    , sizes_(sizes)
    , tree_(surface, sizes.cell / (1 << sizes.finer_levels), sizes.finer_levels,
          sizes.finer_levels + sizes.coarser_levels, sizes.most_tets / 4)
{
    lattice_.cell = sizes.cell / (1 << sizes.finer_levels);
    lattice_.origin = tree_.origin();
    fill();
}

void LatticeMaker::fill()
{
    // Where a field jumps its value does not warn of the surface: what turns out too coarse is refined.
    while (true) {
        const Index old = static_cast<Index>(lattice_.points.size());
        const auto add = [&](const LatticePoint& p) {
            if (numbers_.at(key_of(p)) >= 0) return;
            numbers_.set(key_of(p), static_cast<Index>(lattice_.points.size()));
            lattice_.points.push_back(p);
        };
        for (const Cell& c : tree_.cells()) {
            if (c.state != Cell::leaf) continue;
            add(center(c));
            for (int k = 0; k < 8; ++k) add(corner(c, k));
        }
        lattice_.values.resize(lattice_.points.size());
        parallel_for(static_cast<Index>(lattice_.points.size()) - old,
            [&](Index i) { lattice_.values[old + i] = surface_.value(lattice_.position(old + i)); });
        Filling filling(tree_, numbers_, lattice_, sizes_, surface_.length());
        const std::vector<Index> left_out = filling.left_out();
        if (!left_out.empty()) {
            tree_.take_in(left_out);
            continue;
        }
        const std::vector<Index> coarse = filling.too_coarse();
        if (coarse.empty()) return;
        tree_.refine(coarse);
    }
}

std::vector<Vec3> LatticeMaker::thin_places() const
{
    const auto& f = lattice_.values;
    std::vector<double> deepest = f; // at a point and its neighbours
    for (const Tet& t : lattice_.tets) {
        const double least = std::min({f[t[0]], f[t[1]], f[t[2]], f[t[3]]});
        for (const Index v : t) deepest[v] = std::min(deepest[v], least);
    }
    std::vector<Vec3> places;
    for (const Tet& t : lattice_.tets) {
        bool beyond = false;
        double deep = 0, shortest = INFINITY;
        for (const Index v : t) {
            beyond = beyond || f[v] >= 0;
            deep = std::min(deep, deepest[v]);
        }
        if (!beyond) continue;
        for (int k = 1; k < 4; ++k) {
            shortest = std::min(shortest, (lattice_.position(t[k]) - lattice_.position(t[0])).norm());
        }
        if (-deep > thin_part * shortest) continue;
        for (const Index v : t) {
            if (f[v] < 0) places.push_back(lattice_.position(v));
        }
    }
    return places;
}

Index LatticeMaker::refine_around(const std::vector<Vec3>& places)
{
    std::vector<Index> leaves;
    for (const Vec3& p : places) {
        const Index at = tree_.leaf_at(p);
        const double length = lattice_.cell * (at < 0 ? 1 << sizes_.finer_levels : 1 << tree_.cells()[at].level);
        for (int n = 0; n < 27; ++n) {
            const Index i = tree_.leaf_at(p + 0.7 * length * Vec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
            if (i >= 0 && tree_.cells()[i].level > 0) leaves.push_back(i);
        }
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    if (leaves.empty()) return 0;
    tree_.refine(leaves);
    fill();
    return static_cast<Index>(leaves.size());
}

} // namespace rubato::mesher
