#pragma once

#include "control/energy_options.hpp"
#include "dynamics/energy_target.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Keeps what the run starts with, or a share of it:
///
///     E_0 = scale H_0,     E' = E + gained
class HeldEnergy final : public EnergyTarget {
public:
    explicit HeldEnergy(double scale = 1)
        : scale_(scale)
    {
    }
    static std::vector<OptionSpec> options();
    static std::unique_ptr<EnergyTarget> make(const Options& options, const EnergyLevels& levels);

    double first(double H_0) const override { return scale_ * H_0; }
    double next(double E, double /*t*/, double /*t_next*/, double gained) const override { return E + gained; }

private:
    double scale_;
};

} // namespace rubato
