#pragma once

#include "dynamics/dynamics.hpp"
#include "dynamics/incremental_potential.hpp"
#include "dynamics/stage_solver.hpp"
#include "dynamics/system.hpp"
#include "solvers/nonlinear/newton.hpp"

#include <array>

namespace rubato {

/// How bodies are let down by CpuDynamics::settle.
struct SettleOptions {
    std::size_t frictions = 0; ///< the first so many dissipations of the system are dry friction, which can hold a body
    double friction_speed = 1e-3; ///< below it friction grows smoothly from zero [m/s]
    double acceleration = 9.8; ///< of free fall, or of what else drives the scene [m/s^2], > 0
    double size = 1; ///< of the largest body [m], > 0
    double reach = 100; ///< what moved further than this and still moves will not stop [m]
    int most_steps = 500;
};

/// How bodies came down.
struct Settling {
    enum class End {
        resting, ///< all of it, but for a slow slide
        moving, ///< something went further than `reach` and falls or slides on
        unfinished, ///< something still moves after `most_steps`
        unsolved, ///< a step could not be solved; see `reason`
    };
    End end = End::unsolved;
    StopReason reason = StopReason::no_solve; ///< why a step could not be solved
    int iterations = 0; ///< Newton iterations
    Vector x; ///< where everything is then [m]
    Vector acceleration; ///< that is left there [m/s^2]
};

/// The seam on the CPU: a System, its incremental potential, and the solver of its stages.
class CpuDynamics final : public Dynamics {
public:
    CpuDynamics(System system, NewtonOptions options); ///< solved by Newton's method
    /// `searcher`: what `rest` and `settle` solve with, which need a minimiser; null: the same solver.
    CpuDynamics(System system, std::unique_ptr<StageSolver> solver, std::unique_ptr<StageSolver> searcher);
    CpuDynamics(const CpuDynamics&) = delete; // the objective refers to the system beside it
    CpuDynamics& operator=(const CpuDynamics&) = delete;

    Eigen::Index unknowns() const override { return system_.unknowns(); }
    void begin_step(const State& now, double h) override;
    Accepted accept(const State& after, Vector& jump) override;
    void serialize(Archive& archive) override;
    SolveReport solve(const Stage& stage, const Vector& start, Vector& y) override;
    void conservative_acceleration(double t, const Vector& x, Vector& a) override;
    void add_jumping_acceleration(double t, double weight, Vector& a) override;
    void acceleration(double t, const Vector& x, const Vector& v, Vector& a) override;
    void dissipative_acceleration(double t, const Vector& v, Vector& a) override;
    Dissipated dissipated(const Vector& u, const Vector& dx) override;
    void dissipative_force(const Vector& u, Vector& f) override;
    Dissipated dissipated_by(const Vector& f, const Vector& dx) const override;
    EnergyParts potential_energy(double t, const Vector& x) override;
    double kinetic_energy(const Vector& v) const override;
    double mass_inner(const Vector& a, const Vector& b) const override;
    using Dynamics::finite;
    bool finite(const Vector& a) const override { return a.allFinite(); }
    bool admissible(double t, const Vector& from, const Vector& to) override;
    void prescribe(State& state) const override;
    double injected(const State& before, const State& after) override;
    const FreeFall& free_fall() override; // free_fall.cpp
    void along_gravity(const Vector& a, std::vector<double>& sums) override;
    void add_gravity(const std::vector<double>& times, Vector& v) override;
    bool filters() const override { return !system_.filters.empty(); }
    void filter(const State& before, State& after, double h) override;
    Touching touching(const Vector& x) override;
    PhaseTimes phase_times() const override { return objective_.times(); }
    void momenta(const State& state, Vec3& linear, Vec3& angular) const override;

    /// Quasi-static: from x to a minimum of P(., t) with prescribed unknowns at their place. `rest.cpp`.
    SolveReport rest(double t, const Vector& x, Vector& y);

    /// Lets everything down from its start, all motion damped, until it lies on something or hangs: where `rest` goes
    /// to an equilibrium however far away it is, this stops at the first place where nearly nothing drives it on, such
    /// as a level face without friction, or a slope with. `settle.cpp`.
    Settling settle(const State& start, const SettleOptions& options);

    /// A term of the system has got another parameter; not during a step.
    void parameters_changed()
    {
        fall_ = {};
        system_.values = unused_id();
    }

    System& system() { return system_; }
    const System& system() const { return system_; }

private:
    static constexpr double search_time = 1e-4; // [s]: makes a velocity tolerance of 1 cm/s one of a micrometre

    StageSolver& searcher() { return searcher_ != nullptr ? *searcher_ : *solver_; }
    void conservative_force(double t, const Vector& x, Vector& f);
    void add_dissipative_force(const Vector& u, Vector& f);
    double work_of_scripts(const State& before, const State& after); // injected.cpp
    double work_of_time(const State& before, const State& after);
    struct EnergiesAlong {
        std::array<std::array<double, 3>, 3> P; // [J]
        double span = 0; // the largest less the least [J]
    };
    EnergiesAlong energies_along(Potential& potential, const State& before, const State& after);
    const State& middle_of(const State& before, const State& after);
    bool forces_at(const State& s, bool contact);
    void find_resistance(const State& before, const State& after);

    System system_;
    IncrementalPotential objective_;
    std::unique_ptr<StageSolver> solver_, searcher_;
    FreeFall fall_;
    State middle_; // work
    // Forces on scripted unknowns at both ends of the way of this step [N], and what way that is.
    struct Resistance {
        bool known = false, elastic = false; // elastic: others than contact push, too
        double t = 0; // of the end [s]
        Vector from, to; // positions [m]
        Vector contact[2], other[2]; // one number per scripted unknown
    } resistance_;
    Vector force_, x_, u_, dx_; // work
    mutable Vector momentum_, free_a_, free_b_;
};

} // namespace rubato
