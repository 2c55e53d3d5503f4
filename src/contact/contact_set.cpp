#include "contact/contact_set.hpp"

#include "base/parallel.hpp"
#include "geometry/ccd.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr double kept = 0.1; // of the distance, or of dhat if that is less, that a step leaves between primitives
constexpr double hairbreadth = 1 + 1e-6; // times of impact are that careful: pairs that just miss must not be missed
// Places of candidates that have none among the pairs.
constexpr Index is_new = std::numeric_limits<Index>::max(); // close now, but not before
constexpr Index not_close = -1;
constexpr Index unknown = -2; // has not been looked at
// Candidates along a piece of a way: as many for each point and edge as contact on all sides brings, and no fewer than
// this. A piece on which no node goes farther than dhat may have any number: its boxes overlap on every part of it, and
// to halve it does not help. The pieces after it may then have several times that number.
constexpr std::size_t limit_per_primitive = 8, fewest_limited = 4096, times_a_short_piece = 4;
constexpr double parallel = 1e-3; // of eps in Li et al. 2020: squared sine below which edges count as nearly parallel

/// Weights of the barriers between two meshes, so that they press on each other like one of them on a half-space,
/// whatever their sizes. In a flat contact the points of each mesh lie over faces of the other. A point that stands for
/// the area A, over a face of area F (a mesh has two faces for every point, so 2 F is the area of a point there), takes
///
///     A 2F/(A + 2F)
///
/// of it: half between equals, all of its own against a mesh much coarser, in which case the other side's points take
/// nothing. Both sides together take all of the area. That leaves no work for crossing edges, whose nearest points are
/// at the same distance in a flat contact; they get a small share, since only they keep edges apart that cross where no
/// point is. Two random triangulations with edges of lengths a and b have (2/pi) (2 sqrt 3/a) (2 sqrt 3/b) crossings in
/// a square metre (Buffon): pi a b/24 each. The shorter length stands for both, lest a long edge press along its line
/// with the area of all its surroundings. Against a curve edges have to do all the work.
constexpr double share_of_edges = 0.1;
constexpr double area_of_crossing = std::numbers::pi / 24; // times the square of the shorter length

double shared_area(double point, double face) { return point > 0 ? point * 2 * face / (point + 2 * face) : 0; }

} // namespace

ContactSet::ContactSet(CollisionSurface surface, PairRules rules, double dhat, const Vector& X)
    : surface_(std::move(surface))
    , rules_(std::move(rules))
    , dhat_(dhat)
    , nearby_(surface_, rules_, dhat, X)
{
}

/// Everything about a pair.
ContactPair ContactSet::described(const CandidatePair& candidate, const PairShape& shape, const Nearest& at) const
{
    const auto a = static_cast<std::size_t>(candidate.first), b = static_cast<std::size_t>(candidate.second);
    const CollisionSurface& s = surface_;
    ContactPair pair{.kind = candidate.kind,
        .corners = shape.corners,
        .node = shape.nodes,
        .at = at,
        .weight = 0,
        .offset = shape.offset,
        .mollifier_eps = 0,
        .part_a = 0,
        .part_b = 0};
    switch (candidate.kind) {
    case PairKind::point_triangle:
        pair.weight = shared_area(s.point_area[a], s.face_area[b]);
        pair.part_a = s.point_part[a];
        pair.part_b = s.face_part[b];
        pair.flat_face = s.flat_face[b];
        break;
    case PairKind::edge_edge: {
        const double shorter = std::min(s.edge_length[a], s.edge_length[b]);
        const double product = s.edge_length[a] * s.edge_length[b];
        const bool curve = s.edge_alone[a] != 0 || s.edge_alone[b] != 0;
        pair.weight = (curve ? 1 : share_of_edges) * area_of_crossing * shorter * shorter;
        if (s.edge_inner[a] != 0 || s.edge_inner[b] != 0) pair.weight = 0; // there is no edge, only a plane
        pair.mollifier_eps = parallel * product * product;
        pair.part_a = s.edge_part[a];
        pair.part_b = s.edge_part[b];
        break;
    }
    case PairKind::point_edge:
        pair.weight = s.point_area[a] / 2;
        pair.part_a = s.point_part[a];
        pair.part_b = s.edge_part[b];
        break;
    case PairKind::point_point:
        pair.weight = (s.point_area[a] + s.point_area[b]) / 2;
        pair.part_a = s.point_part[a];
        pair.part_b = s.point_part[b];
        break;
    }
    pair.area = pair.weight;
    return pair;
}

