#pragma once

#include "dynamics/dynamics.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace rubato::small {

/// Passes everything on until it is told to misbehave: below the seam anything may go wrong.
class FaultyDynamics final : public Dynamics {
public:
    explicit FaultyDynamics(Dynamics& inner)
        : inner_(inner)
    {
    }
    bool poisoned = false; ///< leaves a NaN in every solution and every acceleration without saying so
    bool unsolvable = false; ///< every solve ends at its iteration limit
    bool forbidden = false; ///< no way is admissible
    /// Whether an attempt of length h from `now` is to fail: its solves and its questions alike.
    std::function<bool(const State& now, double h)> refuses = [](const State&, double) { return false; };
    int solves = 0, questions = 0; ///< how often solve and admissible were called
    int unfounded = 0; ///< questions about a way from a point that nobody knows to be good
    /// Whether x was solved for, or asked about, in this attempt.
    bool solved(const Vector& x) const { return std::find(solved_.begin(), solved_.end(), x) != solved_.end(); }
    bool asked(const Vector& x) const { return std::find(asked_.begin(), asked_.end(), x) != asked_.end(); }

    Eigen::Index unknowns() const override { return inner_.unknowns(); }
    void begin_step(const State& now, double h) override
    {
        start_ = now.x;
        solved_.clear();
        asked_.clear();
        refused_ = refuses(now, h);
        inner_.begin_step(now, h);
    }
    Accepted accept(const State& after, Vector& jump) override { return inner_.accept(after, jump); }
    void serialize(Archive& archive) override { inner_.serialize(archive); }
    SolveReport solve(const Stage& stage, const Vector& start, Vector& y) override
    {
        ++solves;
        SolveReport report = inner_.solve(stage, start, y);
        spoil(y);
        solved_.push_back(y);
        if (unsolvable || refused_) report.reason = StopReason::iteration_limit;
        return report;
    }
    void conservative_acceleration(double t, const Vector& x, Vector& a) override
    {
        inner_.conservative_acceleration(t, x, a);
        spoil(a);
    }
    void add_jumping_acceleration(double t, double weight, Vector& a) override
    {
        inner_.add_jumping_acceleration(t, weight, a);
    }
    void acceleration(double t, const Vector& x, const Vector& v, Vector& a) override
    {
        inner_.acceleration(t, x, v, a);
        spoil(a);
    }
    void dissipative_acceleration(double t, const Vector& v, Vector& a) override
    {
        inner_.dissipative_acceleration(t, v, a);
        spoil(a);
    }
    Dissipated dissipated(const Vector& u, const Vector& dx) override { return inner_.dissipated(u, dx); }
    void dissipative_force(const Vector& u, Vector& f) override { inner_.dissipative_force(u, f); }
    Dissipated dissipated_by(const Vector& f, const Vector& dx) const override { return inner_.dissipated_by(f, dx); }
    EnergyParts potential_energy(double t, const Vector& x) override { return inner_.potential_energy(t, x); }
    double kinetic_energy(const Vector& v) const override { return inner_.kinetic_energy(v); }
    double mass_inner(const Vector& a, const Vector& b) const override { return inner_.mass_inner(a, b); }
    bool admissible(double, const Vector& from, const Vector& to) override
    {
        ++questions;
        if (from != start_ && !solved(from) && !asked(from)) ++unfounded;
        asked_.push_back(to);
        return !forbidden && !refused_;
    }
    void prescribe(State& state) const override { inner_.prescribe(state); }
    using Dynamics::finite;
    bool finite(const Vector& a) const override { return inner_.finite(a); }
    const FreeFall& free_fall() override { return inner_.free_fall(); }
    void along_gravity(const Vector& a, std::vector<double>& sums) override { inner_.along_gravity(a, sums); }
    void add_gravity(const std::vector<double>& times, Vector& v) override { inner_.add_gravity(times, v); }
    bool filters() const override { return inner_.filters(); }
    void filter(const State& before, State& after, double h) override { inner_.filter(before, after, h); }
    double injected(const State& before, const State& after) override { return inner_.injected(before, after); }
    void momenta(const State& state, Vec3& linear, Vec3& angular) const override
    {
        inner_.momenta(state, linear, angular);
    }

private:
    void spoil(Vector& a) const
    {
        if (poisoned) a[a.size() / 2] = std::numeric_limits<double>::quiet_NaN();
    }
    Dynamics& inner_;
    bool refused_ = false; // the attempt under way
    Vector start_; // of the attempt under way
    std::vector<Vector> solved_, asked_; // in this attempt
};

} // namespace rubato::small
