#include "solvers/cpu_dynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

/// Energy that scripts and time bring in, along the path from one accepted state to the next.
///
/// The path of free unknowns is known by position and velocity at both ends, and so in the middle by Hermite's cubic,
///
///     x_m = (x + x')/2 + h/8 (v - v')          off by O(h^4)
///
/// scripted unknowns are known at any time. Between values at start, middle and end, factors and what they multiply are
/// parabolas in time, with L_0, L_1, L_2 those that are 1 at one of the three:
///
///     int F dX = sum_ij F_i G_ij X_j,     G_ij = int_0^1 L_i L_j' ds
///
/// of fourth order, although nothing is differentiated: a script that starts or stops with a jolt is no worse.
namespace rubato {

namespace {

constexpr int points = 3; // of time: start, middle, end
constexpr double G[points][points] = {{-0.5, 2.0 / 3, -1.0 / 6}, {-2.0 / 3, 0, 2.0 / 3}, {1.0 / 6, -2.0 / 3, 0.5}};

constexpr double smooth = 0.1; // of the forces along the way: two rules that differ by more do not see a smooth path

} // namespace

/// Where the path is half-way.
const State& CpuDynamics::middle_of(const State& before, const State& after)
{
    const double h = after.t - before.t;
    middle_.t = before.t + 0.5 * h;
    middle_.x = 0.5 * (before.x + after.x) + (h / 8) * (before.v - after.v);
    system_.prescription.set_positions(middle_.t, middle_.x);
    return middle_;
}

/// int grad P . dX over the prescribed unknowns.
///
/// The middle counts if it makes little difference: on a path of which a step sees little, an impact or a vibration
/// faster than the step, nobody knows what the forces were between its ends, which are solved for, and the trapezoidal
/// rule stands. Contact has it always: its forces change over distances far shorter than those that a step goes.
double CpuDynamics::work_of_scripts(const State& before, const State& after)
{
    const State& middle = middle_of(before, after);
    const std::vector<Eigen::Index>& scripted = system_.prescription.unknowns();
    const std::array<const State*, points> path = {&before, &middle, &after};

    double trapezoid = 0, parabola = 0, size = 0;
    for (const bool contact : {true, false}) {
        for (std::size_t k : {0, 2}) {
            forces_at(*path[k], contact);
            for (const Eigen::Index i : scripted) {
                const double there = middle.x[i] - before.x[i], on = after.x[i] - middle.x[i];
                const double share = 0.5 * force_[i] * (there + on);
                trapezoid += share;
                // The rows of G sum to zero, so only differences of positions matter.
                parabola += contact ? share : force_[i] * (G[k][2] * on - G[k][0] * there);
                size += 0.5 * std::abs(force_[i]) * (std::abs(there) + std::abs(on));
            }
        }
    }
    if (!forces_at(middle, false)) return trapezoid;
    for (const Eigen::Index i : scripted) {
        parabola += force_[i] * (G[1][2] * (after.x[i] - middle.x[i]) - G[1][0] * (middle.x[i] - before.x[i]));
    }
    return std::abs(parabola - trapezoid) <= smooth * size ? parabola : trapezoid;
}

/// force_ = grad P of contact, or of all else; false where P is not defined.
bool CpuDynamics::forces_at(const State& s, bool contact)
{
    force_.setZero(s.x.size());
    double value = 0;
    Assembly energy{.value = &value}, gradient{.gradient = &force_};
    for (const auto& potential : system_.potentials) {
        if ((potential->kind() == EnergyKind::contact) != contact) continue;
        const PhaseClock clock(objective_.phase_of(*potential));
        if (&s == &middle_) potential->add(s.x, s.t, energy); // the other two were solved for
        if (!std::isfinite(value)) return false;
        potential->add(s.x, s.t, gradient);
    }
    return true;
}

/// int dP/dt dt of potentials that depend on time, their change at rest: P_ij = P(x_i, t_j) as the step felt it, and at
/// either end the jump from what P is at that instant.
double CpuDynamics::work_of_time(const State& before, const State& after)
{
    double work = 0;
    bool known = false;
    for (const auto& potential : system_.potentials) {
        if (!potential->depends_on_time()) continue;
        const State& middle = known ? middle_ : middle_of(before, after);
        known = true;
        const std::array<const State*, points> path = {&before, &middle, &after};
        const auto add = [&](const State& at, double t, double weight, bool at_instant) {
            Assembly sink{.value = &work, .value_weight = weight, .at_instant = at_instant};
            if (weight != 0) potential->add(at.x, t, sink);
        };
        add(before, before.t, -1, true);
        add(before, before.t, 1, false);
        for (std::size_t i = 0; i < points; ++i) {
            for (std::size_t j = 0; j < points; ++j) add(*path[i], path[j]->t, G[i][j], false);
        }
        add(after, after.t, -1, false);
        add(after, after.t, 1, true);
    }
    return work;
}

} // namespace rubato
