#pragma once

#include "dynamics/potential.hpp"
#include "lab/problem.hpp"

namespace rubato {

/// A chain of uniaxial neo-Hookean elements along x (000 sec. 5.5). Element e joins nodes e and e + 1; with its
/// stretch F = (x_{e+1} - x_e)/dx it holds
///
///     P_e = dx E/4 (F^2 - 1 - 2 ln F),
///
/// whose stiffness at rest is E/dx and which nothing compresses to F = 0. It is convex.
class UniaxialBar final : public Potential {
public:
    UniaxialBar(Index elements, double element_length, double stiffness);
    std::string_view name() const override { return "uniaxial-bar"; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    void pattern(BlockPattern& pattern) const override;
    void add(const Vector& x, double t, Assembly& out) override;
    double max_step(const Vector& x, const Vector& p) const override;

private:
    struct Slots {
        Index diagonal, upper, lower; // of (e, e), (e, e + 1) and (e + 1, e)
    };
    void find_slots(const BlockMatrix& matrix);

    Index elements_;
    double dx_; // [m]
    double stiffness_; // E times the cross section [N]
    std::vector<Slots> slots_; // one more than there are elements
    std::uint64_t slots_of_ = 0; // pattern_id they belong to
};

enum class BarDamping { none, drag, rayleigh };

/// The collision of 000 sec. 5.5, with what the paper leaves open settled by its Table 2: docs/lab/reproduce.md.
struct BarOptions {
    Index elements = 30;
    double length = 1; ///< [m]
    double mass = 10; ///< lumped, half masses at the ends [kg]
    double wave_speed = 1; ///< c [m/s]; E = mass c^2/length [N]
    double speed = 1; ///< toward the wall [m/s]
    double gap = 1; ///< between the wall at x = 0 and node 0 at the start [m]
    double kappa = 100; ///< of the barrier, which acts on node 0 alone [J]
    double dhat = 0.01; ///< [m]
    BarDamping damping = BarDamping::none;
    double damping_rate = 0.05; ///< drag: rate [1/s]; rayleigh: coefficient of the stiffness (000 eq. 17) [s]
    double velocity_tolerance = 1e-10; ///< Newton steps below this times h end a solve [m/s]
    LinearMethod linear = LinearMethod::conjugate_gradients; ///< several times faster here than factorising
};

LabProblem bar_problem(const BarOptions& options);

/// Velocity of the centre of mass along x [m/s].
double mean_velocity(const CpuDynamics& dynamics, const State& state);

/// Energy by linear eigenmode of the bar at rest [J], entry 0 the translation. With half masses at the ends the modes
/// of n elements are phi_j(i) = cos(pi i j/n), j = 0 .. n, with omega_j = 2 c/dx sin(pi j/(2 n)). Amplitudes are taken
/// about the bar at rest around its present centre of mass; the energies are those of the linearised bar.
std::vector<double> modal_energies(const BarOptions& options, const State& state);

} // namespace rubato