/// After the list of candidates has changed: what was close keeps its place. False if some of it is not in the list.
bool ContactSet::carry_over()
{
    places_before_.swap(place_);
    place_.resize(nearby_.size());
    nearest_.resize(nearby_.size());
    std::size_t close = 0;
    for (std::size_t k = 0; k < nearby_.size(); ++k) {
        const Index before = nearby_.before(k);
        place_[k] = before < 0 ? unknown : places_before_[static_cast<std::size_t>(before)];
        close += place_[k] >= 0;
    }
    return close == pairs_.size();
}

/// moved_: the candidates that are new, or with a node that is not where it was at the last update.
void ContactSet::list_moved(const Vector& x, bool all)
{
    const auto nodes = static_cast<std::size_t>(x.size() / 3);
    node_moved_.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto n = static_cast<Index>(i);
        node_moved_[i] = all || node(x, n) != node(x_now_, n);
    }
    moved_.clear();
    for (std::size_t k = 0; k < nearby_.size(); ++k) {
        if (place_[k] < 0 && nearby_.is_apart(k, dhat_)) {
            place_[k] = not_close;
            continue;
        }
        bool moved = place_[k] == unknown;
        for (const Index i : nearby_.shape(k).nodes)
            moved = moved || (i >= 0 && node_moved_[static_cast<std::size_t>(i)] != 0);
        if (moved) moved_.push_back(static_cast<Index>(k));
    }
}

void ContactSet::update(const Vector& x)
{
    const bool all = x_now_.size() != x.size();
    if (!all && x_now_ == x) return;
    bool same = true; // pairs as before, only elsewhere
    if (nearby_.refresh(x)) same = carry_over();
    list_moved(x, all);
    x_now_ = x;

    is_close_.resize(moved_.size());
    parallel_for(static_cast<Index>(moved_.size()), [&](Index n) {
        const auto k = static_cast<std::size_t>(moved_[static_cast<std::size_t>(n)]);
        char& close = is_close_[static_cast<std::size_t>(n)];
        close = 0;
        const Corners at = corners_of(nearby_.shape(k), x);
        const double reach = dhat_ + nearby_.shape(k).offset;
        // Most candidates are farther apart, since they were found with slack, and boxes are far cheaper than
        // distances. Round-off must not part what the distance would not.
        if (box_distance(nearby_.shape(k), at) > reach * (1 + 1e-12)) return;
        nearest_[k] = nearest(nearby_.shape(k).kind, at);
        close = nearest_[k].d2 < reach * reach;
    });
    for (std::size_t n = 0; n < moved_.size(); ++n) {
        Index& place = place_[static_cast<std::size_t>(moved_[n])];
        same = same && (place >= 0) == (is_close_[n] != 0);
        if (is_close_[n] == 0) {
            place = not_close;
        } else if (place < 0) {
            place = is_new;
        } else {
            pairs_[static_cast<std::size_t>(place)].at = nearest_[static_cast<std::size_t>(moved_[n])];
        }
    }
    if (!same) list_pairs();
    choose_pieces();
    list_planes(x);
}

/// A point meets a flat face once, at its nearest piece: the sum over the pieces would press harder along the edges
/// between them, and aside (docs/contact/barrier.md). Pairs of one point stand side by side.
void ContactSet::choose_pieces()
{
    for (std::size_t first = 0, last = 0; first < pairs_.size(); first = last) {
        const ContactPair& front = pairs_[first];
        for (last = first + 1; last < pairs_.size(); ++last) {
            if (front.kind != PairKind::point_triangle || pairs_[last].kind != front.kind
                || pairs_[last].node[0] != front.node[0])
                break;
        }
        for (std::size_t i = first; i < last; ++i) {
            if (pairs_[i].flat_face < 0) continue;
            bool nearest = true;
            for (std::size_t j = first; j < last; ++j) {
                if (j == i || pairs_[j].flat_face != pairs_[i].flat_face) continue;
                const double other = pairs_[j].at.d2, own = pairs_[i].at.d2;
                nearest = nearest && !(other < own || (other == own && j < i));
            }
            pairs_[i].weight = nearest ? pairs_[i].area : 0;
        }
    }
}

/// The pairs of all candidates that have a place, in their order.
void ContactSet::list_pairs()
{
    pairs_before_.swap(pairs_);
    pairs_.clear();
    for (std::size_t k = 0; k < nearby_.size(); ++k) {
        if (place_[k] < 0) continue;
        if (place_[k] == is_new) {
            pairs_.push_back(described(nearby_.pair(k), nearby_.shape(k), nearest_[k]));
        } else {
            pairs_.push_back(pairs_before_[static_cast<std::size_t>(place_[k])]);
        }
        place_[k] = static_cast<Index>(pairs_.size()) - 1;
    }
}

