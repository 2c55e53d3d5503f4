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

} // namespace

NearbyPairs::NearbyPairs(const CollisionSurface& surface, const PairRules& rules, double dhat, const Vector& X)
    : surface_(surface)
    , dhat_(dhat)
    , broad_(surface, rules, X)
    , parts_(surface.parts.size())
    , within_{.of_one_part = true}
    , between_{.of_one_part = false}
    , none_(parts_, 0)
{
    for (std::size_t part = 0; part < parts_; ++part) {
        const auto number = static_cast<Index>(part);
        meets_itself_.push_back(!surface.parts[part].kinematic && rules.at(number, number).touch);
    }
}

std::array<Index, 2> NearbyPairs::parts_of(const CandidatePair& pair) const
{
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    const CollisionSurface& s = surface_;
    switch (pair.kind) {
    case PairKind::point_triangle: return {s.point_part[a], s.face_part[b]};
    case PairKind::edge_edge: return {s.edge_part[a], s.edge_part[b]};
    case PairKind::point_edge: return {s.point_part[a], s.edge_part[b]};
    default: return {s.point_part[a], s.point_part[b]};
    }
}

/// The nodes of a pair, and how far apart its primitives are when they touch.
PairShape NearbyPairs::shape_of(const CandidatePair& pair) const
{
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    const CollisionSurface& s = surface_;
    const auto shape = [&](int first, int corners, std::array<Index, 4> nodes) {
        double offset = 0;
        for (const Index part : parts_of(pair)) offset += s.parts[static_cast<std::size_t>(part)].radius;
        return PairShape{pair.kind, first, corners, nodes, offset};
    };
    switch (pair.kind) {
    case PairKind::point_triangle: return shape(1, 4, {s.points[a], s.faces[b][0], s.faces[b][1], s.faces[b][2]});
    case PairKind::edge_edge: return shape(2, 4, {s.edges[a][0], s.edges[a][1], s.edges[b][0], s.edges[b][1]});
    case PairKind::point_edge: return shape(1, 3, {s.points[a], s.edges[b][0], s.edges[b][1], -1});
    default: return shape(1, 2, {s.points[a], s.points[b], -1, -1});
    }
}

/// The longest way of a point of each part from where its pairs were found to x: |d_i|, or |d_i - mean d| for pairs of
/// one part. Two points have come closer by at most the ways of both.
void NearbyPairs::measure(const Kept& kept, const Vector& x, std::vector<double>& way)
{
    way.assign(parts_, infinity);
    if (kept.x.size() != x.size()) return; // nothing is known
    const auto moved_by
        = [&](std::size_t k) -> Vec3 { return node(x, surface_.points[k]) - node(kept.x, surface_.points[k]); };
    mean_.assign(parts_, Vec3::Zero());
    if (kept.of_one_part) {
        count_.assign(parts_, 0);
        for (std::size_t k = 0; k < surface_.points.size(); ++k) {
            const auto part = static_cast<std::size_t>(surface_.point_part[k]);
            mean_[part] += moved_by(k);
            ++count_[part];
        }
        for (std::size_t part = 0; part < parts_; ++part) mean_[part] /= std::max(count_[part], 1.0);
    }
    std::fill(way.begin(), way.end(), 0); // squares, until all are seen
    for (std::size_t k = 0; k < surface_.points.size(); ++k) {
        const auto part = static_cast<std::size_t>(surface_.point_part[k]);
        const double d2 = (moved_by(k) - mean_[part]).squaredNorm();
        if (!(d2 <= way[part])) way[part] = d2; // a NaN stays
    }
    for (std::size_t part = 0; part < parts_; ++part) {
        way[part] = kept.of_one_part && meets_itself_[part] == 0 ? 0 : std::sqrt(way[part]) * hairbreadth;
    }
}

/// Marks the parts that have gone too far; true if there are any.
bool NearbyPairs::find_stale(Kept& kept, const std::vector<double>& way) const
{
    kept.stale.resize(parts_);
    bool any = false;
    for (std::size_t part = 0; part < parts_; ++part) {
        kept.stale[part] = !(way[part] <= slack * dhat_);
        any = any || kept.stale[part] != 0;
    }
    return any;
}

