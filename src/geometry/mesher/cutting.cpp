#include "geometry/mesher/cutting.hpp"

#include "base/parallel.hpp"
#include "geometry/mesher/flat_map.hpp"
#include "geometry/mesher/tet_shape.hpp"

#include <algorithm>

namespace rubato::mesher {

namespace {

// A crossing nearer to a lattice point than this part of the edge pulls the point onto the surface. Long edges join
// two corners or two centres of cells, short ones a corner and a centre. Labelle and Shewchuk 2007, table 1.
constexpr double near_on_long = 0.24999;
constexpr double near_on_short = 0.41189;

constexpr double least_lattice_shape = 0.004; // five degrees

std::uint64_t key_of(Index a, Index b)
{
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
}

struct Crossing {
    Index inside, beyond; ///< lattice points
    bool is_long = false;
    double part = 0; ///< of the way from the point inside to the other
    Vec3 place = Vec3::Zero();
    Index node = -1; ///< of the cut mesh
};

class Cutting {
public:
    Cutting(const Lattice& lattice, const ZeroSet& surface)
        : lattice_(lattice)
        , surface_(surface)
        , sign_(lattice.points.size())
        , place_(lattice.points.size())
    {
        for (Index i = 0; i < static_cast<Index>(sign_.size()); ++i) {
            const double f = lattice.values[i];
            sign_[i] = f < 0 ? -1 : f > 0 ? 1 : 0;
            place_[i] = lattice.position(i);
        }
        find_crossings();
        find_stars();
        move_points();
        for (const Tet& t : lattice.tets) cut(t);
        number_nodes();
    }

    CutMesh out;

private:
    bool is_long(Index a, Index b) const
    {
        int same = 0;
        for (int k = 0; k < 3; ++k) same += lattice_.points[a][k] == lattice_.points[b][k];
        return same == 2;
    }

    void find_crossings()
    {
        for (const Tet& t : lattice_.tets) {
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    if (sign_[t[i]] != -1 || sign_[t[j]] != 1 || index_.at(key_of(t[i], t[j])) >= 0) continue;
                    index_.set(key_of(t[i], t[j]), static_cast<Index>(crossings_.size()));
                    crossings_.push_back({t[i], t[j], is_long(t[i], t[j])});
                }
            }
        }
        parallel_for(static_cast<Index>(crossings_.size()), [&](Index i) {
            Crossing& c = crossings_[i];
            const Vec3 &a = place_[c.inside], &b = place_[c.beyond];
            c.place = surface_.between(a, lattice_.values[c.inside], b, lattice_.values[c.beyond]);
            c.part = (c.place - a).norm() / (b - a).norm();
        });
    }

    /// Points with a crossing too near move onto it, the nearest first; with a point go all its crossings.
    void move_points()
    {
        struct Pull {
            double part;
            Index crossing;
            bool inside; ///< which end of the crossing's edge moves
        };
        std::vector<Pull> pulls;
        for (Index i = 0; i < static_cast<Index>(crossings_.size()); ++i) {
            const Crossing& c = crossings_[i];
            const double near = c.is_long ? near_on_long : near_on_short;
            if (c.part < near) pulls.push_back({c.part / near, i, true});
            if (1 - c.part < near) pulls.push_back({(1 - c.part) / near, i, false});
        }
        std::sort(pulls.begin(), pulls.end(),
            [](const Pull& a, const Pull& b) { return a.part != b.part ? a.part < b.part : a.crossing < b.crossing; });
        for (const Pull& p : pulls) {
            const Crossing& c = crossings_[p.crossing];
            if (sign_[c.inside] == 0 || sign_[c.beyond] == 0) continue; // gone with a point moved before
            const Index moved = p.inside ? c.inside : c.beyond;
            const Vec3 old = place_[moved];
            place_[moved] = c.place;
            if (stays_valid(moved)) {
                sign_[moved] = 0;
            } else {
                place_[moved] = old;
            }
        }
    }

