#include "control/energy_catalog.hpp"

#include "control/energy_curve.hpp"
#include "control/energy_decay.hpp"
#include "control/energy_hold.hpp"

namespace rubato {

namespace {

bool never(const Options&) { return false; }
bool always(const Options&) { return true; }

} // namespace

const std::vector<EnergyTargetEntry>& energy_target_catalog()
{
    static const std::vector<EnergyTargetEntry> entries = {
        {"hold", "the energy of the start, or a share of it", HeldEnergy::options(), HeldEnergy::make, never},
        {"decay", "exponential decay toward a ground level", DecayingEnergy::options(), DecayingEnergy::make, always},
        {"curve", "a curve over time", EnergyCurve::options(), EnergyCurve::make, EnergyCurve::needs_ground},
    };
    return entries;
}

} // namespace rubato
