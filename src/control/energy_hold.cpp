#include "control/energy_hold.hpp"

namespace rubato {

std::vector<OptionSpec> HeldEnergy::options()
{
    return {scale_spec(), ground_spec("energy of the scene at rest; only what is reported of the run depends on it"),
        ground_kind_spec()};
}

std::unique_ptr<EnergyTarget> HeldEnergy::make(const Options& options, const EnergyLevels&)
{
    return std::make_unique<HeldEnergy>(options.real("scale"));
}

} // namespace rubato
