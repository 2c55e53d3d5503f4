#pragma once

#include "dynamics/stage_solver.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <memory>

namespace rubato {

/// The linearly implicit step of Baraff and Witkin (1998), 003 eqs. 1 to 3: forces at the end of the step are those of
/// its start and their first derivatives,
///
///     F(x', v') ~ F(x, v) + dF/dx (x' - x) + dF/dv (v' - v),
///
/// so that a stage is one linear system. In terms of the stage that is one full step of Newton's method from where the
/// solve starts, with the exact Hessian, accepted as it is; of dissipations D, gradient and Hessian are those at the
/// velocity where the step began.
///
/// It does not minimise: what is left is the error of the method, whatever its size. Nothing keeps the way clear of
/// other surfaces, so contact is refused.
class LinearlyImplicit final : public StageSolver {
public:
    LinearlyImplicit();

    std::vector<Refusal> refusals(const System& system) const override;
    void begin_step(const StepStart& step) override { v_ = step.now.v; }
    SolveReport minimise(IncrementalPotential& E, const Vector& start, Vector& y) override;

private:
    std::unique_ptr<LinearSolver> linear_;
    BlockMatrix H_;
    std::uint64_t structure_ = 0; // of the system that H belongs to
    Vector v_; // at the start of the step [m/s]
    Vector g_, lift_, H_lift_, p_;
};

} // namespace rubato
