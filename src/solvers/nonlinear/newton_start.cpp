#include "solvers/nonlinear/newton_work.hpp"

#include <cmath>

/// Where Newton's method starts, and how scripted unknowns get to their place (newton.cpp has the symbols).
namespace rubato {

/// The better of the two guesses of 004 sec. 3.1, x_tilde and x_tilde - s M^-1 grad P(start), of the start itself, and
/// of bodies that move as if they were rigid;
/// only those that can be reached from the start without leaving the domain. False if the scripted unknowns cannot jump
/// to their place: y is then the start, and they travel there during the iterations.
bool Newton::take_best_guess(IncrementalPotential& E, const Vector& start, double tolerance, Vector& y)
{
    Work& w = *work_;
    const Prescription& script = E.system().prescription;
    const auto reachable = [&](const Vector& x) {
        w.p = x - start;
        return E.max_step(start, w.p) > 1;
    };

    y = start;
    if (script.moving()) {
        script.set_positions(E.time(), y);
        if (!reachable(y)) {
            y = start;
            return false;
        }
    }
    double best = E.value_and_gradient(y, w.g);
    if (!std::isfinite(best)) {
        y = start;
        return !script.moving();
    }
    if (!options_.better_guess) return true;

    E.system().mass.solve(w.g, w.Minv_g);
    const auto consider = [&](const Vector& x) {
        const double value = E.value(x, best);
        if (value < best && reachable(x)) {
            best = value;
            y = x;
        }
    };
    w.guess = y - w.Minv_g; // = x_tilde - s M^-1 (grad P + grad D)(start)
    consider(w.guess);
    consider(E.x_tilde());
    if (w.rigid.make(start, E.x_tilde(), tolerance, w.guess)) consider(w.guess);
    return true;
}

/// One iteration that carries scripted unknowns toward their place: p takes them all the way, the free unknowns answer
/// with H_ff p_f = -g_f - H_fc p_c, and the step filter says how far everything may go. Returns the fraction gone.
/// Where that is little, elements or contacts are nearly used up; Newton::minimise then lets the free unknowns give way
/// first.
double Newton::carry_script(IncrementalPotential& E, Vector& y, SolveReport& report)
{
    Work& w = *work_;
    const Prescription& script = E.system().prescription;
    w.y_new = y;
    script.set_positions(E.time(), w.y_new);
    w.lift = w.y_new - y; // zero for free unknowns
    w.H.multiply(w.lift, w.H_lift);
    w.rhs = -w.g - w.H_lift;
    script.set_zero(w.rhs);
    LinearReport linear;
    {
        const PhaseClock clock(E.times().linear);
        linear = w.linear->solve(w.H, script, w.rhs, {1e-2}, w.p);
    }
    report.linear_iterations += linear.iterations;
    if (linear.status == LinearStatus::failed) return 0;
    w.p += w.lift;
    const double cap = E.max_step(y, w.p);
    double a = cap > 1 ? 1 : filter_margin * cap;
    for (; a > 1e-8; a *= 0.5) {
        w.y_new = y + a * w.p;
        if (std::isfinite(E.value(w.y_new))) break;
    }
    if (a <= 1e-8) return 0;
    y = w.y_new;
    if (a == 1) script.set_positions(E.time(), y); // exactly
    return a;
}

} // namespace rubato
