#pragma once

#include "contact/broad_phase.hpp"
#include "contact/pair_shape.hpp"

#include <vector>

namespace rubato {

/// The pairs that may be close, kept as long as they are known to be all.
///
/// Pairs within one part are found once and serve until a point of the part has moved by more than `slack` dhat against
/// the mean of the part: flying and vibrating a little does not change them. For each of them the distance at that time
/// is kept, and how far the part has been deformed since tells whether it can be close now. Pairs of two parts serve
/// until a point anywhere has moved by more than that.
class NearbyPairs {
public:
    NearbyPairs(const CollisionSurface& surface, const PairRules& rules, double dhat, const Vector& X);

    /// Makes sure that all pairs closer than dhat at x are in the list; true if it had to be made anew.
    bool refresh(const Vector& x);

    std::size_t size() const { return pairs_.size(); }
    const CandidatePair& pair(std::size_t k) const { return pairs_[k]; }
    const PairShape& shape(std::size_t k) const { return shapes_[k]; }
    /// True if pair k is certainly farther apart than `gap` (that of its surfaces) where refresh was called last.
    bool is_apart(std::size_t k, double gap) const { return clearance_[k] - 2 * bend_[part_[k]] > gap; }

    /// All pairs whose gap may get smaller than `gap` on the straight way from x to x + p.
    void on_the_way(const Vector& x, const Vector& p, double gap, std::vector<PairShape>& out);

private:
    bool within_slack(const Vector& x) const;
    void measure_bends(const Vector& x, std::vector<double>& bend);
    PairShape shape_of(const CandidatePair& pair) const;

    const CollisionSurface& surface_;
    double dhat_;
    BroadPhase broad_;
    std::size_t parts_;
    Vector x_between_, x_within_; // where pairs of two parts, and those of one, were found
    struct Cleared {
        CandidatePair pair;
        double clearance; // its gap when it was found [m]
    };
    std::vector<Cleared> within_, stayed_, fresh_; // the last two: work
    std::vector<CandidatePair> between_, pairs_, found_; // found_: work
    std::vector<PairShape> shapes_; // of pairs_, as are the next two
    std::vector<double> clearance_;
    std::vector<std::size_t> part_; // whose bend counts; the last for pairs of two parts, which tells nothing
    std::vector<double> bend_, bend_before_, bend_after_; // largest way of a point against the mean of its part [m]
    std::vector<char> meets_itself_; // by part
    std::vector<char> none_; // work, as are the next
    Vector end_;
    std::vector<Vec3> mean_;
    std::vector<double> count_, most_;
    std::vector<char> stale_; // by part: its own pairs are to be found
};

} // namespace rubato
