#pragma once

#include "integrators/catalog.hpp"

#include <Eigen/Core>

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What a method does to the oscillator m x'' = -k x in one step (000 sec. 3.3 and App. C), measured: unit vectors are
/// stepped through the method's own code. Up to the choice of units all depends on hbar = h^2 k/m alone.
namespace rubato {

/// A method to be measured: what makes it, and what messages call it.
struct MeasuredMethod {
    std::string name;
    std::function<std::unique_ptr<Integrator>()> make; ///< a new one, without history
    bool aims_at_target = false; ///< steers the energy, so that it cannot be linear
};

/// An entry of the catalog with these options (or its defaults).
MeasuredMethod measured_method(const IntegratorEntry& entry, const Options& options);
MeasuredMethod measured_method(const IntegratorEntry& entry);

/// z_{n+1} = Q z_n. A one-step method has z = (x, h v); one that looks back k steps has z = (x_n, h v_n, x_{n-1},
/// h v_{n-1}, ...) with 2 k entries, and Q is its companion matrix. A history that is not made of states shows in them:
/// z has as many entries as there are numbers to be known, (x_n, h v_n, x_{n-1}) where an acceleration is remembered.
struct Amplification {
    double hbar = 0;
    int steps = 1; ///< k
    Eigen::MatrixXd Q; ///< 2k x 2k, or 2k - 1 where the oldest velocity says nothing
    double determinant = 0, trace = 0; ///< of Q
    std::vector<std::complex<double>> eigenvalues; ///< the largest first
    double spectral_radius = 0;
};

/// Measures Q at hbar > 0. Throws InputError if the method is not linear on the oscillator (it steers the energy) or
/// keeps a history that does not show in earlier states, and says which.
Amplification amplification(const MeasuredMethod& method, double hbar);

/// A stretch of hbar.
struct HbarRange {
    double low, high;
};

/// A method over a range of hbar.
struct StabilitySweep {
    std::vector<Amplification> points; ///< at equal distances of log hbar, ascending
    std::vector<HbarRange> unstable; ///< where the spectral radius is above 1; ends between points are sought out
};

/// Measures from `low` to `high`, both > 0, at `count` >= 2 points. Throws like amplification.
StabilitySweep stability_sweep(const MeasuredMethod& method, double low, double high, int count);

} // namespace rubato