void ContactSet::list_planes(const Vector& x)
{
    planes_.clear();
    for (std::size_t h = 0; h < surface_.half_spaces.size(); ++h) {
        const HalfSpace& plane = surface_.half_spaces[h];
        for (std::size_t k = 0; k < surface_.points.size(); ++k) {
            const Index part = surface_.point_part[k];
            const auto& about = surface_.parts[static_cast<std::size_t>(part)];
            const double d = plane.normal.dot(node(x, surface_.points[k]) - plane.point) - about.radius;
            if (!(d < dhat_) || about.kinematic || !rules_.at(part, plane.part).touch) continue;
            planes_.push_back({surface_.points[k], static_cast<Index>(h), surface_.point_area[k], d, part});
        }
    }
}

Touching ContactSet::touching() const
{
    Touching out{.contacts = static_cast<long>(planes_.size()), .candidates = static_cast<long>(nearby_.size())};
    for (const ContactPair& pair : pairs_) {
        out.contacts += pair.weight > 0 ? 1 : 0;
        out.min_distance = std::min(out.min_distance, pair.distance());
    }
    for (const PlaneContact& plane : planes_) out.min_distance = std::min(out.min_distance, plane.distance);
    return out;
}

/// Points on straight ways against planes: exact.
double ContactSet::plane_step(const Vector& x, const Vector& p) const
{
    double cap = std::numeric_limits<double>::infinity();
    for (const HalfSpace& plane : surface_.half_spaces) {
        for (std::size_t k = 0; k < surface_.points.size(); ++k) {
            const Index part = surface_.point_part[k];
            const auto& about = surface_.parts[static_cast<std::size_t>(part)];
            const double approach = -plane.normal.dot(node(p, surface_.points[k]));
            if (!(approach > 0) || about.kinematic || !rules_.at(part, plane.part).touch) continue;
            const double d = plane.normal.dot(node(x, surface_.points[k]) - plane.point) - about.radius;
            const double t = (1 - kept) * d / approach;
            if (t < cap) cap = std::max(0.0, t);
        }
    }
    return cap;
}

/// Pairs that never come within kept * dhat on the way do not count, so the answer does not depend on which are asked.
///
/// A long way passes by everything: boxes around it hold pairs by the million, although nothing is met on its first
/// hundredth. So it is gone piece by piece, halved until few candidates lie along a piece, and only as far as something
/// is met. Times are those of the whole way, to the last bit, however it is cut.
double ContactSet::max_step(const Vector& x, const Vector& p)
{
    double cap = plane_step(x, p);
    const double short_piece = dhat_ / std::max(largest_nodal_norm(p), dhat_); // of the way
    std::size_t most = fewest_limited + limit_per_primitive * (surface_.points.size() + surface_.edges.size());
    double piece = 1;
    for (double from = 0; from < std::min(cap, 1.0);) {
        const double to = std::min({from + piece, cap, 1.0});
        const bool is_short = to - from <= short_piece;
        if (!list_on_the_way(x, p, from, to, is_short ? std::numeric_limits<std::size_t>::max() : most)) {
            piece = (to - from) / 2;
            continue;
        }
        if (is_short) most = std::max(most, times_a_short_piece * on_the_way_.size());
        times_.resize(on_the_way_.size());
        parallel_for(static_cast<Index>(on_the_way_.size()), [&](Index k) {
            const PairShape& shape = on_the_way_[static_cast<std::size_t>(k)];
            times_[static_cast<std::size_t>(k)]
                = time_of_impact(shape.kind, corners_of(shape, x), corners_of(shape, p), shape.offset, kept, dhat_);
        });
        for (const double t : times_) cap = std::min(cap, t);
        from = to;
        piece *= 2;
    }
    return cap <= 1 ? cap : std::numeric_limits<double>::infinity();
}

/// on_the_way_: the pairs that may come close between x + from p and x + to p; false if they are more than `most`.
bool ContactSet::list_on_the_way(const Vector& x, const Vector& p, double from, double to, std::size_t most)
{
    const double gap = kept * dhat_ * hairbreadth;
    if (from == 0 && to == 1) return nearby_.on_the_way(x, p, gap, most, on_the_way_);
    // Where a piece begins is rounded, and by less than this.
    const double round_off
        = 4 * std::numeric_limits<double>::epsilon() * (x.lpNorm<Eigen::Infinity>() + p.lpNorm<Eigen::Infinity>());
    begin_ = x + from * p;
    leg_ = (to - from) * p;
    return nearby_.on_the_way(begin_, leg_, gap + round_off, most, on_the_way_);
}

} // namespace rubato
