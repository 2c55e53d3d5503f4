#pragma once

#include "dynamics/integrator.hpp"

#include <vector>

namespace rubato {

/// The reading behind the option "exact_gravity" of methods whose step is implicit Euler's.
///
///     u   velocity that the implicit Euler stage steps     v   velocity of the state
///     g   acceleration by gravity [m/s^2]                  phi in [0, 1], one number for each piece of the system
///
///     v = u + h/2 phi g
///
/// In free fall implicit Euler puts the positions on the exact parabola of the velocity u + h g/2: its energy error is
/// nothing but u read half a step too early. So the stage goes on with u, and only the velocity of the state is read
/// later, phi = 1. A piece at rest on the ground has u = 0; read half a step later it would seem to fall at h g/2. With
///
///     phi = max(a . g/g.g,  |u . g|/(h g.g)),  cut to [0, 1]            a, u of the centre of mass
///
/// phi is 1 in flight (a = g) and while the piece moves, 0 at rest. v is a growing function of u along g, so u can be
/// had from v again: the method needs no history. docs/exact_gravity.md has what was measured.
class ExactGravity final : public Reading {
public:
    void inner(const StepRequest& request, Vector& v) override;
    void read(const StepRequest& request, State& end) override;

private:
    /// Adds shift(along, falls) h g to the velocities of each piece, where along = v.g/(h g.g) and falls = a.g/g.g.
    template <class Shift>
    void add(const StepRequest& request, Vector& v, Shift shift);

    bool at_end_ = false; // a_ is that of the end of the step
    Vector a_; // conservative acceleration [m/s^2]
    std::vector<double> falls_, along_, weight_; // work: sums over each piece of m a.g, m v.g, m g.g
};

} // namespace rubato