    /// Whether the lattice tetrahedra at a moved point are all still of good volume: sure on regular ones, but not
    /// where levels meet. A point that must stay leaves a small piece for the improvement to deal with.
    bool stays_valid(Index v) const
    {
        for (Index i = first_[v]; i < first_[v + 1]; ++i) {
            const Tet& t = lattice_.tets[star_[i]];
            if (tet_shape(place_[t[0]], place_[t[1]], place_[t[2]], place_[t[3]]) < least_lattice_shape) return false;
        }
        return true;
    }

    /// Tetrahedra at each lattice point that has a crossing, one point after the other.
    void find_stars()
    {
        std::vector<char> crossed(sign_.size(), 0);
        for (const Crossing& c : crossings_) crossed[c.inside] = crossed[c.beyond] = 1;
        first_.assign(sign_.size() + 1, 0);
        for (const Tet& t : lattice_.tets) {
            for (const Index v : t) first_[v + 1] += crossed[v];
        }
        for (std::size_t v = 0; v < sign_.size(); ++v) first_[v + 1] += first_[v];
        star_.resize(first_.back());
        std::vector<Index> next(first_.begin(), first_.end() - 1);
        for (Index e = 0; e < static_cast<Index>(lattice_.tets.size()); ++e) {
            for (const Index v : lattice_.tets[e]) {
                if (crossed[v]) star_[next[v]++] = e;
            }
        }
    }

    /// Corners of the pieces: lattice points keep their number, the crossing of edge ab gets one after all of these.
    Index between(Index a, Index b) const { return static_cast<Index>(sign_.size()) + index_.at(key_of(a, b)); }

    void add(Index a, Index b, Index c, Index d) { out.tets.push_back({a, b, c, d}); }

    /// Of the quadrilateral (a, b, crossing of b and p, crossing of a and p) on a lattice triangle, whether the
    /// diagonal starts at a. Both tetrahedra at the triangle must agree, so that only the triangle may decide.
    bool diagonal_from_first(Index a, Index b, Index p) const
    {
        const bool la = is_long(a, p), lb = is_long(b, p);
        if (la != lb) return lb;
        // the parity rule: on regular tetrahedra a and b differ in one coordinate, so that one is even and one odd
        int of_a = 0, of_b = 0;
        for (int k = 0; k < 3; ++k) {
            of_a += lattice_.points[a][k] > lattice_.points[p][k];
            of_b += lattice_.points[b][k] > lattice_.points[p][k];
        }
        if (of_a % 2 == of_b % 2) return a < b; // where levels meet
        return of_a % 2 == 0;
    }

    void cut(const Tet& t)
    {
        Index in[4], at[4], off[4];
        int n = 0, z = 0, p = 0;
        for (const Index v : t) {
            if (sign_[v] < 0) in[n++] = v;
            if (sign_[v] == 0) at[z++] = v;
            if (sign_[v] > 0) off[p++] = v;
        }
        if (n == 0) return;
        if (p == 0) return add(t[0], t[1], t[2], t[3]);
        if (n == 1) {
            Index c[3];
            int k = 0;
            for (int i = 0; i < p; ++i) c[k++] = between(in[0], off[i]);
            for (int i = 0; i < z; ++i) c[k++] = at[i];
            return add(in[0], c[0], c[1], c[2]);
        }
        if (n == 2 && z == 1) { // a pyramid over one quadrilateral
            const Index a = in[0], b = in[1], ap = between(a, off[0]), bp = between(b, off[0]);
            return pyramid(a, b, bp, ap, diagonal_from_first(a, b, off[0]), at[0]);
        }
        if (n == 2) return wedge(in[0], in[1], off[0], off[1]);
        prism(in[0], in[1], in[2], off[0]); // three inside, one outside
    }

    /// Base (a, b, c, d) with the diagonal a-c or b-d.
    void pyramid(Index a, Index b, Index c, Index d, bool diagonal_ac, Index apex)
    {
        if (diagonal_ac) {
            add(a, b, c, apex);
            add(a, c, d, apex);
        } else {
            add(a, b, d, apex);
            add(b, c, d, apex);
        }
    }