/// Looks again for the pairs of stale parts.
void NearbyPairs::find_pairs(Kept& kept, const Vector& x)
{
    const auto is_stale = [&](Index part) { return kept.stale[static_cast<std::size_t>(part)] != 0; };
    if (kept.x.size() != x.size()) kept.x = x;
    for (std::size_t k = 0; k < surface_.points.size(); ++k) {
        if (is_stale(surface_.point_part[k])) node(kept.x, surface_.points[k]) = node(x, surface_.points[k]);
    }
    for (std::size_t part = 0; part < parts_; ++part) {
        if (kept.stale[part] != 0) kept.way[part] = 0;
    }
    // Where the other parts were found is as good as where they are: they may go as far from there as these from here.
    const double reach = (1 + 2 * slack) * dhat_;
    broad_.candidates(kept.x, nullptr, reach, found_,
        {.within = kept.of_one_part ? &kept.stale : &none_, .between = kept.of_one_part ? &none_ : &kept.stale});
    fresh_.resize(found_.size());
    parallel_for(static_cast<Index>(found_.size()), [&](Index n) {
        const CandidatePair& pair = found_[static_cast<std::size_t>(n)];
        const PairShape shape = shape_of(pair);
        const Corners corners = corners_of(shape, kept.x);
        const double gap = apart_along_centres(shape, corners, (reach + shape.offset) * hairbreadth * hairbreadth)
            ? infinity
            : std::sqrt(nearest(shape.kind, corners).d2) / hairbreadth - shape.offset;
        fresh_[static_cast<std::size_t>(n)] = {pair, parts_of(pair), gap};
    });
    fresh_.erase( // boxes were close, the primitives are not
        std::remove_if(fresh_.begin(), fresh_.end(), [&](const Cleared& c) { return c.clearance > reach; }),
        fresh_.end());
    stayed_.clear();
    for (const Cleared& c : kept.pairs) {
        if (!is_stale(c.part[0]) && !is_stale(c.part[1])) stayed_.push_back(c);
    }
    kept.pairs.resize(stayed_.size() + fresh_.size());
    std::merge(stayed_.begin(), stayed_.end(), fresh_.begin(), fresh_.end(), kept.pairs.begin());
}

/// One list, in an order that does not depend on when pairs were found.
void NearbyPairs::list()
{
    pairs_before_.swap(pairs_);
    pairs_.resize(within_.pairs.size() + between_.pairs.size());
    std::merge(
        within_.pairs.begin(), within_.pairs.end(), between_.pairs.begin(), between_.pairs.end(), pairs_.begin());
    shapes_.resize(pairs_.size());
    before_.resize(pairs_.size());
    std::size_t old = 0;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        while (old < pairs_before_.size() && pairs_before_[old] < pairs_[k]) ++old;
        const bool was_there = old < pairs_before_.size() && pairs_before_[old].pair == pairs_[k].pair;
        before_[k] = was_there ? static_cast<Index>(old) : -1;
        shapes_[k] = shape_of(pairs_[k].pair);
    }
}

bool NearbyPairs::refresh(const Vector& x)
{
    bool anew = false;
    for (Kept* kept : {&within_, &between_}) {
        measure(*kept, x, kept->way);
        if (!find_stale(*kept, kept->way)) continue;
        find_pairs(*kept, x);
        anew = true;
    }
    if (anew) list();
    return anew;
}

bool NearbyPairs::on_the_way(
    const Vector& x, const Vector& p, double gap, std::size_t most, std::vector<PairShape>& out)
{
    // Ways are straight, so points are never farther from where they were than at one of the ends.
    end_ = x + p;
    bool any_stale = false;
    for (Kept* kept : {&within_, &between_}) {
        std::vector<double>& way = kept->of_one_part ? way_within_ : way_between_;
        measure(*kept, x, way_);
        measure(*kept, end_, way);
        for (std::size_t part = 0; part < parts_; ++part) way[part] = std::max(way_[part], way[part]);
        any_stale = find_stale(*kept, way) || any_stale;
    }
    const auto is_stale = [&](const Cleared& c) {
        const std::vector<char>& stale = c.part[0] == c.part[1] ? within_.stale : between_.stale;
        return stale[static_cast<std::size_t>(c.part[0])] != 0 || stale[static_cast<std::size_t>(c.part[1])] != 0;
    };
    const auto moves = [&](Index i) { return i >= 0 && !node(p, i).isZero(0); };
    const auto may_meet = [&](const PairShape& shape) {
        const double apart = box_distance(shape, corners_of(shape, x), corners_of(shape, p));
        return !(apart > (gap + shape.offset) * hairbreadth);
    };
    const double far = gap * hairbreadth;
    out.clear();
    if (any_stale
        && !broad_.candidates(x, &p, far, found_, {.within = &within_.stale, .between = &between_.stale}, most))
        return false;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        if (is_stale(pairs_[k]) || apart(pairs_[k], way_within_, way_between_, far)) continue;
        const PairShape& shape = shapes_[k];
        if (std::any_of(shape.nodes.begin(), shape.nodes.end(), moves) && may_meet(shape)) out.push_back(shape);
    }
    if (!any_stale) return true;
    for (const CandidatePair& pair : found_) {
        const PairShape shape = shape_of(pair);
        if (may_meet(shape)) out.push_back(shape);
    }
    return true;
}

} // namespace rubato
