#pragma once

#include "base/errors.hpp"
#include "control/fixed.hpp"
#include "integrators/catalog.hpp"
#include "potentials/damping.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/springs.hpp"
#include "potentials/tetrahedra.hpp"
#include "simulation/simulation.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Systems of a few nodes, solved as tightly as double precision allows, on which integrators are measured.
namespace rubato::small {

/// What moves, where it starts, and for how long it is watched.
struct Problem {
    std::unique_ptr<CpuDynamics> dynamics;
    State start;
    double duration = 1; ///< [s]
};
using ProblemMaker = std::function<Problem()>;

inline NewtonOptions tight()
{
    NewtonOptions options;
    // Newton takes the step that falls below the tolerance, and the exact Hessian converges quadratically: what is left
    // is round-off.
    options.velocity_tolerance = 1e-9;
    options.projected = false;
    return options;
}

inline Problem problem(System system, State start, double duration)
{
    system.prescription.finish(system.unknowns());
    Problem p{std::make_unique<CpuDynamics>(std::move(system), tight()), std::move(start), duration};
    p.dynamics->prescribe(p.start);
    return p;
}

inline Vector stacked(std::initializer_list<Vec3> points)
{
    Vector x(3 * static_cast<Eigen::Index>(points.size()));
    Index i = 0;
    for (const Vec3& p : points) node(x, i++) = p;
    return x;
}

/// Four nodes of different mass joined by three stretched springs, tumbling: displacements as large as the springs.
inline System chain_system()
{
    System system;
    Vector mass(4);
    mass << 1.0, 0.7, 1.3, 0.9;
    system.mass = Mass(mass);
    system.potentials.push_back(
        std::make_unique<Springs>(std::vector<Spring>{{0, 1, 12.0, 0.8}, {1, 2, 9.0, 1.0}, {2, 3, 15.0, 0.9}}));
    return system;
}

inline State chain_start()
{
    return {.t = 0,
        .x = stacked({{0, 0, 0}, {1, 0.2, 0}, {1.9, 0.1, 0.3}, {2.8, -0.2, 0.1}}),
        .v = stacked({{0.2, -0.9, 0.3}, {0, 0.5, -0.4}, {-0.3, -0.2, 0.6}, {0.1, 0.8, 0}})};
}

inline Problem chain() { return problem(chain_system(), chain_start(), 1.0); }

inline Problem chain_with_drag(double rate = 0.8)
{
    System system = chain_system();
    system.dissipations.push_back(std::make_unique<Drag>(system.mass, rate));
    return problem(std::move(system), chain_start(), 1.0);
}

/// The chain with everything that depends on time: a scripted node, a moving attachment and a swelling force.
inline Problem driven_chain(double drag = 0)
{
    System system = chain_system();
    if (drag > 0) system.dissipations.push_back(std::make_unique<Drag>(system.mass, drag));
    const State start = chain_start();
    const auto swing = std::make_shared<Oscillation>(Vec3(0.3, 0.2, -0.1), 0.7);
    system.prescription.add(0, node(start.x, 0), swing);
    system.potentials.push_back(std::make_unique<Attachments>(std::vector<Attachment>{
        {3, 6.0, Vec3(node(start.x, 3)), std::make_shared<Oscillation>(Vec3(-0.2, 0.4, 0.1), 0.9)}}));
    system.potentials.push_back(std::make_unique<NodalForce>(
        std::vector<Index>{2}, std::vector<Vec3>{{0.5, -1.0, 0.4}}, start.x, std::make_shared<Sine>(3, 0.4)));
    return problem(std::move(system), start, 1.0);
}

/// The chain under a force that is switched on where the first step begins, and off within a step of 0.01 s.
inline Problem pulsed_chain()
{
    System system = chain_system();
    const State start = chain_start();
    system.potentials.push_back(std::make_unique<NodalForce>(
        std::vector<Index>{2}, std::vector<Vec3>{{3, -2, 1}}, start.x, std::make_shared<Pulse>(0, 0.0437)));
    return problem(std::move(system), start, 1.0);
}

/// Two neo-Hookean tetrahedra that share a face, stretched and spinning, under lagged Rayleigh damping.
inline Problem tetrahedra_with_damping(double coefficient)
{
    const Vector X = stacked({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
    const std::vector<Tet> tets = {{0, 1, 2, 3}, {1, 4, 2, 3}};
    const TetBatches table(tets, X);
    Vector mass = Vector::Zero(5);
    add_lumped_mass(table, 10.0, mass);

    System system;
    system.mass = Mass(mass);
    const auto& catalog = tetrahedra_catalog();
    const auto material
        = std::find_if(catalog.begin(), catalog.end(), [](const auto& e) { return e.name == "neo-hookean"; });
    if (material == catalog.end()) throw std::logic_error("no neo-hookean in the material catalog");
    Options options = defaults(material->options);
    options.set("young", 100.0);
    options.set("poisson", 0.3);
    system.potentials.push_back(material->make(options, table));
    system.dissipations.push_back(
        std::make_unique<RayleighDamping>(std::vector<Potential*>{system.potentials[0].get()}, 5, coefficient));

    State start{.t = 0, .x = X, .v = Vector::Zero(X.size())};
    for (Index i = 0; i < 5; ++i) {
        const Vec3 p = node(X, i);
        node(start.x, i) = Vec3(1.3 * p.x() + 0.1 * p.y(), 1.1 * p.y(), 1.2 * p.z());
        node(start.v, i) = Vec3(-1.5 * p.y(), 1.5 * p.x(), 0.5 * p.x());
    }
    return problem(std::move(system), start, 0.5);
}

inline Problem damped_tetrahedra() { return tetrahedra_with_damping(0.02); }

/// Two nodes on a stretched spring, damped, that fly along it at a speed beside which they hardly vibrate.
inline Problem flying_pair(double coefficient, double speed)
{
    System system;
    system.mass = Mass(Vector(Vector::Constant(2, 0.5)));
    system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, 100.0, 1.0}}));
    system.dissipations.push_back(
        std::make_unique<RayleighDamping>(std::vector<Potential*>{system.potentials[0].get()}, 2, coefficient));
    const Vec3 v(speed, 0, 0), apart(3, 0, 0);
    return problem(
        std::move(system), {.t = 0, .x = stacked({{0, 0, 0}, {1.3, 0, 0}}), .v = stacked({v - apart, v + apart})}, 1.0);
}

