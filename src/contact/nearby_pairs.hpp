#pragma once

#include "contact/broad_phase.hpp"
#include "contact/pair_shape.hpp"

#include <vector>

namespace rubato {

/// The pairs that may be close, kept as long as they are known to be all.
///
/// Each part remembers where its points were when its pairs were found, and pairs how far apart they were. As long as
/// no point of a part has gone farther than `slack` dhat from there, no pair can be close that is not in the list, and
/// most of those in it are known to be apart. Pairs of a part with itself do not mind a common motion: for them the way
/// of a point is counted against the mean of its part, so that flying and vibrating a little does not change them.
/// Pairs of parts that went farther are looked for again, the others stay.
class NearbyPairs {
public:
    NearbyPairs(const CollisionSurface& surface, const PairRules& rules, double dhat, const Vector& X);

    /// Makes sure that all pairs closer than dhat at x are in the list; true if it is another list now.
    bool refresh(const Vector& x);

    std::size_t size() const { return pairs_.size(); }
    const CandidatePair& pair(std::size_t k) const { return pairs_[k].pair; }
    const PairShape& shape(std::size_t k) const { return shapes_[k]; }
    /// Where pair k was in the list before the last refresh that made another one; -1: it was not there.
    Index before(std::size_t k) const { return before_[k]; }
    /// True if pair k is certainly farther apart than `gap` (that of its surfaces) where refresh was called last.
    bool is_apart(std::size_t k, double gap) const { return apart(pairs_[k], within_.way, between_.way, gap); }

    /// All pairs whose gap may get smaller than `gap` on the straight way from x to x + p. False, with no answer, if a
    /// search for them finds more than `most` candidates.
    bool on_the_way(const Vector& x, const Vector& p, double gap, std::size_t most, std::vector<PairShape>& out);

private:
    struct Cleared {
        CandidatePair pair;
        std::array<Index, 2> part;
        double clearance; // its gap when it was found [m]

        bool operator<(const Cleared& other) const { return pair < other.pair; }
    };
    /// Pairs of parts with themselves, or of two parts.
    struct Kept {
        bool of_one_part;
        Vector x = {}; // where each part was when its pairs were found [m]
        std::vector<Cleared> pairs = {}; // sorted
        std::vector<double> way = {}; // of each part's points from there, the longest [m]
        std::vector<char> stale = {}; // by part: whether that is too far
    };

    void measure(const Kept& kept, const Vector& x, std::vector<double>& way);
    bool find_stale(Kept& kept, const std::vector<double>& way) const;
    void find_pairs(Kept& kept, const Vector& x);
    void list();
    PairShape shape_of(const CandidatePair& pair) const;
    std::array<Index, 2> parts_of(const CandidatePair& pair) const;
    static bool apart(
        const Cleared& c, const std::vector<double>& within, const std::vector<double>& between, double gap)
    {
        const std::vector<double>& way = c.part[0] == c.part[1] ? within : between;
        return c.clearance - (way[static_cast<std::size_t>(c.part[0])] + way[static_cast<std::size_t>(c.part[1])])
            > gap;
    }

    const CollisionSurface& surface_;
    double dhat_;
    BroadPhase broad_;
    std::size_t parts_;
    std::vector<char> meets_itself_; // by part
    Kept within_, between_;
    std::vector<Cleared> pairs_; // all of both, sorted
    std::vector<PairShape> shapes_; // of pairs_, as is the next
    std::vector<Index> before_;

    // Work.
    Vector end_;
    std::vector<Vec3> mean_;
    std::vector<double> count_, way_, way_within_, way_between_;
    std::vector<char> none_; // by part: no pairs
    std::vector<CandidatePair> found_;
    std::vector<Cleared> stayed_, fresh_, pairs_before_;
};

} // namespace rubato
