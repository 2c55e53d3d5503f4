#pragma once

#include "base/options.hpp"
#include "dynamics/integrator.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Parameters of Newmark's family. (1/4, 1/2) is the trapezoidal rule.
struct NewmarkOptions {
    double beta = 0.25; ///< > 0
    double gamma = 0.5; ///< > 0; order two at 1/2, artificial damping above, negative damping below
};

/// Newmark's method: the acceleration is carried along as history.
class Newmark final : public Integrator {
public:
    explicit Newmark(const NewmarkOptions& options = {})
        : beta_(options.beta)
        , gamma_(options.gamma)
    {
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<Integrator> make(const Options& options);
    static int order(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;
    void accept(const State& before, const State& after) override;
    void jumped(const Vector& dv, const Vector& da) override;
    void restart() override { started_ = false; }
    void serialize(Archive& archive) override;

private:
    double beta_, gamma_;

    bool started_ = false;
    Vector a_; // history: acceleration where the step starts, without forces that may jump [m/s^2]
    Vector loss_; // history: the force of dissipations in it [N]
    Vector a_next_, loss_next_; // become history when the step is accepted

    Stage stage_;
    Vector a_start_, y_, dx_; // work
};

} // namespace rubato
