#include "scene/probes.hpp"

#include "potentials/stressed.hpp"

namespace rubato {

namespace {

/// Volume-weighted mean of the elements around each node.
NodeProbe stress_probe(std::vector<const Stressed*> terms)
{
    return {"stress", "Pa", [terms = std::move(terms), volume = Vector()](const State& state, Vector& stress) mutable {
                stress.setZero(state.x.size() / 3);
                volume.setZero(stress.size());
                for (const Stressed* term : terms) term->add_stress(state.x, stress, volume);
                for (Eigen::Index i = 0; i < stress.size(); ++i) {
                    if (volume[i] > 0) stress[i] /= volume[i];
                }
            }};
}

NodeProbe contact_probe(Potential& contact)
{
    return {"contact", "N", [&contact, gradient = Vector()](const State& state, Vector& force) mutable {
                gradient.setZero(state.x.size());
                Assembly out{.gradient = &gradient};
                contact.add(state.x, state.t, out);
                force.resize(state.x.size() / 3);
                for (Eigen::Index i = 0; i < force.size(); ++i) force[i] = gradient.segment<3>(3 * i).norm();
            }};
}

} // namespace

std::vector<NodeProbe> frame_probes(BuiltScene& built)
{
    std::vector<NodeProbe> probes;
    std::vector<const Stressed*> stressed;
    Potential* contact = nullptr;
    for (const auto& term : built.dynamics->system().potentials) {
        if (const auto* elements = dynamic_cast<const Stressed*>(term.get())) stressed.push_back(elements);
        if (term->kind() == EnergyKind::contact) contact = term.get();
    }
    if (!stressed.empty()) probes.push_back(stress_probe(std::move(stressed)));
    if (contact != nullptr) probes.push_back(contact_probe(*contact));
    return probes;
}

} // namespace rubato
