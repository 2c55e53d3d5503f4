#pragma once

#include "control/energy_options.hpp"
#include "dynamics/energy_target.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Exponential decay toward a ground level E_g, with a time scale tau that may change from time to time (000 sec. 4.4,
/// 5.3):
///
///     E_0 = scale H_0,     E' - E_g = exp(-integral of dt/tau from t to t') (E - E_g + gained)
///
/// Before the first time of the schedule nothing decays. The integral is that of a step function and is exact, so
/// without gains the target does not depend on how time is cut into steps.
class DecayingEnergy final : public EnergyTarget {
public:
    /// `schedule`: tau [s] from each time on; times ascending, every tau > 0.
    DecayingEnergy(double scale, double ground, std::vector<TimedValue> schedule);
    static std::vector<OptionSpec> options();
    /// Throws InputError.
    static std::unique_ptr<EnergyTarget> make(const Options& options, const EnergyLevels& levels);

    double first(double H_0) const override { return scale_ * H_0; }
    double next(double E, double t, double t_next, double gained) const override;

private:
    double scale_, ground_; ///< [], [J]
    std::vector<TimedValue> schedule_;
};

} // namespace rubato
