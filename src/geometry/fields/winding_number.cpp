#include "geometry/fields/winding_number.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

using Quadratic = WindingNumber::Quadratic;
using Cubic = WindingNumber::Cubic;

/// The form (u . x)(v . x).
Quadratic product(const Vec3& u, const Vec3& v)
{
    return {u.x() * v.x(), u.y() * v.y(), u.z() * v.z(), u.y() * v.z() + u.z() * v.y(), u.z() * v.x() + u.x() * v.z(),
        u.x() * v.y() + u.y() * v.x()};
}

/// The form (u . x) q(x).
Cubic product(const Vec3& u, const Quadratic& q)
{
    const auto& [xx, yy, zz, yz, zx, xy] = q;
    return {u.x() * xx, u.y() * yy, u.z() * zz, u.y() * xx + u.x() * xy, u.z() * xx + u.x() * zx,
        u.z() * yy + u.y() * yz, u.x() * yy + u.y() * xy, u.x() * zz + u.z() * zx, u.y() * zz + u.z() * yz,
        u.x() * yz + u.y() * zx + u.z() * xy};
}

template <std::size_t n>
void add(std::array<double, n>& sum, const std::array<double, n>& terms, double factor = 1)
{
    for (std::size_t i = 0; i < n; ++i) sum[i] += factor * terms[i];
}

double value(const Quadratic& q, const Vec3& d)
{
    return d.x() * (q[0] * d.x() + q[5] * d.y()) + d.y() * (q[1] * d.y() + q[3] * d.z())
        + d.z() * (q[2] * d.z() + q[4] * d.x());
}

double value(const Cubic& c, const Vec3& d)
{
    const double x2 = d.x() * d.x();
    const double y2 = d.y() * d.y();
    const double z2 = d.z() * d.z();
    return d.x() * (c[0] * x2 + c[6] * y2 + c[7] * z2) + d.y() * (c[1] * y2 + c[3] * x2 + c[8] * z2)
        + d.z() * (c[2] * z2 + c[4] * x2 + c[5] * y2) + c[9] * d.x() * d.y() * d.z();
}

/// q - |x|^2 (Laplacian of q) / 6: harmonic.
Quadratic harmonic(Quadratic q)
{
    const double third = (q[0] + q[1] + q[2]) / 3;
    for (int i = 0; i < 3; ++i) q[i] -= third;
    return q;
}

/// c - |x|^2 (Laplacian of c) / 10: harmonic.
Cubic harmonic(Cubic c)
{
    const Vec3 laplacian{6 * c[0] + 2 * (c[6] + c[7]), 6 * c[1] + 2 * (c[3] + c[8]), 6 * c[2] + 2 * (c[4] + c[5])};
    add(c, product(laplacian, Quadratic{1, 1, 1, 0, 0, 0}), -0.1);
    return c;
}

/// A sum of half solid angles, each the argument of a complex number: their product has the sum of the arguments, up to
/// whole turns, which are counted. One arc tangent serves them all.
class AngleSum {
public:
    void add_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
    {
        const Vec3 pa = a - p;
        const Vec3 pb = b - p;
        const Vec3 pc = c - p;
        const double la = pa.norm();
        const double lb = pb.norm();
        const double lc = pc.norm();
        const double im = pa.dot(pb.cross(pc));
        if (im == 0) return; // seen edge-on
        const double re = la * lb * lc + pa.dot(pb) * lc + pb.dot(pc) * la + pc.dot(pa) * lb;

        const double re_next = re_ * re - im_ * im;
        const double im_next = re_ * im + im_ * re;
        // By sign bits, as atan2 does: at half a turn the zero of im_ says which side of the cut the sum is on.
        const bool below = std::signbit(im_);
        const bool below_next = std::signbit(im_next);
        if (!below && im > 0 && below_next) ++turns_;
        if (below && im < 0 && !below_next) --turns_;
        const double size = std::abs(re_next) + std::abs(im_next);
        if (!(size > 0)) return; // p is a corner
        re_ = re_next / size;
        im_ = im_next / size;
    }

