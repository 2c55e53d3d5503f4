#pragma once

#include "geometry/bounds.hpp"

namespace rubato {

/// A solid as the set of points where a function is negative: what the mesher fills with tetrahedra. Its calls may
/// come from several threads at once.
class SignedField {
public:
    virtual ~SignedField() = default;

    /// Negative inside, positive outside [m]; near the surface about the distance to it. Where a dirty surface has a
    /// hole the value may jump from one sign to the other; then the sign alone says where the surface is.
    virtual double value(const Vec3& p) const = 0;

    /// |value(p)| <= steepness * (distance from p to the surface): the ball of radius |value(p)| / steepness around p
    /// holds no piece of the surface.
    virtual double steepness() const { return 1; }

    virtual Bounds bounds() const = 0; ///< holds the whole body [m]
};

} // namespace rubato
