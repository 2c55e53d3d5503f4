#include "scene/damping_catalog.hpp"

#include "potentials/damping.hpp"

namespace rubato {

namespace {

std::unique_ptr<Dissipation> rayleigh(const Options& o, const System& system)
{
    std::vector<Potential*> elastic;
    for (const auto& potential : system.potentials) {
        if (potential->kind() == EnergyKind::elastic) elastic.push_back(potential.get());
    }
    return std::make_unique<RayleighDamping>(std::move(elastic), system.mass.nodes(), o.real("coefficient"));
}

} // namespace

const std::vector<DampingEntry>& damping_catalog()
{
    static const std::vector<DampingEntry> catalog{
        {
            .name = "drag",
            .summary = "Mass-proportional drag: force -rate M v.",
            .options
            = {{.name = "rate", .unit = "1/s", .summary = "inverse time in which velocities fall by e", .least = 0}},
            .make = [](const Options& o, const System& system) -> std::unique_ptr<Dissipation> {
                return std::make_unique<Drag>(system.mass, o.real("rate"));
            },
        },
        {
            .name = "rayleigh",
            .summary
            = "Stiffness-proportional damping: force -coefficient K v, K the projected stiffness of all elastic "
              "potentials where the step starts.",
            .options = {{.name = "coefficient", .unit = "s", .summary = "factor of the stiffness", .least = 0}},
            .make = rayleigh,
        },
    };
    return catalog;
}

} // namespace rubato
