#pragma once

#include "dynamics/system.hpp"

#include <Eigen/Core>

namespace rubato {

/// Small vibrations of a system about a configuration: K phi = omega^2 M phi with K the Hessian of the potentials
/// there. Prescribed unknowns do not move and have no part in it.
struct Modes {
    Vector omega2; ///< omega^2 [1/s^2], ascending; zero up to round-off for motions that nothing holds
    Eigen::MatrixXd phi; ///< a mode per column, over all unknowns [kg^-1/2]: phi^T M phi = 1
    double highest = 0; ///< an upper bound of omega^2 of all modes, the measure of round-off [1/s^2]

    Eigen::Index count() const { return omega2.size(); }
    double frequency(Eigen::Index mode) const; ///< [Hz]; 0 where omega^2 is not positive
    /// Is omega^2 below zero by more than round-off? Then the configuration is no minimum of the potential.
    bool unstable(Eigen::Index mode) const;
};

Eigen::Index free_unknowns(const System& system); ///< those that are not prescribed

/// The `count` modes of lowest frequency about X [m], at t = 0. Up to some hundred unknowns, or if nearly all modes are
/// wanted, by a dense solver; else by Lanczos iteration on (K - shift M)^-1 (Spectra). Throws InputError if there are
/// fewer, or if it takes too much memory, or if the iteration does not converge.
Modes lowest_modes(System& system, const Vector& X, Eigen::Index count);

} // namespace rubato
