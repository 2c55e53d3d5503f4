#pragma once

#include "contact/collision_surface.hpp"
#include "dynamics/dissipation.hpp"
#include "dynamics/potential.hpp"

#include <memory>

namespace rubato {

/// What contact needs to know beside the surfaces.
struct ContactOptions {
    double dhat = 1e-3; ///< gap below which surfaces repel each other [m]
    double stiffness = 1e5; ///< kappa of the barrier [N/m] (J per m^2 of touching surface)
    double friction_speed = 1e-3; ///< eps_v: below this sliding speed friction grows smoothly from zero [m/s]
    int friction_iterations = 1; ///< solves per stage with friction forces brought up to date in between
};

/// Everything two terms of a system need for contact: they share surfaces and the search for close pairs.
struct ContactTerms {
    std::unique_ptr<Potential> barrier;
    std::unique_ptr<Dissipation> friction; ///< null if no rule has any
};

/// `X`: rest positions of all nodes.
ContactTerms contact_terms(CollisionSurface surface, PairRules rules, const ContactOptions& options, const Vector& X);

/// The stiffness that suits a scene [N/m]: at half of dhat the barrier presses with more than ten times what the
/// stiffest body can (`young` [Pa]), than what carries the weight of `areal_mass` [kg/m^2] a hundred times over, and
/// than what stops it within dhat and a step h.
double automatic_stiffness(double dhat, double young, double areal_mass, double gravity, double h);

} // namespace rubato
