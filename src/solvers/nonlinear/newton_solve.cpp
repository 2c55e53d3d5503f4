#include "solvers/nonlinear/newton_solve.hpp"

#include <cmath>

namespace rubato {

namespace {

constexpr double settled = 0.1; // of the tolerances: where iterations on a part of the nodes end
constexpr double still = 2e-15; // Newton step relative to the positions that is round-off in them

/// That have mass and follow no script.
Index free_nodes(const System& system)
{
    Index count = 0;
    for (Index i = 0; i < system.mass.nodes(); ++i) {
        const bool held = system.prescription.holds(3 * Eigen::Index{i})
            && system.prescription.holds(3 * Eigen::Index{i} + 1) && system.prescription.holds(3 * Eigen::Index{i} + 2);
        count += system.mass.nodal()[i] > 0 && !held ? 1 : 0;
    }
    return count;
}

} // namespace

NewtonSolve::NewtonSolve(const NewtonOptions& options, NewtonWork& work, IncrementalPotential& E, double h)
    : options_(options)
    , w_(work)
    , E_(E)
    , it_(work.it)
    , script_(E.system().prescription)
    , h_(h)
    , tol_(options.velocity_tolerance * h)
    , whole_{.projection = {options.projected, options.safeguards}}
    , part_(whole_)
{
}

SolveReport NewtonSolve::run(const Vector& start, Vector& y)
{
    begin(start);
    for (;;) {
        const Reason reason = iterate();
        if (!reason) continue;
        const bool of_part = pace_->partial() && *reason != StopReason::not_finite;
        end_part();
        if (of_part) continue;
        report_.reason = *reason;
        y.swap(it_.y);
        return report_;
    }
}

void NewtonSolve::begin(const Vector& start)
{
    w_.know(E_.system(), options_);
    w_.linear->begin();
    it_.p = E_.x_tilde() - start;
    E_.prepare(start, largest_nodal_norm(it_.p));
    turns_ = ScriptTurns(take_best_guess(start));
    const bool careful = options_.safeguards && options_.line_search != LineSearch::none;
    w_.local.allow(options_.local_solves && careful, E_.system().mass.nodes(), free_nodes(E_.system()));
}

NewtonSolve::Reason NewtonSolve::iterate()
{
    linearise();
    if (const Reason reason = stop()) return reason;
    if (pace_->close && !pace_->partial()) {
        tried_a_part_ = !tried_a_part_ && begin_part(w_.Minv_g, options_.velocity_tolerance / h_ * E_.scale());
        if (tried_a_part_) return {};
    }
    pace_->close = false;
    if (const Reason reason = count_iteration()) return reason;
    if (turns_.scripts_move()) return move_script();

    if (const Reason reason = direction()) return reason;
    if (it_.longest <= still * it_.y.lpNorm<Eigen::Infinity>()) {
        if (turns_.arrived()) return it_.last ? StopReason::converged_step : StopReason::converged_roundoff;
        turns_.free_nodes_moved(true, false);
        return {};
    }
    if (const Reason reason = search()) return reason;
    return advance();
}

void NewtonSolve::linearise()
{
    w_.make_room(E_, it_.y, report_.iterations == 0);
    it_.f = E_.all(it_.y, it_.g, w_.H, pace_->projection.wanted(), options_.lift);
    if (!std::isfinite(it_.f)) return;
    E_.to_tangent(it_.y, it_.g);
    E_.system().mass.solve(it_.g, w_.Minv_g);
    E_.to_tangent(it_.y, w_.Minv_g);
    it_.imbalance = largest_nodal_norm(w_.Minv_g);
}

NewtonSolve::Reason NewtonSolve::stop() const
{
    if (!std::isfinite(it_.f)) {
        return report_.iterations == 0 ? StopReason::infeasible_start : StopReason::not_finite;
    }
    if (!it_.g.allFinite()) return StopReason::not_finite;
    if (turns_.arrived() && options_.gradient_tolerance > 0 && !pace_->partial()
        && it_.imbalance <= options_.gradient_tolerance * E_.scale()) {
        return StopReason::converged_gradient;
    }
    if (pace_->close && is_balanced()) return StopReason::converged_step;
    return {};
}

bool NewtonSolve::is_balanced() const
{
    const double acceleration = options_.velocity_tolerance / h_ * E_.scale();
    return it_.imbalance <= pace_->enough * acceleration;
}

NewtonSolve::Reason NewtonSolve::count_iteration()
{
    if (pace_->partial()) {
        ++report_.local_iterations;
        return {};
    }
    if (report_.iterations == options_.max_iterations + (turns_.arrived() ? on_the_way_ : 0)) {
        return turns_.arrived() ? StopReason::iteration_limit : StopReason::unreachable_script;
    }
    ++report_.iterations;
    tried_a_part_ = false;
    return {};
}

/// Goes on with those nodes alone whose entry of v is longer than `longest`, if they are few.
bool NewtonSolve::begin_part(const Vector& v, double longest)
{
    if (!w_.local.begin(v, longest, w_.H)) return false;
    part_ = Pace{
        .region = &w_.local.region(), .enough = settled, .projection = {options_.projected, options_.safeguards}};
    part_.projection.after_step(report_.residual <= near * tol_, false);
    E_.restrict_to(part_.region);
    pace_ = &part_;
    return true;
}

void NewtonSolve::end_part()
{
    if (!pace_->partial()) return;
    E_.restrict_to(nullptr);
    whole_.projection.forget(part_.region->nodes()); // what was projected here would now lead away again
    whole_.close = whole_.close && part_.travelled <= tol_;
    pace_ = &whole_;
}

} // namespace rubato
