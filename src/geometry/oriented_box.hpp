#pragma once

#include "geometry/bounds.hpp"

namespace rubato {

/// A box that may stand askew.
struct OrientedBox {
    Vec3 center = Vec3::Zero(); ///< [m]
    Mat3 axes = Mat3::Identity(); ///< orthonormal columns: directions of its edges
    Vec3 half = Vec3::Zero(); ///< half of its edge lengths [m]

    Bounds bounds() const; ///< of the box itself, axis-aligned
};

/// Whether a plane with a slab of thickness `gap` [m] fits between the boxes: then they are at least that far apart.
/// Directions tried are those of the separating axis theorem, so that with gap = 0 the answer is exact.
bool apart(const OrientedBox& a, const OrientedBox& b, double gap);

} // namespace rubato
