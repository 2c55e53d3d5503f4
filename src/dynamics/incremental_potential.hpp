#pragma once

#include "dynamics/phase_times.hpp"
#include "dynamics/stage.hpp"
#include "dynamics/system.hpp"

#include <limits>

namespace rubato {

/// The objective of a stage over a system:
///
///     E(x) = 1/2 ||x - x_tilde||^2_M + s P(x, t) + s tau D((x - x_anchor)/tau)      [kg m^2]
///
/// without the last term where the stage says so.
///
/// Prescribed unknowns are constants of the problem: their gradient entries are zero, and the velocity that
/// dissipations see there is the script's. A quasi-static problem is the same without inertia: E(x) = P(x, t).
class IncrementalPotential {
public:
    explicit IncrementalPotential(System& system);
    virtual ~IncrementalPotential() = default;
    IncrementalPotential(const IncrementalPotential&) = delete;
    IncrementalPotential& operator=(const IncrementalPotential&) = delete;

    /// Aims at a stage of a time step.
    void set_stage(const Stage& stage);
    /// Aims at the minimum of P(., t) plus regularisation/2 ||x - x_ref||^2_M (regularisation [1/s^2], 0 for none).
    void set_static(double t, double regularisation, const Vector& x_ref);

    /// From now on, and until null is given, nodes outside the region are constants of the problem: values leave out
    /// what does not change with the others, gradients are zero there, and of Hessians only the blocks between two
    /// nodes of the region mean anything.
    void restrict_to(const Region* region) { region_ = region; }

    const System& system() const { return system_; }
    System& system() { return system_; }
    double time() const { return t_; }
    double scale() const { return scale_; }
    const Vector& x_tilde() const { return x_tilde_; }

    /// +infinity outside the domain. What is above `enough` may be too low a value, though above it: contact comes last
    /// and is never negative, so one need not look for it any more.
    double value(const Vector& x, double enough = std::numeric_limits<double>::infinity());
    double value_and_gradient(const Vector& x, Vector& g);
    /// Value, gradient and Hessian in one pass over the terms.
    double all(const Vector& x, Vector& g, BlockMatrix& H, Projected projected, double lift = 0);
    /// The same Hessian as the last one, at the same x, with another choice of what to project.
    void project_again(const Vector& x, BlockMatrix& H, const Projected& before, const Projected& now, double lift = 0);
    /// Announces the blocks that the Hessian at x touches beyond System::pattern.
    void pattern_at(const Vector& x, BlockPattern& pattern);
    void prepare(const Vector& x, double reach);
    double max_step(const Vector& x, const Vector& p);

    /// Gradient at x [kg m] and Hessian [kg] of E, in which D is replaced by its quadratic model about the velocity
    /// u [m/s]. Hessians are exact, not projected.
    void linearise(const Vector& x, const Vector& u, Vector& g, BlockMatrix& H);

    // Where x is to stay in a set, such as the outside of an obstacle, a derived potential says so. Free unknowns only.
    /// Moves y to the nearest place of the set; false if it is there already, and untouched. Solvers do this with their
    /// guesses and with every point that they try, and ask about the straight way to what came of it.
    virtual bool retract(Vector& /*y*/) { return false; }
    /// Takes from p, a direction or a gradient at y, what leads out of the set to first order.
    virtual void to_tangent(const Vector& /*y*/, Vector& /*p*/) { }

    PhaseTimes& times() { return times_; }
    const PhaseTimes& times() const { return times_; }
    double& phase_of(const Potential& potential); ///< that evaluating it counts in

private:
    double evaluate(const Vector& x, Vector* g, BlockMatrix* H, Projected projected, double lift = 0,
        const Projected* computed = nullptr, double enough = std::numeric_limits<double>::infinity());

    System& system_;
    Vector x_tilde_, x_anchor_;
    double tau_ = 0, scale_ = 1, t_ = 0, inertia_ = 1;
    bool has_dissipation_ = false;
    const Region* region_ = nullptr;
    PhaseTimes times_;
    Vector offset_, momentum_, u_, whole_, way_; // work: x - x_tilde, M (x - x_tilde), velocity
};

} // namespace rubato
