#pragma once

#include "base/types.hpp"

namespace rubato {

/// The view of a potential that has a stress: elements which can say how hard they are strained.
class Stressed {
public:
    virtual ~Stressed() = default;

    /// For every element with the nodes at x [m]: adds its rest volume [m^3] to `volume` and volume times von Mises
    /// stress [Pa m^3] to `weighted`, at each of its nodes. An element that is turned inside out adds nothing.
    virtual void add_stress(const Vector& x, Vector& weighted, Vector& volume) const = 0;
};

/// von Mises stress of the Cauchy stress sigma = P F^T / det F [Pa]; `J` = det F > 0.
inline double von_mises(const Mat3& P, const Mat3& F, double J)
{
    const Mat3 sigma = P * F.transpose() / J;
    const double mean = sigma.trace() / 3;
    Mat3 deviator = sigma;
    deviator.diagonal().array() -= mean;
    return std::sqrt(1.5 * deviator.squaredNorm());
}

} // namespace rubato
