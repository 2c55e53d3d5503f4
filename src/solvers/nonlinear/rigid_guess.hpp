#pragma once

#include "dynamics/system.hpp"

#include <vector>

namespace rubato {

/// A start for Newton's method that moves bodies as if they were rigid.
///
/// The inertial target x_tilde carries every node straight on, so a body that turns by an angle a in a step is
/// stretched by a^2/2, and one that vibrates fast is deformed at random; a stiff one needs several iterations to take
/// that back. The rigid motion that comes closest to it,
///
///     guess = c_tilde + R (x - c),        x_tilde - c_tilde ~ A (x - c),  A = R S
///
///     c, c_tilde   centres of mass        A   the best affine map in the norm of the mass, R its rotation
///
/// keeps the shape that the body has.
class RigidGuess {
public:
    RigidGuess() = default;
    RigidGuess(const System& system, const BlockStructure& graph);

    /// False if it is x_tilde to within `least` [m].
    bool make(const Vector& x, const Vector& x_tilde, double least, Vector& guess) const;

private:
    std::vector<std::vector<Index>> bodies_; // nodes of each that is free to turn
    Vector mass_;
};

} // namespace rubato
