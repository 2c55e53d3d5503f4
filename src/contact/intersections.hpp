#pragma once

#include "contact/collision_surface.hpp"

#include <vector>

namespace rubato {

/// A place where two surfaces cross.
struct Intersection {
    enum class Kind { edge_through_face, point_behind_half_space, too_close } kind;
    Index part_a = 0, part_b = 0;
    Index first = 0, second = 0; ///< edge and face, or point and half-space; number in the CollisionSurface
    Vec3 place = Vec3::Zero(); ///< [m]
};

/// Every edge that crosses a face, every point in or on a half-space, and (for parts with a radius) primitives closer
/// than their radii, at x. Pairs that the rules keep apart and pairs of two kinematic parts are not looked at.
std::vector<Intersection> intersections(
    const CollisionSurface& surface, const PairRules& rules, const Vector& X, const Vector& x);

} // namespace rubato