/// Three nodes under gravity alone.
inline Problem free_fall(const Vec3& g)
{
    System system;
    const Vector mass = Vector::Constant(3, 0.5);
    system.mass = Mass(mass);
    system.potentials.push_back(std::make_unique<Gravity>(mass, g, Vec3::Zero()));
    const State start{.t = 0,
        .x = stacked({{0, 1, 0}, {1, 2, -1}, {-1, 0, 3}}),
        .v = stacked({{1, 2, 0}, {0, -1, 0.5}, {0.3, 0, 0}})};
    return problem(std::move(system), start, 1.0);
}

/// Changes the stiffness of a problem's attachments, which is `now` [N/m]: the path is the term's name for it.
inline SetParameter attachment_stiffness(Problem& p, double now)
{
    return [&dynamics = *p.dynamics, now](const Edit& edit) mutable {
        for (const auto& potential : dynamics.system().potentials) {
            if (potential->name() == "attachments" && potential->set(edit.path, edit.value)) {
                dynamics.parameters_changed();
                return std::exchange(now, edit.value);
            }
        }
        throw InputError(Mistake{.key = edit.path, .message = "no attachment has this"});
    };
}

/// The integrator of a catalog entry with the options a scene gets that says nothing.
inline std::unique_ptr<Integrator> made(const IntegratorEntry& entry) { return entry.make(defaults(entry.options)); }
inline int order(const IntegratorEntry& entry) { return entry.order(defaults(entry.options)); }

/// Kinetic and potential [J].
inline double energy_of(Dynamics& dynamics, const State& s)
{
    return dynamics.potential_energy(s.t, s.x).total() + dynamics.kinetic_energy(s.v);
}

/// One attempt, with what energy there is as the target.
inline StepOutcome proposal(Dynamics& dynamics, Integrator& integrator, const State& now, double h, State& next)
{
    const EnergyLedger ledger = EnergyLedger::opened(energy_of(dynamics, now));
    return integrator.step({dynamics, now, h, ledger}, next);
}

