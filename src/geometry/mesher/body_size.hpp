#pragma once

#include "geometry/signed_field.hpp"

namespace rubato::mesher {

/// What a body measures, by lines across it: good to some per cent, for walls down to 1e-5 of the diagonal.
struct BodySize {
    double volume = 0; ///< [m^3]
    double area = 0; ///< of its surface [m^2], to about a quarter

    double thickness() const { return area > 0 ? 2 * volume / area : 0; } ///< of a plate of this volume and area [m]
};

BodySize body_size(const SignedField& field);

} // namespace rubato::mesher
