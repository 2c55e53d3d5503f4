#include "control/fixed.hpp"

namespace rubato {

Decision FixedStep::judge(const State&, const State&, double, const StepOutcome& outcome)
{
    if (outcome.status == StepStatus::ok) return {.accept = true, .next_h = h_};
    return {.accept = false, .next_h = 0};
}

} // namespace rubato
