#include "solvers/cpu_dynamics.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace rubato {

CpuDynamics::CpuDynamics(System system, NewtonOptions options)
    : CpuDynamics(std::move(system), std::make_unique<Newton>(options), nullptr)
{
}

CpuDynamics::CpuDynamics(System system, std::unique_ptr<StageSolver> solver, std::unique_ptr<StageSolver> searcher)
    : system_(std::move(system))
    , objective_(system_)
    , solver_(std::move(solver))
    , searcher_(std::move(searcher))
{
}

void CpuDynamics::begin_step(const State& now, double h)
{
    resistance_.known = false;
    for (const auto& potential : system_.potentials) potential->begin_step(now.t, h);
    for (const auto& dissipation : system_.dissipations) dissipation->freeze(now);
    solver_->begin_step({.now = now, .h = h});
}

namespace {

/// Calls f with the memory of each term that has one; whether there was any.
template <class Call>
bool for_memories(System& system, Call f)
{
    bool any = false;
    const auto all_of = [&](auto& terms) {
        for (const auto& term : terms) {
            if (!term->remembers()) continue;
            any = true;
            f(*term);
        }
    };
    all_of(system.potentials);
    all_of(system.dissipations);
    return any;
}

} // namespace

/// Forces are evaluated before and after at one place: what a solve left out of balance is not in their difference.
Accepted CpuDynamics::accept(const State& after, Vector& jump)
{
    solver_->accept();
    if (!for_memories(system_, [](const Memory&) {})) return {};

    conservative_acceleration(after.t, after.x, jump);
    Accepted all;
    for_memories(system_, [&](Memory& memory) { all.add(memory.accept(after)); });
    if (!all.forces) return all;
    system_.values = unused_id();
    conservative_acceleration(after.t, after.x, u_);
    jump = u_ - jump;
    return all;
}

void CpuDynamics::serialize(Archive& archive)
{
    solver_->serialize(archive);
    const bool any = for_memories(system_, [&](Memory& memory) { memory.serialize(archive); });
    if (any && archive.loading()) system_.values = unused_id();
}

SolveReport CpuDynamics::solve(const Stage& stage, const Vector& start, Vector& y)
{
    objective_.set_stage(stage);
    SolveReport report = solver_->minimise(objective_, start, y);
    if (!stage.dissipative) return report;
    for (int solves = 1; report.ok(); ++solves) {
        bool changed = false;
        for (const auto& dissipation : system_.dissipations) changed |= dissipation->relag(y, solves);
        if (!changed) break;
        x_ = y;
        const SolveReport again = solver_->minimise(objective_, x_, y);
        report.merge(again);
        report.residual = again.residual;
    }
    return report;
}

/// f = -grad P(x, t), prescribed unknowns of x as given.
void CpuDynamics::conservative_force(double t, const Vector& x, Vector& f)
{
    f.setZero(x.size());
    Assembly sink{.gradient = &f, .gradient_weight = -1};
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(objective_.phase_of(*potential));
        potential->add(x, t, sink);
    }
}

/// f -= grad D(u)
void CpuDynamics::add_dissipative_force(const Vector& u, Vector& f)
{
    Assembly sink{.gradient = &f, .gradient_weight = -1};
    for (const auto& dissipation : system_.dissipations) dissipation->add(u, sink);
}

void CpuDynamics::conservative_acceleration(double t, const Vector& x, Vector& a)
{
    x_ = x;
    system_.prescription.set_positions(t, x_);
    conservative_force(t, x_, force_);
    system_.mass.solve(force_, a);
    system_.prescription.set_zero(a);
}

void CpuDynamics::add_jumping_acceleration(double t, double weight, Vector& a)
{
    bool found = false;
    Assembly sink{.gradient = &force_, .gradient_weight = -weight};
    for (const auto& potential : system_.potentials) {
        if (!potential->external()) continue;
        if (!found) force_.setZero(a.size());
        found = true;
        potential->add(a, t, sink); // of time alone: any positions do
    }
    if (!found) return;
    system_.mass.solve(force_, x_);
    system_.prescription.set_zero(x_);
    a += x_;
}

void CpuDynamics::acceleration(double t, const Vector& x, const Vector& v, Vector& a)
{
    x_ = x;
    system_.prescription.set_positions(t, x_);
    conservative_force(t, x_, force_);
    if (!system_.dissipations.empty()) {
        u_ = v;
        system_.prescription.set_velocities(t, u_);
        add_dissipative_force(u_, force_);
    }
    system_.mass.solve(force_, a);
    system_.prescription.set_zero(a);
}

