#pragma once

#include "contact/collision_surface.hpp"
#include "geometry/distance.hpp"

#include <vector>

namespace rubato {

/// A place where two surfaces cross.
struct Intersection {
    enum class Kind { edge_through_face, point_behind_half_space, too_close } kind;
    Index part_a = 0, part_b = 0;
    Index first = 0, second = 0; ///< edge and face, point and half-space, or the pair; numbers in the CollisionSurface
    Vec3 place = Vec3::Zero(); ///< [m]
    PairKind pair = PairKind::point_triangle; ///< what first and second are, if they are too close
};

/// Every edge that crosses or touches a face, every point in or on a half-space (or closer to it than its part's
/// radius), and, for parts with a radius, primitives no farther apart than their radii, at x. In this order, by number.
/// Primitives that share a node, pairs that the rules keep apart and pairs of two kinematic parts are not looked at.
/// A body that is all inside another one crosses nothing.
std::vector<Intersection> intersections(
    const CollisionSurface& surface, const PairRules& rules, const Vector& X, const Vector& x);

} // namespace rubato
