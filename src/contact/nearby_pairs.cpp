#include "contact/nearby_pairs.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

constexpr double slack = 1; // in units of dhat: how far points may go before pairs are searched anew
constexpr double hairbreadth = 1 + 1e-6; // round-off must not part what is not apart
constexpr double infinity = std::numeric_limits<double>::infinity();

Index part_of(const CollisionSurface& s, const CandidatePair& pair, bool second)
{
    const auto k = static_cast<std::size_t>(second ? pair.second : pair.first);
    switch (pair.kind) {
    case PairKind::point_triangle: return second ? s.face_part[k] : s.point_part[k];
    case PairKind::edge_edge: return s.edge_part[k];
    case PairKind::point_edge: return second ? s.edge_part[k] : s.point_part[k];
    default: return s.point_part[k];
    }
}

} // namespace

NearbyPairs::NearbyPairs(const CollisionSurface& surface, const PairRules& rules, double dhat, const Vector& X)
    : surface_(surface)
    , dhat_(dhat)
    , broad_(surface, rules, X)
    , parts_(surface.parts.size())
    , bend_(parts_ + 1, infinity)
    , stale_(parts_, 1)
{
    for (std::size_t part = 0; part < parts_; ++part) {
        const auto number = static_cast<Index>(part);
        meets_itself_.push_back(!surface.parts[part].kinematic && rules.at(number, number).touch);
    }
}

bool NearbyPairs::within_slack(const Vector& x) const
{
    if (x_between_.size() != x.size()) return false;
    const double most = slack * dhat_;
    for (const Index i : surface_.points) {
        if (!((node(x, i) - node(x_between_, i)).lpNorm<Eigen::Infinity>() <= most)) return false;
    }
    return true;
}

/// Each part's largest |d_i - mean d|, d = x - x_within_. Any two points of a part have come closer by at most twice
/// that.
void NearbyPairs::measure_bends(const Vector& x, std::vector<double>& bend)
{
    bend.assign(parts_ + 1, infinity);
    if (x_within_.size() != x.size()) return;
    std::vector<Vec3>& mean = mean_;
    std::vector<double>&count = count_, &most = most_;
    mean.assign(parts_, Vec3::Zero());
    count.assign(parts_, 0);
    most.assign(parts_, 0);
    for (std::size_t k = 0; k < surface_.points.size(); ++k) {
        const auto part = static_cast<std::size_t>(surface_.point_part[k]);
        mean[part] += node(x, surface_.points[k]) - node(x_within_, surface_.points[k]);
        ++count[part];
    }
    for (std::size_t part = 0; part < parts_; ++part) mean[part] /= std::max(count[part], 1.0);
    for (std::size_t k = 0; k < surface_.points.size(); ++k) {
        const auto part = static_cast<std::size_t>(surface_.point_part[k]);
        const Vec3 d = node(x, surface_.points[k]) - node(x_within_, surface_.points[k]) - mean[part];
        if (!(d.squaredNorm() <= most[part])) most[part] = d.squaredNorm(); // a NaN stays
    }
    for (std::size_t part = 0; part < parts_; ++part) {
        bend[part] = meets_itself_[part] != 0 ? std::sqrt(most[part]) * hairbreadth : 0;
    }
}

/// The nodes of a pair, and how far apart its primitives are when they touch.
PairShape NearbyPairs::shape_of(const CandidatePair& pair) const
{
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    const CollisionSurface& s = surface_;
    const auto shape = [&](int first, int corners, std::array<Index, 4> nodes) {
        double offset = 0;
        for (const bool second : {false, true}) {
            offset += s.parts[static_cast<std::size_t>(part_of(s, pair, second))].radius;
        }
        return PairShape{pair.kind, first, corners, nodes, offset};
    };
    switch (pair.kind) {
    case PairKind::point_triangle: return shape(1, 4, {s.points[a], s.faces[b][0], s.faces[b][1], s.faces[b][2]});
    case PairKind::edge_edge: return shape(2, 4, {s.edges[a][0], s.edges[a][1], s.edges[b][0], s.edges[b][1]});
    case PairKind::point_edge: return shape(1, 3, {s.points[a], s.edges[b][0], s.edges[b][1], -1});
    default: return shape(1, 2, {s.points[a], s.points[b], -1, -1});
    }
}

