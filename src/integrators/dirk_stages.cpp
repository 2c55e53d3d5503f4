#include "integrators/dirk_stages.hpp"

#include "integrators/end_point.hpp"

/// What a step dissipates: h sum_i b_i grad D(V_i) . V_i. For an algebraically stable tableau (no b_i below zero, and
/// b_i a_ij + b_j a_ji - b_i b_j positive semidefinite; Norsett's and implicit Euler's are) a linear system loses this
/// and more. A first row that stands at the start and solves nothing has the velocity of the start, which need not be
/// one that damping has felt: its term is without bound as h times the rate of damping grows. In methods up to order
/// two it therefore shares a term with the second row,
///
///     h (b_1 + b_2) grad D(u) . u,      u = (b_1 V_1 + b_2 V_2)/(b_1 + b_2)
///
/// off by O(h^3). With it the trapezoidal rule books exactly what a linear system loses, and TR-BDF2 what SDIRK2 does.
namespace rubato {

/// Row i of the tableau, with t_i = t + c_i h and tau = a_ii h:
///
///     x_anchor = x + h sum_{j<i} a_ij V_j          X_i = x_anchor + tau V_i
///     v_bar    = v + h sum_{j<i} a_ij A_j          V_i = v_bar + tau A_i,     A_i = a(t_i, X_i, V_i)
///
/// so X_i = x_anchor + tau v_bar + tau^2 A_i is a stage with s = tau^2. A row with a_ii = 0 evaluates forces only.

DirkStages::DirkStages(Tableau tableau, bool dissipative)
    : tableau_(std::move(tableau))
    , stiffly_accurate_(tableau_.stiffly_accurate())
    , shares_first_(tableau_.shares_first())
    , Z_(tableau_.b.size())
    , A_(tableau_.b.size())
{
    stage_.dissipative = dissipative;
}

StepOutcome DirkStages::taken(const StepRequest& r, const Vector* a_start)
{
    const auto& [t, x, v] = r.now;
    const double h = r.h;

    const Vector* reached = &x; // the latest point of this step known to be admissible: where the next solve starts
    SolveReport solve;
    for (std::size_t i = 0; i < Z_.size(); ++i) {
        const std::vector<double>& a = tableau_.A[i];
        State& Z = Z_[i];
        Z.t = t + tableau_.c[i] * h;

        stage_.x_anchor = x;
        v_bar_ = v;
        bool at_start = true;
        for (std::size_t j = 0; j < i; ++j) {
            if (a[j] == 0) continue;
            at_start = false;
            stage_.x_anchor += (h * a[j]) * Z_[j].v;
            v_bar_ += (h * a[j]) * A_[j];
        }

        if (a[i] > 0) {
            const double tau = a[i] * h;
            stage_.x_tilde = stage_.x_anchor + tau * v_bar_;
            stage_.tau = tau;
            stage_.scale = tau * tau;
            stage_.t = Z.t;
            const SolveReport report = r.dynamics.solve(stage_, *reached, Z.x);
            solve.merge(report);
            if (!report.ok()) return unsolved(solve);
            Z.v = (Z.x - stage_.x_anchor) / tau;
            A_[i] = (Z.v - v_bar_) / tau;
            r.dynamics.prescribe(Z);
        } else {
            Z.x = stage_.x_anchor;
            Z.v = v_bar_;
            r.dynamics.prescribe(Z);
            if (!r.dynamics.finite(Z)) return broken_off(StepStatus::not_finite, solve);
            // The first stage of most such tableaux is the start of the step, which needs no asking.
            if (i > 0 && !r.dynamics.admissible(Z.t, *reached, Z.x)) {
                return broken_off(StepStatus::inadmissible, solve);
            }
            if (at_start && a_start != nullptr)
                A_[i] = *a_start;
            else if (stage_.dissipative)
                r.dynamics.acceleration(Z.t, Z.x, Z.v, A_[i]);
            else
                r.dynamics.conservative_acceleration(Z.t, Z.x, A_[i]);
        }
        reached = &Z.x;
    }
    return {.solve = solve};
}

/// Of the rows, per time of the step [W].
Dissipated DirkStages::dissipation(Dynamics& dynamics)
{
    const std::vector<double>& b = tableau_.b;
    std::size_t i = 0;
    Dissipated sum;
    if (shares_first_) {
        v_bar_ = (b[0] * Z_[0].v + b[1] * Z_[1].v) / (b[0] + b[1]);
        sum = (b[0] + b[1]) * dynamics.dissipated(v_bar_, v_bar_);
        i = 2;
    }
    for (; i < Z_.size(); ++i) sum = sum + b[i] * dynamics.dissipated(Z_[i].v, Z_[i].v);
    return sum;
}

StepOutcome DirkStages::end_of_step(const StepRequest& r, const SolveReport& solve, State& next)
{
    const std::vector<double>& b = tableau_.b;
    const double h = r.h;

    const Dissipated dissipated = h * dissipation(r.dynamics);

    next.t = r.now.t + h;
    if (stiffly_accurate_) {
        next.x = Z_.back().x;
        next.v = Z_.back().v;
        return at_stage_solution(r.dynamics, next, solve, dissipated);
    }
    next.x = r.now.x;
    next.v = r.now.v;
    for (std::size_t i = 0; i < Z_.size(); ++i) {
        next.x += (h * b[i]) * Z_[i].v;
        next.v += (h * b[i]) * A_[i];
    }
    return at_computed_point(r.dynamics, Z_.back().x, next, solve, dissipated);
}

} // namespace rubato