/// One step as the simulation commits it.
inline StepOutcome advance(Dynamics& dynamics, Integrator& integrator, State& now, double h)
{
    State next;
    dynamics.begin_step(now, h);
    const StepOutcome outcome = proposal(dynamics, integrator, now, h, next);
    if (outcome.status != StepStatus::ok) return outcome;
    dynamics.prescribe(next);
    integrator.accept(now, next);
    now = next;
    return outcome;
}

/// The state at the end of the problem's duration after `steps` steps whose lengths follow `pattern` (repeated; the
/// lengths are relative to each other).
inline State at_end(const IntegratorEntry& entry, Problem& p, long steps, const std::vector<double>& pattern = {1})
{
    double sum = 0;
    for (long k = 0; k < steps; ++k) sum += pattern[static_cast<std::size_t>(k) % pattern.size()];
    const auto integrator = made(entry);
    State now = p.start;
    for (long k = 0; k < steps; ++k) {
        const double h = p.duration * pattern[static_cast<std::size_t>(k) % pattern.size()] / sum;
        const StepOutcome outcome = advance(*p.dynamics, *integrator, now, h);
        if (outcome.status != StepStatus::ok) {
            throw std::runtime_error(entry.name + " failed: " + std::string(text(outcome.solve.reason)));
        }
    }
    return now;
}

/// The true motion: a Runge-Kutta method of order four written out here, with steps so short that its error is
/// round-off. Dissipations are frozen at every evaluation, so that nothing lags.
inline State truth(Problem& p, long steps = 1 << 13)
{
    const double h = p.duration / static_cast<double>(steps);
    Dynamics& dynamics = *p.dynamics;
    const auto force = [&](double t, const Vector& x, const Vector& v) {
        State s{t, x, v};
        dynamics.prescribe(s);
        dynamics.begin_step(s, h);
        Vector a;
        dynamics.acceleration(t, s.x, s.v, a);
        return a;
    };
    State s = p.start;
    for (long k = 0; k < steps; ++k) {
        const double t = p.start.t + static_cast<double>(k) * h;
        const Vector a1 = force(t, s.x, s.v);
        const Vector v2 = s.v + h / 2 * a1, a2 = force(t + h / 2, s.x + h / 2 * s.v, v2);
        const Vector v3 = s.v + h / 2 * a2, a3 = force(t + h / 2, s.x + h / 2 * v2, v3);
        const Vector v4 = s.v + h * a3, a4 = force(t + h, s.x + h * v3, v4);
        s.x += h / 6 * (s.v + 2 * v2 + 2 * v3 + v4);
        s.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        s.t = t + h;
        dynamics.prescribe(s);
    }
    return s;
}

inline double distance(const State& a, const State& b)
{
    return std::sqrt((a.x - b.x).squaredNorm() + (a.v - b.v).squaredNorm());
}

inline bool same_bits(const State& a, const State& b)
{
    const auto same = [](const Vector& p, const Vector& q) {
        return p.size() == q.size() && std::equal(p.data(), p.data() + p.size(), q.data());
    };
    return a.t == b.t && same(a.x, b.x) && same(a.v, b.v);
}

/// Slope of log(error) over log(1/steps) by least squares. Steps are doubled until the error is small enough for the
/// leading term to rule, then for five runs, or until round-off is near.
inline double measured_order(const std::function<double(long steps)>& error, double asymptotic = 3e-3)
{
    constexpr double round_off = 2e-11;
    constexpr long fewest_steps = 64, most_steps = 1 << 17; // 64: every period has many steps
    std::vector<double> xs, ys;
    for (long n = fewest_steps; n <= most_steps && xs.size() < 5; n *= 2) {
        const double e = error(n);
        if (e < round_off && !xs.empty()) break;
        if (e < asymptotic) {
            xs.push_back(-std::log(static_cast<double>(n)));
            ys.push_back(std::log(e));
        }
    }
    if (xs.size() > 3) { // the first one is still on the way
        xs.erase(xs.begin());
        ys.erase(ys.begin());
    }
    if (xs.size() < 2) throw std::runtime_error("too few runs between round-off and the asymptotic regime");
    const auto count = static_cast<double>(xs.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        sx += xs[i], sy += ys[i], sxx += xs[i] * xs[i], sxy += xs[i] * ys[i];
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

} // namespace rubato::small
