#pragma once

#include "dynamics/step_controller.hpp"

#include <cstdint>

namespace rubato {

struct HalvingOptions {
    int max_halvings = 10; ///< the shortest step is h/2^max_halvings; at most 40
    int recover_after = 4; ///< accepted steps before a halving is taken back
};

/// Steps of length h while all goes well. A failed attempt is repeated with half the length, down to h/2^max_halvings;
/// after some accepted steps the length doubles again, never above h.
///
/// Every step is h/2^level and begins at a multiple of its own length, counted from a point of the grid t = k h: the
/// length doubles only where the longer step fits. So the run always comes back to the grid.
class HalvingStep final : public StepController {
public:
    HalvingStep(double h, const HalvingOptions& options); ///< h [s]
    double first_h() const override { return length(level_); }
    Decision judge(const Attempted& attempted) override;
    void serialize(Archive& archive) override;

private:
    double length(int level) const; ///< h/2^level [s]
    Decision accepted(double h);
    Decision failed(double h);

    double h_;
    HalvingOptions options_;

    int level_ = 0; // halvings in force
    int accepted_in_a_row_ = 0; // since the last change of length
    std::int64_t offset_ = 0; // distance from the last grid point, in units of h/2^max_halvings
};

} // namespace rubato
