#pragma once

#include "base/types.hpp"

#include <array>
#include <cstdint>

/// Distances between the primitives of surfaces, with closed-form derivatives.
///
///     kind             corners x[0..3]
///     point_triangle   p, a, b, c
///     edge_edge        a0, a1, b0, b1
///     point_edge       p, a, b           (x[3] is not looked at)
///     point_point      p, q              (x[2], x[3] are not looked at)
///
/// In every kind the gap between the nearest points is one sum over the corners, gap = sum_k w_k x_k, whose weights add
/// up to zero and depend on up to two parameters theta (barycentric coordinates of the nearest points) that were not
/// held back by the rim of a primitive. The squared distance is d2(x) = min_theta |gap(x, theta)|^2, so by the envelope
/// theorem
///
///     grad_k d2 = 2 w_k gap
///     hess   d2 = f_xx - f_xt f_tt^-1 f_tx        f = |gap|^2 at fixed theta
///         f_xx (k, l) = 2 w_k w_l I
///         f_xt (k, m) = 2 (w'_km gap + w_k s_m)    w'_km = dw_k/dtheta_m,  s_m = dgap/dtheta_m
///         f_tt (m, n) = 2 s_m . s_n
///
/// which is one formula for all kinds and all regions.
namespace rubato {

enum class PairKind : std::uint8_t { point_triangle, edge_edge, point_edge, point_point };

using Corners = std::array<Vec3, 4>;

/// The nearest points of two primitives.
struct Nearest {
    Vec3 gap = Vec3::Zero(); ///< from the second primitive to the first [m]
    double d2 = 0; ///< |gap|^2 [m^2]
    std::array<double, 4> weight = {}; ///< w; zero for corners that the kind does not have
    int freedom = 0; ///< number of free parameters theta: 0, 1 or 2
    std::array<std::array<double, 4>, 2> slide_weight = {}; ///< w', the first `freedom` of them
    std::array<Vec3, 2> slide = {Vec3::Zero(), Vec3::Zero()}; ///< s [m]
};

/// Robust for every input, also for edges of no length and triangles of no area: a parameter that the gap hardly
/// depends on is held at the rim.
Nearest nearest(PairKind kind, const Corners& x);

/// Gradient and, where wanted, Hessian of the squared distance with respect to the stacked corners.
void squared_distance_derivatives(const Nearest& at, Vec12& gradient, Mat12* hessian);

/// Two edges that become parallel have nearest points that jump: the gradient of their distance is not continuous. The
/// mollifier m of the barrier between edges (Li et al. 2020, sec. 5.1) takes their pair away smoothly:
///
///     c = |a x b|^2,   m = c/eps (2 - c/eps) for c < eps, 1 beyond      a, b: edge vectors [m]
///
/// eps [m^4] is 1e-3 |A|^2 |B|^2 with A, B the edges at rest. Returns m; gradient and Hessian where wanted.
double edge_edge_mollifier(const Corners& x, double eps, Vec12* gradient, Mat12* hessian);

} // namespace rubato