    /// The solid angle over 4 pi.
    double turns() const { return turns_ + std::atan2(im_, re_) / (2 * std::numbers::pi); }

private:
    double re_ = 1, im_ = 0;
    int turns_ = 0;
};

} // namespace

double winding_of_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    AngleSum sum;
    sum.add_triangle(p, a, b, c);
    return sum.turns();
}

WindingNumber::WindingNumber(const TriangleTree& tree, double beta)
    : tree_(&tree)
    , moments_(tree.nodes().size())
{
    const auto& nodes = tree.nodes();
    std::vector<double> area(nodes.size(), 0);
    std::vector<double> radius(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) { // children come after their parents
        const TriangleTree::Node& node = nodes[i];
        Moments& m = moments_[i];
        const Vec3 box_center = (node.low + node.high) / 2;
        if (node.count > 0) {
            for (Index t = node.first; t < node.first + node.count; ++t) {
                const auto& [a, b, c] = tree.corners()[t];
                const double part = (b - a).cross(c - a).norm() / 2;
                area[i] += part;
                m.center += part * (a + b + c) / 3;
            }
            m.center = area[i] > 0 ? Vec3(m.center / area[i]) : box_center;
            for (Index t = node.first; t < node.first + node.count; ++t) {
                const auto& [a, b, c] = tree.corners()[t];
                const Vec3 n = (b - a).cross(c - a) / 2;
                const Vec3 sum = a + b + c - 3 * m.center;
                m.N += n;
                add(m.M, product(sum / 3, n));
                Quadratic second = product(sum, sum); // 12 times the mean of (e . x)^2
                for (const Vec3& x : {a, b, c}) {
                    add(second, product(x - m.center, x - m.center));
                    radius[i] = std::max(radius[i], (x - m.center).norm());
                }
                add(m.T, product(n, second), 1.0 / 12);
            }
        } else {
            const auto left = static_cast<std::size_t>(node.first);
            area[i] = area[left] + area[left + 1];
            for (const std::size_t child : {left, left + 1}) m.center += area[child] * moments_[child].center;
            m.center = area[i] > 0 ? Vec3(m.center / area[i]) : box_center;
            for (const std::size_t child : {left, left + 1}) {
                const Moments& part = moments_[child];
                const Vec3 shift = part.center - m.center;
                m.N += part.N;
                add(m.M, part.M);
                add(m.M, product(shift, part.N));
                add(m.T, part.T);
                add(m.T, product(shift, part.M), 2);
                add(m.T, product(part.N, product(shift, shift)));
                radius[i] = std::max(radius[i], shift.norm() + radius[child]);
            }
            const Vec3 farthest = (node.high - m.center).cwiseMax(m.center - node.low);
            radius[i] = std::min(radius[i], farthest.norm());
        }
        m.reach2 = beta * beta * radius[i] * radius[i];
    }
    for (Moments& m : moments_) {
        m.M = harmonic(m.M);
        m.T = harmonic(m.T);
    }
}

double WindingNumber::at(const Vec3& p) const
{
    if (moments_.empty()) return 0;
    const auto& nodes = tree_->nodes();
    AngleSum near_sum;
    double far_sum = 0; // before the division by 4 pi
    std::array<Index, 64> stack;
    int size = 0;
    stack[size++] = 0;
    while (size > 0) {
        const Index i = stack[--size];
        const Moments& m = moments_[i];
        const Vec3 d = m.center - p;
        const double d2 = d.squaredNorm();
        if (d2 > m.reach2) {
            const double over_d2 = 1 / d2;
            const double series = m.N.dot(d) + over_d2 * (7.5 * over_d2 * value(m.T, d) - 3 * value(m.M, d));
            far_sum += series * over_d2 * std::sqrt(over_d2);
            continue;
        }
        const TriangleTree::Node& node = nodes[i];
        if (node.count == 0) {
            stack[size++] = node.first + 1;
            stack[size++] = node.first;
            continue;
        }
        for (Index t = node.first; t < node.first + node.count; ++t) {
            const auto& [a, b, c] = tree_->corners()[t];
            near_sum.add_triangle(p, a, b, c);
        }
    }
    return near_sum.turns() + far_sum / (4 * std::numbers::pi);
}

} // namespace rubato
