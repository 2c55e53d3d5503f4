#include "solvers/nonlinear/newton_solve.hpp"

#include <cmath>

/// The search direction of an iteration (newton_solve.hpp has the symbols).
namespace rubato {

namespace {

constexpr double descent_cosine = 1e-2; // kappa of 004 sec. 3.1
constexpr double balanced_enough = 1e-3; // relative error of solves for steps that are to balance forces

} // namespace

NewtonSolve::Reason NewtonSolve::direction()
{
    if (!find_direction()) return StopReason::linear_solver_failed;
    it_.longest = largest_nodal_norm(it_.p);
    if (!std::isfinite(it_.longest)) return StopReason::not_finite;
    if (!pace_->partial()) report_.residual = it_.longest;
    it_.last = it_.certain && it_.longest <= pace_->enough * tol_;
    return {};
}

/// p: the Newton step with the safeguards of 004 sec. 3.1; false if there is no direction at all.
bool NewtonSolve::find_direction()
{
    ProjectionPolicy& projection = pace_->projection;
    LinearStatus status = newton_step();
    while (projection.changed_after(status, negative_curvature())) {
        E_.project_again(it_.y, w_.H, projection.wanted_before(), projection.wanted(), options_.lift);
        status = newton_step();
    }
    it_.certain = status == LinearStatus::solved;
    if (!options_.safeguards) return status != LinearStatus::failed;

    const double slope = it_.g.dot(it_.p);
    const bool definite = it_.certain || status == LinearStatus::inexact;
    const double enough = definite ? 0 : descent_cosine * it_.g.norm() * it_.p.norm();
    const bool downhill = status != LinearStatus::failed && slope < -enough;
    const bool uphill = status != LinearStatus::failed && slope > enough;
    if (!downhill) {
        it_.certain = false;
        if (uphill) {
            it_.p = -it_.p;
        } else {
            if (pace_->partial()) return false;
            it_.p = -w_.Minv_g; // steepest descent in the metric of the mass
            script_.set_zero(it_.p);
        }
    }
    const double length = it_.p.norm();
    if (length > options_.max_step_length) it_.p *= options_.max_step_length / length;
    return true;
}

/// p = -H^-1 g, solved to the inexact tolerance first. If the step looks short enough to be the last, the solve goes
/// on to the precision that such a claim needs.
LinearStatus NewtonSolve::newton_step()
{
    // Inexact solves: far from the solution a rough direction is as good (004: min(1/2, sigma sqrt(max(|grad E|,
    // tau)))). |grad E| is measured as the velocity |M^-1 g|/h against 1 m/s, which makes it a plain number. That
    // number grows as nodes get lighter, and alone would keep the solves rough on a fine mesh up to the end.
    const double forcing = balancing_ > 0 ? balanced_enough : pace_->forcing;
    const double speed = std::max(it_.imbalance / h_, options_.velocity_tolerance);
    const double tolerance = std::min(forcing, options_.linear.cg_scale * std::sqrt(speed));
    w_.rhs = -it_.g;
    const PhaseClock clock(E_.times().linear);
    const Precision precision{tolerance, exact_enough, doubtful * options_.velocity_tolerance * h_};
    LinearStatus status = LinearStatus::failed;
    if (pace_->partial()) {
        status = w_.part.solve(*pace_->region, w_.H, script_, w_.rhs, precision, it_.p).status;
    } else {
        const LinearReport whole = w_.linear->solve(w_.H, script_, w_.rhs, precision, it_.p);
        report_.linear_iterations += whole.iterations;
        status = whole.status;
    }
    E_.to_tangent(it_.y, it_.p);
    return status;
}

const Vector* NewtonSolve::negative_curvature() const
{
    return pace_->partial() ? w_.part.negative_curvature() : w_.linear->negative_curvature();
}

} // namespace rubato