void CpuDynamics::dissipative_acceleration(double t, const Vector& v, Vector& a)
{
    if (system_.dissipations.empty()) {
        a.setZero(v.size());
        return;
    }
    u_ = v;
    system_.prescription.set_velocities(t, u_);
    force_.setZero(v.size());
    add_dissipative_force(u_, force_);
    system_.mass.solve(force_, a);
    system_.prescription.set_zero(a);
}

Dissipated CpuDynamics::dissipated(const Vector& u, const Vector& dx)
{
    if (system_.dissipations.empty()) return {};
    dissipative_force(u, force_);
    return dissipated_by(force_, dx);
}

void CpuDynamics::dissipative_force(const Vector& u, Vector& f)
{
    f.setZero(u.size());
    add_dissipative_force(u, f);
}

Dissipated CpuDynamics::dissipated_by(const Vector& f, const Vector& dx) const
{
    double driven = 0;
    for (const Eigen::Index i : system_.prescription.unknowns()) driven -= f[i] * dx[i];
    free_a_ = f;
    system_.prescription.set_zero(free_a_);
    return {-free_a_.dot(dx), driven};
}

EnergyParts CpuDynamics::potential_energy(double t, const Vector& x)
{
    EnergyParts parts;
    for (const auto& potential : system_.potentials) {
        if (potential->external()) continue;
        const PhaseClock clock(objective_.phase_of(*potential));
        double value = 0;
        Assembly sink{.value = &value};
        potential->add(x, t, sink);
        switch (potential->kind()) {
        case EnergyKind::elastic: parts.elastic += value; break;
        case EnergyKind::gravity: parts.gravity += value; break;
        case EnergyKind::contact: parts.contact += value; break;
        case EnergyKind::other: parts.other += value; break;
        }
    }
    return parts;
}

double CpuDynamics::kinetic_energy(const Vector& v) const { return 0.5 * system_.mass.inner(v, v); }

double CpuDynamics::mass_inner(const Vector& a, const Vector& b) const
{
    if (system_.prescription.empty()) return system_.mass.inner(a, b);
    free_a_ = a;
    free_b_ = b;
    system_.prescription.set_zero(free_a_);
    system_.prescription.set_zero(free_b_);
    return system_.mass.inner(free_a_, free_b_);
}

bool CpuDynamics::admissible(double t, const Vector& from, const Vector& to)
{
    x_ = to;
    system_.prescription.set_positions(t, x_);
    if (!x_.allFinite()) return false;
    dx_ = x_ - from;
    if (!(objective_.max_step(from, dx_) > 1)) return false;
    return std::isfinite(potential_energy(t, x_).total());
}

Touching CpuDynamics::touching(const Vector& x)
{
    Touching all;
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(objective_.phase_of(*potential));
        all.add(potential->touching(x));
    }
    return all;
}

void CpuDynamics::prescribe(State& state) const
{
    system_.prescription.set_positions(state.t, state.x);
    system_.prescription.set_velocities(state.t, state.v);
}

void CpuDynamics::filter(const State& before, State& after, double h)
{
    for (const auto& filter : system_.filters) filter->apply(before, after, h);
    system_.prescription.set_velocities(after.t, after.v);
}

/// Reactions: a prescribed unknown needs the force r = M X'' + grad P + grad D, which does the work
///     int r . dX  =  change of its kinetic energy  +  int (grad P + grad D) . dX.
/// The integral of grad D is booked with the step's dissipations; that of grad P, and int dP/dt dt of potentials that
/// depend on time, are taken along the path between the two states (injected.cpp).
double CpuDynamics::injected(const State& before, const State& after)
{
    const Prescription& script = system_.prescription;
    double work = 0;
    if (script.moving()) {
        work += work_of_scripts(before, after);
        system_.mass.multiply(after.v, x_);
        system_.mass.multiply(before.v, u_);
        for (const Eigen::Index i : script.unknowns()) work += 0.5 * (after.v[i] * x_[i] - before.v[i] * u_[i]);
    }
    return work + work_of_time(before, after);
}

void CpuDynamics::momenta(const State& state, Vec3& linear, Vec3& angular) const
{
    system_.mass.multiply(state.v, momentum_);
    linear.setZero();
    angular.setZero();
    for (Index i = 0; i < system_.mass.nodes(); ++i) {
        linear += node(momentum_, i);
        angular += Vec3(node(state.x, i)).cross(Vec3(node(momentum_, i)));
    }
}

} // namespace rubato
