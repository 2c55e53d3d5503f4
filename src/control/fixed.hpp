#pragma once

#include "dynamics/step_controller.hpp"

namespace rubato {

/// Every step has the same length; a failed attempt ends the run.
class FixedStep final : public StepController {
public:
    explicit FixedStep(double h) ///< [s]
        : h_(h)
    {
    }
    double first_h() const override { return h_; }
    Decision judge(const Attempted& attempted) override;

private:
    double h_;
};

} // namespace rubato
