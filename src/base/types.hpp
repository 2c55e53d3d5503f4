#pragma once

#include <Eigen/Core>

#include <cmath>

/// Fixed-size and run-time vectors used everywhere. SI units throughout.
namespace rubato {

using Index = int; ///< node, element or block number

using Vector = Eigen::VectorXd; ///< one entry per unknown; node i occupies entries 3i, 3i+1, 3i+2
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec9 = Eigen::Matrix<double, 9, 1>; ///< a 3x3 matrix, columns stacked
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec12 = Eigen::Matrix<double, 12, 1>; ///< four nodes of a tetrahedron, stacked
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// The three unknowns of node i, to read or to write.
inline auto node(Vector& x, Index i) { return x.segment<3>(3 * i); }
inline auto node(const Vector& x, Index i) { return x.segment<3>(3 * i); }

/// Largest Euclidean length of a node's block of `x`.
inline double largest_nodal_norm(const Vector& x)
{
    double most = 0;
    for (Index i = 0; i < static_cast<Index>(x.size() / 3); ++i) {
        const double n2 = node(x, i).squaredNorm();
        if (n2 > most || std::isnan(n2)) most = n2; // a NaN stays, so that it is seen
    }
    return std::sqrt(most);
}

} // namespace rubato

/// Pure fixed-size mathematics compiles for host and device.
#if defined(__CUDACC__)
#define RB_HD __host__ __device__
#else
#define RB_HD
#endif
