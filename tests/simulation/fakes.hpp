#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/observer.hpp"
#include "dynamics/step_controller.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace rubato::fake {

/// A free particle on which nothing acts; more of them, or none, when told so.
class EmptySpace final : public Dynamics {
public:
    Eigen::Index unknowns() const override { return size; }
    void begin_step(const State&, double) override { ++begun; }
    SolveReport solve(const Stage& stage, const Vector&, Vector& y) override
    {
        y = stage.x_tilde;
        return {};
    }
    void conservative_acceleration(double, const Vector& x, Vector& a) override { a.setZero(x.size()); }
    void acceleration(double, const Vector& x, const Vector&, Vector& a) override { a.setZero(x.size()); }
    void dissipative_acceleration(double, const Vector& v, Vector& a) override { a.setZero(v.size()); }
    Dissipated dissipated(const Vector&, const Vector&) override { return {}; }
    void dissipative_force(const Vector& u, Vector& f) override { f.setZero(u.size()); }
    Dissipated dissipated_by(const Vector&, const Vector&) const override { return {}; }
    EnergyParts potential_energy(double, const Vector&) override { return {}; }
    double kinetic_energy(const Vector& v) const override { return 0.5 * v.squaredNorm(); }
    double mass_inner(const Vector& a, const Vector& b) const override { return a.dot(b); }
    bool admissible(double, const Vector&, const Vector&) override { return true; }
    void prescribe(State&) const override { }
    double injected(const State&, const State&) override { return injected_per_step; }
    using Dynamics::finite;
    bool finite(const Vector& a) const override { return a.allFinite(); }
    const FreeFall& free_fall() override { return fall_; }
    void along_gravity(const Vector&, std::vector<double>& sums) override { sums.clear(); }
    void add_gravity(const std::vector<double>&, Vector&) override { }
    void momenta(const State& state, Vec3& linear, Vec3& angular) const override
    {
        linear = state.v.size() >= 3 ? Vec3(state.v.head<3>()) : Vec3(Vec3::Zero());
        angular.setZero();
    }

    Eigen::Index size = 3;
    long begun = 0;
    double injected_per_step = 0;

private:
    FreeFall fall_; // nothing does
};

/// Moves the particle along its velocity, unless `outcome` says that the attempt from t with length h ends otherwise.
class Scripted final : public Integrator {
public:
    std::function<StepOutcome(double t, double h)> outcome = [](double, double) { return StepOutcome{}; };
    std::function<double(double x)> distort = [](double x) { return x; }; ///< applied to the first entry of x
    double bend = 0; ///< b: a step of length h goes aside by b h^2 [m/s^2]
    double growth = std::numeric_limits<double>::infinity();
    std::vector<double> accepted; ///< lengths of accepted steps [s]

    double most_growth() const override { return growth; }
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = {r.now.t + r.h, r.now.x + r.h * r.now.v, r.now.v};
        next.x[0] = distort(next.x[0]) + bend * r.h * r.h;
        attempted_ = r.h;
        return outcome(r.now.t, r.h);
    }
    void accept(const State&, const State&) override { accepted.push_back(attempted_); }

private:
    double attempted_ = 0;
};

/// Flies straight on, at the speed that gives a particle in empty space the energy its ledger wants.
class Steered final : public Integrator {
public:
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = {r.now.t + r.h, r.now.x + r.h * r.now.v, r.now.v};
        StepOutcome outcome;
        outcome.dissipated = dissipated_per_step;
        const double injected = r.dynamics.injected(r.now, next);
        const double wanted = r.ledger.target_after(r.now.t, next.t, injected, outcome.dissipated.free);
        outcome.alpha = std::sqrt(wanted / r.dynamics.kinetic_energy(r.now.v));
        next.v *= outcome.alpha;
        return outcome;
    }
    double dissipated_per_step = 0; ///< [J]
};

/// Keeps the times, step numbers and booked energies that it is told.
class Diary final : public Observer {
public:
    std::vector<double> times, lengths, injected, dissipated, target, total;
    std::vector<long> steps;
    std::function<void(const StepRecord&)> also;

    void step(const StepRecord& r) override
    {
        times.push_back(r.state.t);
        lengths.push_back(r.h);
        steps.push_back(r.step);
        injected.push_back(r.ledger.injected);
        dissipated.push_back(r.ledger.dissipated);
        target.push_back(r.ledger.target);
        total.push_back(r.total());
        if (also) also(r);
    }
};

inline State particle() { return {.t = 0, .x = Vector::Zero(3), .v = Vec3(1, 2, 3)}; }

inline StepOutcome failed(StepStatus status, StopReason reason = StopReason::no_solve)
{
    StepOutcome outcome;
    outcome.status = status;
    outcome.solve.reason = reason;
    outcome.solve.iterations = 17;
    return outcome;
}

/// What a controller sees that asks for nothing.
inline Attempted attempted(double h, const State& now, const State* proposed, const StepOutcome& outcome)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {.h = h,
        .wanted = h,
        .now = now,
        .proposed = proposed,
        .outcome = outcome,
        .error = none,
        .order = 1,
        .total = 0,
        .target = 0,
        .most_growth = std::numeric_limits<double>::infinity()};
}

} // namespace rubato::fake
