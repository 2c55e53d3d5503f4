#pragma once

#include "dynamics/stage_solver.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::small {

/// The simplest solver that minimises: downhill in the metric of the mass, half as far until E falls enough. It
/// remembers from step to step how far it could go, and how many steps were accepted.
class GradientDescent final : public StageSolver {
public:
    explicit GradientDescent(int max_iterations = 100000)
        : max_iterations_(max_iterations)
    {
    }
    long accepted() const { return accepted_; }

    void begin_step(const StepStart&) override { tried_ = remembered_; }

    SolveReport minimise(IncrementalPotential& E, const Vector& start, Vector& y) override
    {
        const Prescription& script = E.system().prescription;
        SolveReport report{.reason = StopReason::iteration_limit};
        y = start;
        script.set_positions(E.time(), y);
        double a = tried_;
        for (; report.iterations < max_iterations_; ++report.iterations) {
            const double f = E.value_and_gradient(y, g_);
            E.system().mass.solve(g_, p_);
            p_ = -p_;
            script.set_zero(p_);
            report.residual = largest_nodal_norm(p_);
            if (report.residual <= 1e-12) {
                report.reason = StopReason::converged_step;
                break;
            }
            const double slope = g_.dot(p_), noise = 1e-14 * std::abs(f);
            a = std::min(1.0, 2 * a);
            for (; a > 1e-12; a *= 0.5) {
                there_ = y + a * p_;
                if (E.value(there_) <= f + 0.3 * a * slope + noise) break;
            }
            y = there_;
        }
        tried_ = a;
        return report;
    }

    void accept() override
    {
        remembered_ = tried_;
        ++accepted_;
    }
    void serialize(Archive& archive) override
    {
        archive("descent.remembered", remembered_);
        archive("descent.accepted", accepted_);
    }

private:
    int max_iterations_;
    double remembered_ = 1, tried_ = 1; // part of a step
    long accepted_ = 0;
    Vector g_, p_, there_;
};

} // namespace rubato::small
