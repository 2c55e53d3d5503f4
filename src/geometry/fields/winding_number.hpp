#pragma once

#include "geometry/triangle_tree.hpp"

#include <array>
#include <vector>

namespace rubato {

/// Part of the full sphere under which a triangle is seen from p, positive from its back: solid angle / 4 pi.
/// (A. Van Oosterom, J. Strackee: The solid angle of a plane triangle, 1983.)
double winding_of_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// The generalised winding number of a surface (Jacobson, Kavan, Sorkine-Hornung 2013): the sum over its triangles of
/// winding_of_triangle. Inside a closed surface 1, outside 0; overlapping shells add up, a cavity takes 1 away; across
/// a hole it passes smoothly between the two.
///
/// Fast (Barill, Dickson, Schmidt, Levin, Jacobson: Fast winding numbers for soups and clouds, 2018): seen from further
/// than `beta` times its radius, a node of the tree counts as its Taylor series to second order. A piece of surface
/// with normal n at center + e adds n . (d + e) / |d + e|^3 / 4 pi, d = center - p, which is a derivative of the
/// potential 1/|d + e|. As that is harmonic, only the harmonic parts (traces removed) of the moments count:
///
///   4 pi w = [ N . d - 3 M(d) / |d|^2 + 15/2 T(d) / |d|^4 ] / |d|^3,
///
///   N = sum of n,   M(x) = sum of (e . x)(n . x),   T(x) = sum of (e . x)^2 (n . x)    (integrals over the triangles).
class WindingNumber {
public:
    /// Coefficients of x^2, y^2, z^2, yz, zx, xy.
    using Quadratic = std::array<double, 6>;
    /// Coefficients of x^3, y^3, z^3, x^2 y, x^2 z, y^2 z, y^2 x, z^2 x, z^2 y, xyz.
    using Cubic = std::array<double, 10>;

    WindingNumber() = default;
    /// `tree` must outlive this. Measured error on scanned bodies: at most 0.02 with beta = 1.5, 0.004 with 2.
    explicit WindingNumber(const TriangleTree& tree, double beta = 1.5);

    double at(const Vec3& p) const;

private:
    struct Moments {
        Vec3 center = Vec3::Zero(); ///< of the areas [m]
        double reach2 = 0; ///< (beta radius)^2 [m^2]
        Vec3 N = Vec3::Zero(); ///< [m^2]
        Quadratic M = {}; ///< [m^3]
        Cubic T = {}; ///< [m^4]
    };

    const TriangleTree* tree_ = nullptr;
    std::vector<Moments> moments_; ///< one per node of the tree
};

} // namespace rubato
