#pragma once

#include "base/types.hpp"

#include <cmath>

/// Second-order forward automatic differentiation in long double: a value with its gradient and Hessian with respect to
/// the nine entries of F, columns stacked. The oracle for stress and stiffness.
namespace rubato {

struct Jet {
    using Real = long double;
    using Gradient = Eigen::Matrix<Real, 9, 1>;
    using Hessian = Eigen::Matrix<Real, 9, 9>;

    Real v = 0;
    Gradient g = Gradient::Zero();
    Hessian h = Hessian::Zero();

    Jet() = default;
    Jet(Real constant)
        : v(constant)
    {
    }
    static Jet variable(Real value, int entry)
    {
        Jet x(value);
        x.g[entry] = 1;
        return x;
    }
    /// phi(x) from phi, phi' and phi'' at x.
    static Jet chain(const Jet& x, Real phi, Real phi1, Real phi2)
    {
        Jet y(phi);
        y.g = phi1 * x.g;
        y.h = phi1 * x.h + phi2 * (x.g * x.g.transpose());
        return y;
    }
};

inline Jet operator+(Jet a, const Jet& b)
{
    a.v += b.v;
    a.g += b.g;
    a.h += b.h;
    return a;
}
inline Jet operator-(Jet a, const Jet& b)
{
    a.v -= b.v;
    a.g -= b.g;
    a.h -= b.h;
    return a;
}
inline Jet operator*(const Jet& a, const Jet& b)
{
    Jet y(a.v * b.v);
    y.g = a.v * b.g + b.v * a.g;
    y.h = a.v * b.h + b.v * a.h + a.g * b.g.transpose() + b.g * a.g.transpose();
    return y;
}
inline Jet reciprocal(const Jet& a)
{
    const Jet::Real r = 1 / a.v;
    return Jet::chain(a, r, -r * r, 2 * r * r * r);
}
inline Jet operator/(const Jet& a, const Jet& b) { return a * reciprocal(b); }
inline Jet log(const Jet& a) { return Jet::chain(a, std::log(a.v), 1 / a.v, -1 / (a.v * a.v)); }
inline Jet square(const Jet& a) { return a * a; }

} // namespace rubato