    /// a, b inside, p, q outside: quadrilaterals on abp and abq, and one on the surface.
    void wedge(Index a, Index b, Index p, Index q)
    {
        const Index ap = between(a, p), aq = between(a, q), bp = between(b, p), bq = between(b, q);
        const bool from_a_p = diagonal_from_first(a, b, p), from_a_q = diagonal_from_first(a, b, q);
        if (from_a_p && from_a_q) { // all around a: the tip at b is cut off
            add(a, b, bp, bq);
            surface_pyramid(a, ap, bp, bq, aq);
        } else if (!from_a_p && !from_a_q) {
            add(b, a, aq, ap);
            surface_pyramid(b, bp, ap, aq, bq);
        } else if (from_a_p) { // diagonals a-bp and b-aq
            add(a, b, bp, aq);
            add(b, bp, bq, aq);
            add(a, ap, bp, aq);
        } else { // diagonals b-ap and a-bq
            add(a, b, ap, bq);
            add(b, bp, ap, bq);
            add(a, ap, bq, aq);
        }
    }

    Vec3 place(Index i) const
    {
        const Index n = static_cast<Index>(sign_.size());
        const Index m = n + static_cast<Index>(crossings_.size());
        return i < n ? place_[i] : i < m ? crossings_[i - n].place : middles_[i - m];
    }

    /// A pyramid whose base lies on the surface: its shorter diagonal.
    void surface_pyramid(Index apex, Index a, Index b, Index c, Index d)
    {
        pyramid(a, b, c, d, (place(a) - place(c)).norm() <= (place(b) - place(d)).norm(), apex);
    }

    /// a, b, c inside, p outside: a prism between abc and the crossings of ap, bp, cp.
    void prism(Index a, Index b, Index c, Index p)
    {
        // turned so that two diagonals start at the first corner
        int turn = 0;
        for (; turn < 3; ++turn) {
            if (diagonal_from_first(a, b, p) && diagonal_from_first(a, c, p)) break;
            const Index first = a;
            a = b, b = c, c = first;
        }
        const Index ap = between(a, p), bp = between(b, p), cp = between(c, p);
        if (turn == 3) { // in a circle: only where levels meet
            const Index m = static_cast<Index>(sign_.size() + crossings_.size() + middles_.size());
            middles_.push_back((place(a) + place(b) + place(c) + place(ap) + place(bp) + place(cp)) / 6);
            add(a, b, c, m);
            add(ap, bp, cp, m);
            pyramid(a, b, bp, ap, diagonal_from_first(a, b, p), m);
            pyramid(b, c, cp, bp, diagonal_from_first(b, c, p), m);
            pyramid(c, a, ap, cp, diagonal_from_first(c, a, p), m);
            return;
        }
        add(a, ap, bp, cp);
        pyramid(b, c, cp, bp, diagonal_from_first(b, c, p), a);
    }

    void number_nodes()
    {
        std::vector<Index> number(sign_.size() + crossings_.size() + middles_.size(), -1);
        for (Tet& t : out.tets) {
            for (Index& v : t) {
                if (number[v] < 0) {
                    number[v] = static_cast<Index>(out.nodes.size());
                    out.nodes.push_back(place(v));
                }
                v = number[v];
            }
            if (det_of_edges(out.nodes[t[0]], out.nodes[t[1]], out.nodes[t[2]], out.nodes[t[3]]) < 0) {
                std::swap(t[2], t[3]);
            }
        }
    }

    const Lattice& lattice_;
    const ZeroSet& surface_;
    std::vector<signed char> sign_;
    std::vector<Vec3> place_;
    std::vector<Crossing> crossings_;
    std::vector<Vec3> middles_; ///< of prisms that need one
    FlatMap index_;
    std::vector<Index> first_, star_; ///< tetrahedra at point v: star_[first_[v]] up to first_[v + 1]
};

} // namespace

CutMesh cut_mesh(const Lattice& lattice, const ZeroSet& surface) { return Cutting(lattice, surface).out; }

} // namespace rubato::mesher
