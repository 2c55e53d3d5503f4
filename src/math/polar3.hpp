#pragma once

#include "math/svd3.hpp"

/// Polar decomposition F = R S with R a rotation (det R = +1 also for det F < 0) and S symmetric. S is positive
/// semidefinite if det F >= 0 and has one negative eigenvalue otherwise, the smallest in magnitude: R is then the
/// rotation nearest to F.
namespace rubato {

struct Polar3 {
    Mat3 R; ///< rotation
    Mat3 S; ///< symmetric
};

RB_HD inline Polar3 polar3(const Svd3& svd)
{
    return {svd.U * svd.V.transpose(), svd.V * svd.sigma.asDiagonal() * svd.V.transpose()};
}

RB_HD inline Polar3 polar3(const Mat3& F) { return polar3(svd3(F)); }

} // namespace rubato
