#pragma once

#include "dynamics/system.hpp"

#include <vector>

namespace rubato {

/// A start for Newton's method that turns bodies instead of stretching them.
///
/// The inertial target x_tilde carries every node straight on, so a body that turns by an angle a in a step is
/// stretched by a^2/2, and a stiff one needs several iterations to take that back. Of each body's straight way, the
/// affine map
///
///     x_tilde - c_tilde ~ A (x - c)        A = R S, the best in the norm of the mass;  c, c_tilde: centres of mass
///
/// is replaced by its rotation, and what is not affine stays:  guess = c_tilde + R A^-1 (x_tilde - c_tilde).
class TurningGuess {
public:
    TurningGuess() = default;
    TurningGuess(const System& system, const BlockStructure& graph);

    /// False if no body turns enough to matter: the guess is x_tilde to within `least` [m].
    bool make(const Vector& x, const Vector& x_tilde, double least, Vector& guess) const;

private:
    std::vector<std::vector<Index>> bodies_; // nodes of each that is free to turn
    Vector mass_;
};

} // namespace rubato