bool NearbyPairs::refresh(const Vector& x)
{
    measure_bends(x, bend_);
    bool any_stale = false;
    for (std::size_t part = 0; part < parts_; ++part) {
        stale_[part] = !(bend_[part] <= slack * dhat_);
        any_stale = any_stale || stale_[part] != 0;
    }
    const bool between_holds = within_slack(x);
    if (!any_stale && between_holds) return false;

    const double reach = (1 + 2 * slack) * dhat_;
    if (any_stale) { // those of other parts stay
        broad_.candidates(x, nullptr, (1 + 2 * slack) * dhat_, found_, {.within = &stale_, .between = false});
        const auto is_stale
            = [&](const Cleared& c) { return stale_[static_cast<std::size_t>(part_of(surface_, c.pair, false))] != 0; };
        within_.erase(std::remove_if(within_.begin(), within_.end(), is_stale), within_.end());
        fresh_.resize(found_.size());
        parallel_for(static_cast<Index>(found_.size()), [&](Index n) {
            const CandidatePair& pair = found_[static_cast<std::size_t>(n)];
            const PairShape shape = shape_of(pair);
            const double gap = std::sqrt(nearest(shape.kind, corners_of(shape, x)).d2) / hairbreadth - shape.offset;
            fresh_[static_cast<std::size_t>(n)] = {pair, gap};
        });
        stayed_.swap(within_);
        within_.resize(stayed_.size() + fresh_.size());
        std::merge(stayed_.begin(), stayed_.end(), fresh_.begin(), fresh_.end(), within_.begin(),
            [](const Cleared& a, const Cleared& b) { return a.pair < b.pair; });
        x_within_.conservativeResize(x.size());
        for (std::size_t k = 0; k < surface_.points.size(); ++k) {
            const auto part = static_cast<std::size_t>(surface_.point_part[k]);
            if (stale_[part] == 0) continue;
            node(x_within_, surface_.points[k]) = node(x, surface_.points[k]);
            bend_[part] = 0;
        }
    }
    if (!between_holds) {
        none_.assign(parts_, 0);
        broad_.candidates(x, nullptr, reach, between_, {.within = &none_, .between = true});
        x_between_ = x;
    }

    // One list, in an order that does not depend on when pairs were found.
    const std::size_t count = within_.size() + between_.size();
    pairs_.resize(count);
    shapes_.resize(count);
    clearance_.resize(count);
    part_.resize(count);
    for (std::size_t k = 0, a = 0, b = 0; k < count; ++k) {
        const bool one_part = b == between_.size() || (a < within_.size() && within_[a].pair < between_[b]);
        pairs_[k] = one_part ? within_[a].pair : between_[b];
        clearance_[k] = one_part ? within_[a].clearance : -infinity;
        part_[k] = one_part ? static_cast<std::size_t>(part_of(surface_, pairs_[k], false)) : parts_;
        shapes_[k] = shape_of(pairs_[k]);
        one_part ? ++a : ++b;
    }
    bend_[parts_] = 0;
    return true;
}

void NearbyPairs::on_the_way(const Vector& x, const Vector& p, double gap, std::vector<PairShape>& out)
{
    // Ways are straight, so points are never farther from where they were than at one of the ends.
    end_ = x + p;
    measure_bends(x, bend_before_);
    measure_bends(end_, bend_after_);
    bool any_stale = false;
    for (std::size_t part = 0; part < parts_; ++part) {
        bend_after_[part] = std::max(bend_before_[part], bend_after_[part]);
        stale_[part] = !(bend_after_[part] <= slack * dhat_);
        any_stale = any_stale || stale_[part] != 0;
    }
    const bool between_holds = within_slack(x) && within_slack(end_);
    const auto moves = [&](Index i) { return i >= 0 && !node(p, i).isZero(0); };
    const double far = gap * hairbreadth;
    out.clear();
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const bool one_part = part_[k] < parts_;
        if (one_part ? stale_[part_[k]] != 0 || clearance_[k] - 2 * bend_after_[part_[k]] > far : !between_holds)
            continue;
        const PairShape& shape = shapes_[k];
        if (!std::any_of(shape.nodes.begin(), shape.nodes.end(), moves)) continue;
        if (box_distance(shape, corners_of(shape, x), corners_of(shape, p)) > (gap + shape.offset) * hairbreadth)
            continue;
        out.push_back(shape);
    }
    if (!any_stale && between_holds) return;
    broad_.candidates(x, &p, far, found_, {.within = &stale_, .between = !between_holds});
    for (const CandidatePair& pair : found_) out.push_back(shape_of(pair));
}

} // namespace rubato
