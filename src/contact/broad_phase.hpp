#pragma once

#include "contact/collision_surface.hpp"
#include "geometry/distance.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace rubato {

/// Two primitives of a CollisionSurface that may be close.
struct CandidatePair {
    PairKind kind;
    Index first, second; ///< point and face, edge and edge (first < second), point and edge, point and point

    auto operator<=>(const CandidatePair&) const = default;
};

/// Which of them are looked for, by part; null: all.
struct WhichPairs {
    const std::vector<char>* within = nullptr; ///< pairs of the part with itself
    const std::vector<char>* between = nullptr; ///< pairs of the part with any other
};

/// Finds pairs of primitives that may come close. Pairs that share a node, pairs that the rules keep apart and pairs of
/// two kinematic parts are left out; half-spaces are not its business. Pairs with a point that is on an edge, or an
/// edge that is on a face, are left out where a pair of the larger primitives covers them: a mesh gives point-triangle
/// and edge-edge pairs only; point_edge pairs join points and edges that are on no face (those of curves too: nothing
/// else keeps parallel curves apart, whose edge-edge pairs are mollified away), point_point pairs lone points.
///
/// One bounding volume hierarchy per part, made once from the rest shape and refitted for every question.
class BroadPhase {
public:
    BroadPhase(const CollisionSurface& surface, const PairRules& rules, const Vector& X);
    ~BroadPhase();

    /// All pairs whose boxes come closer than `reach` plus the radii of their parts in every direction, at x, or
    /// anywhere on the straight way from x to x + p where p is given (a common motion of two parts does not count).
    /// Sorted; the same for any number of threads. `out` keeps its memory. False, with nothing in `out`, if there are
    /// more than `most`: no more of them are stored, and parts of the search that have not begun are left out.
    bool candidates(const Vector& x, const Vector* p, double reach, std::vector<CandidatePair>& out,
        const WhichPairs& which = {}, std::size_t most = std::numeric_limits<std::size_t>::max());

private:
    struct Trees;
    const CollisionSurface& surface_;
    const PairRules& rules_;
    std::unique_ptr<Trees> trees_;
};

} // namespace rubato
