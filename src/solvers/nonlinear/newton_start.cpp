#include "solvers/nonlinear/newton_solve.hpp"

#include <cmath>

/// Where Newton's method starts, and how scripted unknowns get to their place (newton_solve.hpp has the symbols).
namespace rubato {

/// The better of the two guesses of 004 sec. 3.1, x_tilde and x_tilde - s M^-1 grad P(start), of the start itself, and
/// of bodies that move as if they were rigid;
/// only those that can be reached from the start without leaving the domain. False if the scripted unknowns cannot jump
/// to their place: y is then the start, and they travel there during the iterations.
bool NewtonSolve::take_best_guess(const Vector& start)
{
    Vector& y = it_.y;
    const auto reachable = [&](const Vector& x) {
        it_.p = x - start;
        return E_.max_step(start, it_.p) > 1;
    };

    y = start;
    if (script_.moving()) script_.set_positions(E_.time(), y);
    if (E_.retract(y) || script_.moving()) {
        if (!reachable(y)) {
            y = start;
            return !script_.moving();
        }
    }
    double best = E_.value_and_gradient(y, it_.g);
    if (!std::isfinite(best)) {
        y = start;
        return !script_.moving();
    }
    if (!options_.better_guess) return true;

    E_.system().mass.solve(it_.g, w_.Minv_g);
    const auto consider = [&](Vector& x) {
        E_.retract(x);
        const double value = E_.value(x, best);
        if (value < best && reachable(x)) {
            best = value;
            y = x;
        }
    };
    w_.guess = y - w_.Minv_g; // = x_tilde - s M^-1 (grad P + grad D)(start)
    consider(w_.guess);
    w_.guess = E_.x_tilde();
    consider(w_.guess);
    if (w_.rigid.make(start, E_.x_tilde(), tol_, w_.guess)) consider(w_.guess);
    return true;
}

/// Scripts go on, as far as they can.
NewtonSolve::Reason NewtonSolve::move_script()
{
    const double gone = carry_script();
    if (turns_.stuck_after(gone)) return StopReason::unreachable_script;
    turns_.scripts_moved(gone);
    on_the_way_ = report_.iterations;
    // Steps of those on the way say nothing about the minimum.
    if (turns_.arrived()) whole_.flat_steps = whole_.stalled_steps = 0;
    return {};
}

/// One iteration that carries scripted unknowns toward their place: p takes them all the way, the free unknowns answer
/// with H_ff p_f = -g_f - H_fc p_c, and the step filter says how far everything may go. Returns the fraction gone.
double NewtonSolve::carry_script()
{
    Vector &y = it_.y, &p = it_.p;
    w_.y_new = y;
    script_.set_positions(E_.time(), w_.y_new);
    w_.lift = w_.y_new - y; // zero for free unknowns
    w_.H.multiply(w_.lift, w_.H_lift);
    w_.rhs = -it_.g - w_.H_lift;
    script_.set_zero(w_.rhs);
    LinearReport linear;
    {
        const PhaseClock clock(E_.times().linear);
        linear = w_.linear->solve(w_.H, script_, w_.rhs, {1e-2}, p);
    }
    report_.linear_iterations += linear.iterations;
    if (linear.status == LinearStatus::failed) return 0;
    E_.to_tangent(y, p);
    p += w_.lift;
    follow_retraction(E_, y, p, w_.y_new);
    const double cap = E_.max_step(y, p);
    double a = cap > 1 ? 1 : filter_margin * cap;
    for (; a > 1e-8; a *= 0.5) {
        w_.y_new = y + a * p;
        E_.retract(w_.y_new);
        if (std::isfinite(E_.value(w_.y_new))) break;
    }
    if (a <= 1e-8) return 0;
    y = w_.y_new;
    if (a == 1) script_.set_positions(E_.time(), y); // exactly
    return a;
}

} // namespace rubato
