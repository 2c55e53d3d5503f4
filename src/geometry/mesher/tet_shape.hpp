#pragma once

#include "geometry/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

/// The shape of a tetrahedron as one number, and how it changes when a corner moves.
///
///   n_i     outward unit normal of the face opposite corner i
///   c_ij    cosine of the dihedral angle between faces i and j: -n_i . n_j
///   shape = min over pairs of min(1 - c_ij, w (1 + c_ij)),   not positive if the tetrahedron is flat or inverted
///
/// Small angles make 1 - c small, large ones 1 + c. The weight w weighs 150 degrees like 20: large angles harm the
/// stiffness matrix less than small ones do the step size. No arc cosine is needed to compare two tetrahedra.
///
/// When corner k moves by d, the normal of a face i that has it turns about the opposite edge of that face:
///   dn_i = -(n_i . d) / h_i g_i,   g_i the unit vector in the face from that edge to k, h_i the height of k above it.
namespace rubato::mesher {

inline constexpr double large_angle_weight = 0.45; // (1 - cos 20) / (1 + cos 150)

/// The shape of a tetrahedron whose smallest dihedral angle is this one [deg] and whose largest does not count.
inline double shape_of_angle(double degrees) { return 1 - std::cos(degrees * M_PI / 180); }

/// Area vectors (twice the area, outward) of the faces opposite each corner.
inline std::array<Vec3, 4> face_vectors(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return {(c - b).cross(d - b), (d - a).cross(c - a), (b - a).cross(d - a), (c - a).cross(b - a)};
}

inline double tet_shape(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const auto n = face_vectors(a, b, c, d);
    const double det = -(b - a).dot(n[1]);
    double l2[4], longest = 0;
    for (int i = 0; i < 4; ++i) {
        l2[i] = n[i].squaredNorm();
        longest = std::max(longest, l2[i]);
    }
    if (!(det > 1e-9 * std::pow(longest, 0.75))) return std::min(det / std::pow(longest + 1e-300, 0.75), 0.0) - 1e-9;
    double least = 2;
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            const double cosine = -n[i].dot(n[j]) / std::sqrt(l2[i] * l2[j]);
            least = std::min({least, 1 - cosine, large_angle_weight * (1 + cosine)});
        }
    }
    return least;
}

struct ShapeAndSlope {
    double shape = 0;
    Vec3 slope = Vec3::Zero(); ///< of the worst angle, with respect to corner 0 [1/m]
};

/// Shape of a valid tetrahedron and its derivative with respect to its first corner.
inline ShapeAndSlope tet_shape_and_slope(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const std::array<Vec3, 4> x = {a, b, c, d};
    auto n = face_vectors(a, b, c, d);
    for (Vec3& v : n) v.normalize();
    double least = 2;
    int wi = 0, wj = 1;
    bool large = false;
    for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) {
            const double cosine = -n[i].dot(n[j]);
            const double small_side = 1 - cosine, large_side = large_angle_weight * (1 + cosine);
            if (small_side < least) least = small_side, wi = i, wj = j, large = false;
            if (large_side < least) least = large_side, wi = i, wj = j, large = true;
        }
    }
    // the corners of face i other than corner 0
    static constexpr int others[4][2] = {{0, 0}, {2, 3}, {1, 3}, {1, 2}};
    Vec3 slope = Vec3::Zero();
    const auto add = [&](int i, int j) {
        if (i == 0) return; // this face does not have the corner
        const Vec3& p = x[others[i][0]];
        const Vec3 e = (x[others[i][1]] - p).normalized();
        Vec3 g = x[0] - p;
        g -= g.dot(e) * e;
        const double h2 = g.squaredNorm();
        if (h2 > 0) slope += g.dot(n[j]) / h2 * n[i];
    };
    add(wi, wj);
    add(wj, wi);
    return {least, large ? (large_angle_weight * slope).eval() : (-slope).eval()};
}

} // namespace rubato::mesher
