#include "base/joined_sets.hpp"
#include "solvers/cpu_dynamics.hpp"

namespace rubato {

namespace {

FreeFall free_fall_of(System& system)
{
    FreeFall fall;
    fall.mass = system.mass.nodal();
    Vector force = Vector::Zero(system.unknowns());
    const Vector anywhere = Vector::Zero(system.unknowns()); // gravity is the same everywhere and always
    Assembly sink{.gradient = &force, .gradient_weight = -1};
    BlockPattern joints(system.mass.nodes());
    system.mass.pattern(joints);
    for (const auto& potential : system.potentials) {
        if (potential->kind() == EnergyKind::gravity) potential->add(anywhere, 0, sink);
        if (potential->kind() != EnergyKind::contact) potential->pattern(joints);
    }
    system.mass.solve(force, fall.g);
    system.prescription.set_zero(fall.g);

    const auto nodes = static_cast<std::size_t>(system.mass.nodes());
    JoinedSets sets(nodes);
    for (const auto& [i, j] : joints.pairs()) sets.join(i, j);
    fall.piece.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        const Index root = sets.root(static_cast<Index>(i)); // the least of its set, so it has been numbered already
        fall.piece[i] = root == static_cast<Index>(i) ? fall.pieces++ : fall.piece[static_cast<std::size_t>(root)];
    }
    return fall;
}

} // namespace

const FreeFall& CpuDynamics::free_fall()
{
    if (fall_.piece.empty()) fall_ = free_fall_of(system_);
    return fall_;
}

void CpuDynamics::along_gravity(const Vector& a, std::vector<double>& sums)
{
    const FreeFall& fall = free_fall();
    sums.assign(static_cast<std::size_t>(fall.pieces), 0.0);
    for (std::size_t i = 0; i < fall.piece.size(); ++i) {
        const auto k = static_cast<Index>(i);
        const Vec3 mg = fall.mass[k] * node(fall.g, k);
        sums[static_cast<std::size_t>(fall.piece[i])] += mg.dot(node(a, k));
    }
}

void CpuDynamics::add_gravity(const std::vector<double>& times, Vector& v)
{
    const FreeFall& fall = free_fall();
    for (std::size_t i = 0; i < fall.piece.size(); ++i) {
        const auto k = static_cast<Index>(i);
        node(v, k) += times[static_cast<std::size_t>(fall.piece[i])] * node(fall.g, k);
    }
}

} // namespace rubato
