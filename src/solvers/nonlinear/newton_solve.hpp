#pragma once

#include "solvers/nonlinear/newton_work.hpp"
#include "solvers/nonlinear/pace.hpp"
#include "solvers/nonlinear/script_turns.hpp"

#include <optional>

namespace rubato {

/// One solve by Newton's method (004 sec. 3.1), in phases:
///
///     begin          the best guess                                                       newton_start.cpp
///     linearise      f, g, H at y                                                         newton_solve.cpp
///     stop           is y the answer? Changes nothing                                     newton_solve.cpp
///     carry_script   instead of what follows, while scripts are on their way              newton_start.cpp
///     direction      p = -H^-1 g, made a direction of descent; its length                 newton_direction.cpp
///     search         how much of p: the filter, then the line search                      newton_search.cpp
///     advance        y moves; what the step tells about those to come                     newton_search.cpp
///
///     y   current iterate [m]             g, H   gradient [kg m] and Hessian [kg] of E at y
///     p   search direction [m]            slope  g . p, negative for descent [kg m^2]
///     h   step length [s]                 tol    velocity_tolerance * h [m]
///
/// It ends when the largest nodal |p| is below tol (that last step is still taken, so the answer is one quadratic order
/// better) and, if a balanced answer is asked for, the largest nodal out-of-balance acceleration times h below
/// velocity_tolerance. In between, iterations over those nodes that still move (LocalPhase): the same loop at another
/// Pace, with E restricted to them. A reason to stop then ends these iterations, not the solve.
class NewtonSolve {
public:
    NewtonSolve(const NewtonOptions& options, NewtonWork& work, IncrementalPotential& E, double h);

    SolveReport run(const Vector& start, Vector& y);

private:
    using Reason = std::optional<StopReason>; // none: go on

    void begin(const Vector& start);
    Reason iterate();

    void linearise();
    Reason stop() const;
    bool is_balanced() const;
    Reason count_iteration();

    bool take_best_guess(const Vector& start);
    Reason move_script();
    double carry_script();

    Reason direction();
    bool find_direction();
    LinearStatus newton_step();
    const Vector* negative_curvature() const;

    Reason search();
    void measure_cap();
    LineSearchAlong::Result search_along_p();
    Reason advance();
    Reason advance_free_nodes();
    Reason advance_unsearched();

    bool begin_part(const Vector& v, double longest);
    void end_part();

    const NewtonOptions& options_;
    NewtonWork& w_;
    IncrementalPotential& E_;
    Iterate& it_;
    const Prescription& script_;
    double h_, tol_; // [s], [m]
    SolveReport report_;

    Pace whole_, part_;
    Pace* pace_ = &whole_; // the one of the iteration under way
    LineSearchAlong::Result found_; // by the search of this iteration
    ScriptTurns turns_;
    int on_the_way_ = 0; // iterations until the script was in its place
    bool tried_a_part_ = false; // to balance the nodes that were not
    int balancing_ = 0; // further iterations, once steps were short enough, for balance
};

} // namespace rubato
