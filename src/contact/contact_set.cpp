#include "contact/contact_set.hpp"

#include "base/parallel.hpp"
#include "geometry/bounds.hpp"
#include "geometry/ccd.hpp"

#include <cmath>
#include <numbers>

namespace rubato {

namespace {

constexpr double slack = 1; // in units of dhat: how far nodes may go before pairs are searched anew
constexpr double kept = 0.1; // of the distance that a step leaves between two primitives, at least
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
    , broad_(surface_, rules_, X)
{
}

bool ContactSet::within_slack(const Vector& x) const
{
    if (x_found_.size() != x.size()) return false;
    const double most = slack * dhat_;
    for (const Index i : surface_.points) {
        if (!((node(x, i) - node(x_found_, i)).lpNorm<Eigen::Infinity>() <= most)) return false;
    }
    return true;
}

/// Everything about a pair but where it is.
ContactPair ContactSet::described(const CandidatePair& candidate) const
{
    const auto a = static_cast<std::size_t>(candidate.first), b = static_cast<std::size_t>(candidate.second);
    const CollisionSurface& s = surface_;
    ContactPair pair{.kind = candidate.kind,
        .corners = 4,
        .node = {-1, -1, -1, -1},
        .at = {},
        .weight = 0,
        .offset = 0,
        .mollifier_eps = 0,
        .part_a = 0,
        .part_b = 0};
    switch (candidate.kind) {
    case PairKind::point_triangle:
        pair.node = {s.points[a], s.faces[b][0], s.faces[b][1], s.faces[b][2]};
        pair.weight = shared_area(s.point_area[a], s.face_area[b]);
        pair.part_a = s.point_part[a];
        pair.part_b = s.face_part[b];
        break;
    case PairKind::edge_edge:
        pair.node = {s.edges[a][0], s.edges[a][1], s.edges[b][0], s.edges[b][1]};
        pair.weight = (s.edge_alone[a] != 0 || s.edge_alone[b] != 0 ? 1 : share_of_edges) * area_of_crossing
            * std::pow(std::min(s.edge_length[a], s.edge_length[b]), 2);
        pair.mollifier_eps = parallel * s.edge_length[a] * s.edge_length[a] * s.edge_length[b] * s.edge_length[b];
        pair.part_a = s.edge_part[a];
        pair.part_b = s.edge_part[b];
        break;
    case PairKind::point_edge:
        pair.corners = 3;
        pair.node = {s.points[a], s.edges[b][0], s.edges[b][1], -1};
        pair.weight = s.point_area[a] / 2;
        pair.part_a = s.point_part[a];
        pair.part_b = s.edge_part[b];
        break;
    case PairKind::point_point:
        pair.corners = 2;
        pair.node = {s.points[a], s.points[b], -1, -1};
        pair.weight = (s.point_area[a] + s.point_area[b]) / 2;
        pair.part_a = s.point_part[a];
        pair.part_b = s.point_part[b];
        break;
    }
    pair.offset
        = s.parts[static_cast<std::size_t>(pair.part_a)].radius + s.parts[static_cast<std::size_t>(pair.part_b)].radius;
    return pair;
}

namespace {

Corners corners_of(const ContactPair& pair, const Vector& x)
{
    Corners at{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (int k = 0; k < pair.corners; ++k) {
        at[static_cast<std::size_t>(k)] = node(x, pair.node[static_cast<std::size_t>(k)]);
    }
    return at;
}

} // namespace

/// Whether the boxes of the two primitives of a pair are closer than dhat in every direction. Most candidates are not,
/// since they were found with slack, and this is far cheaper than their distance.
bool ContactSet::boxes_close(const CandidatePair& candidate, const Vector& x) const
{
    const auto a = static_cast<std::size_t>(candidate.first), b = static_cast<std::size_t>(candidate.second);
    const CollisionSurface& s = surface_;
    const auto box_of = [&](const auto& nodes) {
        Bounds box{node(x, nodes[0]), node(x, nodes[0])};
        for (std::size_t k = 1; k < nodes.size(); ++k) {
            box = {box.low.cwiseMin(node(x, nodes[k])), box.high.cwiseMax(node(x, nodes[k]))};
        }
        return box;
    };
    const auto close = [&](const Bounds& first, const Bounds& second, Index part_a, Index part_b) {
        const double reach = dhat_ + s.parts[static_cast<std::size_t>(part_a)].radius
            + s.parts[static_cast<std::size_t>(part_b)].radius;
        const double apart = std::max((first.low - second.high).maxCoeff(), (second.low - first.high).maxCoeff());
        return !(apart > reach * (1 + 1e-12)); // round-off must not part what the distance would not
    };
    const auto point = [&] { return box_of(std::array<Index, 1>{s.points[a]}); };
    switch (candidate.kind) {
    case PairKind::point_triangle: return close(point(), box_of(s.faces[b]), s.point_part[a], s.face_part[b]);
    case PairKind::edge_edge: return close(box_of(s.edges[a]), box_of(s.edges[b]), s.edge_part[a], s.edge_part[b]);
    case PairKind::point_edge: return close(point(), box_of(s.edges[b]), s.point_part[a], s.edge_part[b]);
    default: return true; // two points: their distance is as cheap
    }
}

void ContactSet::update(const Vector& x)
{
    if (x_now_.size() == x.size() && x_now_ == x) return;
    if (!within_slack(x)) {
        broad_.candidates(x, nullptr, (1 + 2 * slack) * dhat_, candidates_);
        x_found_ = x;
    }
    x_now_ = x;
    found_.resize(candidates_.size());
    parallel_for(static_cast<Index>(candidates_.size()), [&](Index k) {
        const auto i = static_cast<std::size_t>(k);
        found_[i].close = false;
        if (!boxes_close(candidates_[i], x)) return;
        const ContactPair pair = described(candidates_[i]);
        found_[i].at = nearest(pair.kind, corners_of(pair, x));
        const double reach = dhat_ + pair.offset;
        found_[i].close = found_[i].at.d2 < reach * reach;
    });
    pairs_.clear();
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (!found_[k].close) continue;
        pairs_.push_back(described(candidates_[k]));
        pairs_.back().at = found_[k].at;
    }

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
    Touching out{.contacts = static_cast<long>(pairs_.size() + planes_.size()),
        .candidates = static_cast<long>(candidates_.size())};
    for (const ContactPair& pair : pairs_) out.min_distance = std::min(out.min_distance, pair.distance());
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

double ContactSet::max_step(const Vector& x, const Vector& p)
{
    double cap = plane_step(x, p);
    broad_.candidates(x, &p, kept * dhat_, swept_); // also what ends closer than that without ever meeting
    times_.resize(swept_.size());
    parallel_for(static_cast<Index>(swept_.size()), [&](Index k) {
        const auto i = static_cast<std::size_t>(k);
        const ContactPair pair = described(swept_[i]);
        times_[i] = time_of_impact(pair.kind, corners_of(pair, x), corners_of(pair, p), pair.offset, kept);
    });
    for (const double t : times_) cap = std::min(cap, t);
    return cap <= 1 ? cap : std::numeric_limits<double>::infinity();
}

} // namespace rubato
