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
/// of fourth order where the path is smooth. Nothing is differentiated, so a script whose velocity jumps is no worse
/// than by the trapezoidal rule.
///
/// The middle counts if it makes little difference: on a path of which a step sees little, an impact or a vibration
/// faster than the step, nobody knows what the forces were between its ends, which are solved for, and the trapezoidal
/// rule stands. Contact has it always: its forces change over distances far shorter than those that a step goes.
namespace rubato {

namespace {

constexpr std::size_t points = 3; // of time: start, middle, end
constexpr double G[points][points] = {{-0.5, 2.0 / 3, -1.0 / 6}, {-2.0 / 3, 0, 2.0 / 3}, {1.0 / 6, -2.0 / 3, 0.5}};

constexpr double smooth = 0.1; // of the energies: two rules that differ by more do not see a smooth path

/// `size`: how large the energies are that the rules add up [J].
double finer_where_smooth(double parabola, double trapezoid, double size)
{
    return std::abs(parabola - trapezoid) <= smooth * size ? parabola : trapezoid;
}

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

/// Forces on scripted unknowns where the way begins and ends. Those in the middle alone depend on velocities: a search
/// for them asks for the rest once.
void CpuDynamics::find_resistance(const State& before, const State& after)
{
    Resistance& r = resistance_;
    if (r.known && r.t == after.t && r.from == before.x && r.to == after.x) return;
    r.known = true;
    r.t = after.t;
    r.from = before.x;
    r.to = after.x;
    const std::vector<Eigen::Index>& scripted = system_.prescription.unknowns();
    const std::array<const State*, 2> ends = {&before, &after};
    for (std::size_t k = 0; k < 2; ++k) {
        forces_at(*ends[k], true);
        r.contact[k] = force_(scripted);
        forces_at(*ends[k], false);
        r.other[k] = force_(scripted);
    }
    r.elastic = (r.other[0].array() != 0).any() || (r.other[1].array() != 0).any();
}

/// int grad P . dX over the prescribed unknowns.
double CpuDynamics::work_of_scripts(const State& before, const State& after)
{
    find_resistance(before, after);
    const Resistance& r = resistance_;
    const std::vector<Eigen::Index>& scripted = system_.prescription.unknowns();
    double contact = 0, trapezoid = 0, size = 0;
    for (std::size_t k = 0; k < scripted.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const double way = after.x[scripted[k]] - before.x[scripted[k]];
        contact += 0.5 * (r.contact[0][i] + r.contact[1][i]) * way;
        trapezoid += 0.5 * (r.other[0][i] + r.other[1][i]) * way;
        size += 0.5 * (std::abs(r.other[0][i]) + std::abs(r.other[1][i])) * std::abs(way);
    }
    if (!r.elastic) return contact;
    const State& middle = middle_of(before, after);
    if (!forces_at(middle, false)) return contact + trapezoid;
    double parabola = 0;
    for (std::size_t k = 0; k < scripted.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const double there = middle.x[scripted[k]] - before.x[scripted[k]];
        const double on = after.x[scripted[k]] - middle.x[scripted[k]];
        const std::array<double, points> f = {r.other[0][i], force_[scripted[k]], r.other[1][i]};
        // The rows of G sum to zero, so only differences of positions matter.
        for (std::size_t p = 0; p < points; ++p) parabola += f[p] * (G[p][2] * on - G[p][0] * there);
    }
    return contact + finer_where_smooth(parabola, trapezoid, size);
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

/// Energies P_ij = P(x_i, t_j) of a potential along the way, and what they span.
CpuDynamics::EnergiesAlong CpuDynamics::energies_along(Potential& potential, const State& before, const State& after)
{
    const std::array<const State*, points> path = {&before, &middle_, &after};
    EnergiesAlong out;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t j = 0; j < points; ++j) {
            double& value = out.P[i][j] = 0;
            Assembly sink{.value = &value};
            potential.add(path[i]->x, path[j]->t, sink);
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    out.span = most - least;
    return out;
}

/// Work of forces from outside, int F dX, and int dP/dt dt of other potentials that depend on time: their change at
/// rest.
///
/// P = -F . x of a force from outside, so that F_i X_j = -P_ji. One that acts as its mean is an impulse: it brings in
/// what it does to the kinetic energy, h F . (v + v')/2. Along the way it would be what the positions of the method
/// make of it, for implicit Euler F . h v', twice as much on a body at rest; a method that follows the balance would
/// make vibrations of the rest.
double CpuDynamics::work_of_time(const State& before, const State& after)
{
    double work = 0;
    bool known = false;
    for (const auto& potential : system_.potentials) {
        if (!potential->depends_on_time()) continue;
        if (potential->acts_as_mean()) {
            x_ = before.x + (0.5 * (after.t - before.t)) * (before.v + after.v);
            Assembly at_start{.value = &work}, at_end{.value = &work, .value_weight = -1};
            potential->add(before.x, before.t, at_start);
            potential->add(x_, before.t, at_end);
            continue;
        }
        if (!known) middle_of(before, after);
        known = true;
        const auto [P, span] = energies_along(*potential, before, after);
        double parabola = 0, trapezoid = 0;
        if (potential->external()) {
            for (std::size_t i = 0; i < points; ++i) {
                for (std::size_t j = 0; j < points; ++j) parabola -= G[i][j] * P[j][i];
            }
            trapezoid = 0.5 * (P[0][0] - P[2][0] + P[0][2] - P[2][2]);
        } else {
            for (std::size_t i = 0; i < points; ++i) {
                for (std::size_t j = 0; j < points; ++j) parabola += G[i][j] * P[i][j];
            }
            trapezoid = 0.5 * (P[0][2] - P[0][0] + P[2][2] - P[2][0]);
        }
        work += finer_where_smooth(parabola, trapezoid, span);
    }
    return work;
}

} // namespace rubato
