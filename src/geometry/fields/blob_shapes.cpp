#include "geometry/fields/blob_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

/// The largest |grad|^2 over v in [0, 1] for radii with m = R^2 / r^2, at that u (see Ellipsoid).
double largest_squared_slope(double m, double u)
{
    const double n = m - 1;
    const double l = 1 - 1 / m;
    const double alpha = -2 * u * (n - l) + u * u * l * l;
    const double beta = u * u * (n * n - l * l);
    auto squared = [&](double v) { return 1 + v * (1 - v) * (alpha + beta * v); };
    // 3 beta v^2 - 2 (beta - alpha) v - alpha = 0
    const double half = beta - alpha;
    const double root = std::sqrt(std::max(half * half + 3 * alpha * beta, 0.0));
    double most = 1;
    if (beta > 0) {
        for (const double v : {(half - root) / (3 * beta), (half + root) / (3 * beta)}) {
            if (v > 0 && v < 1) most = std::max(most, squared(v));
        }
    }
    return most;
}

} // namespace

double Ellipsoid::value(const Vec3& p) const
{
    const Vec3 q = (p - center).cwiseQuotient(radii);
    const double s = q.norm();
    const double least = radii.minCoeff();
    if (s < 1e-6) return least * (s - 1);
    const double g = q.cwiseQuotient(radii).norm();
    const double first_order = s * (s - 1) / g;
    return s >= 1 ? first_order : std::min(std::max(first_order, -least / 4), least * (s - 1));
}

double Ellipsoid::lipschitz() const
{
    double most = 1;
    for (int i = 0; i < 3; ++i) {
        const double ratio = radii[i] / radii[(i + 1) % 3];
        const double m = std::max(ratio * ratio, 1 / (ratio * ratio));
        most = std::max({most, largest_squared_slope(m, -1.0 / 3), largest_squared_slope(m, 1)});
    }
    return std::sqrt(most);
}

BoundingBall Ellipsoid::ball() const
{
    // s / g = |q| cos(q, q / radii^2) / s; Kantorovich's inequality bounds the cosine, and s >= |q| / R.
    const double ratio = radii.maxCoeff() / radii.minCoeff();
    return {center, radii.maxCoeff(), 2 * ratio / (1 + ratio * ratio)};
}

double TaperedCapsule::value(const Vec3& p) const
{
    const Vec3 axis = b - a;
    const double l2 = axis.squaredNorm();
    const double t = l2 > 0 ? std::clamp((p - a).dot(axis) / l2, 0.0, 1.0) : 0;
    return (p - a - t * axis).norm() - (radius_a + t * (radius_b - radius_a));
}

double TaperedCapsule::lipschitz() const
{
    const double length = (b - a).norm();
    return length > 0 ? std::hypot(1, (radius_a - radius_b) / length) : 1;
}

BoundingBall TaperedCapsule::ball() const
{
    // The smallest ball around both end balls; each point of the axis with its radius lies in it.
    const double length = (b - a).norm();
    const double radius = (length + radius_a + radius_b) / 2;
    if (radius <= radius_a) return {a, radius_a, 1};
    if (radius <= radius_b) return {b, radius_b, 1};
    return {a + (b - a) * ((radius - radius_a) / length), radius, 1};
}

double BlobBox::value(const Vec3& p) const
{
    const Vec3 q = (p - center).cwiseAbs() - (half - Vec3::Constant(round));
    return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0) - round;
}

} // namespace rubato
