#include "control/fixed.hpp"

namespace rubato {

Decision FixedStep::judge(const Attempted& attempted)
{
    if (attempted.proposed != nullptr) return {.accept = true, .next_h = h_};
    return {.accept = false, .next_h = 0};
}

} // namespace rubato
