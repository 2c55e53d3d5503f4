#include "integrators/catalog.hpp"

#include "integrators/a_search.hpp"
#include "integrators/bdf2.hpp"
#include "integrators/blending.hpp"
#include "integrators/decoupled.hpp"
#include "integrators/dirk.hpp"
#include "integrators/energy_budget.hpp"
#include "integrators/energy_constraint.hpp"
#include "integrators/forward_euler.hpp"
#include "integrators/generalised_alpha.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/implicit_midpoint.hpp"
#include "integrators/newmark.hpp"
#include "integrators/read_later.hpp"
#include "integrators/rk4.hpp"
#include "integrators/stormer_verlet.hpp"
#include "integrators/symplectic_euler.hpp"
#include "integrators/theta_method.hpp"

#include <stdexcept>

namespace rubato {

namespace {

using Made = std::unique_ptr<Integrator>;

/// A method that has no options.
template <class Method>
Made plain(const Options&)
{
    return std::make_unique<Method>();
}

auto always(int order)
{
    return [order](const Options&) { return order; };
}

Made sdirk2(const Options&) { return std::make_unique<Dirk>(sdirk2_tableau()); }
Made tr_bdf2(const Options&) { return std::make_unique<Dirk>(tr_bdf2_tableau()); }

Made implicit_euler(const Options& o) { return ReadLater::as_asked(o, std::make_unique<ImplicitEuler>()); }
Made a_1(const Options& o)
{
    return ReadLater::as_asked(o, std::make_unique<ASearch>(AlphaRule::always_one(), o.flag("damped_start")));
}
Made a_search(const Options& o) { return ReadLater::as_asked(o, std::make_unique<ASearch>(AlphaRule::search(o))); }
Made a_search_sparse(const Options& o)
{
    return ReadLater::as_asked(o, std::make_unique<ASearch>(AlphaRule::sparse(o)));
}

std::vector<IntegratorEntry> table()
{
    // One line per method. A method with options keeps their list, and what it makes of them, in its own file.
    // clang-format off
    return {
        {.name = "forward-euler", .summary = "explicit, order 1, gains energy at any step; for comparison", .make = plain<ForwardEuler>, .order = always(1), .is_explicit = true},
        {.name = "symplectic-euler", .summary = "explicit, order 1, symplectic; stable for small steps", .make = plain<SymplecticEuler>, .order = always(1), .is_explicit = true, .keeps_angular_momentum = true},
        {.name = "stormer-verlet", .summary = "explicit, order 2, symplectic; stable for small steps", .make = plain<StormerVerlet>, .order = always(2), .is_explicit = true, .keeps_angular_momentum = true},
        {.name = "rk4", .summary = "explicit, order 4, the classical Runge-Kutta method", .make = plain<Rk4>, .order = always(4), .is_explicit = true},
        {.name = "implicit-euler", .summary = "implicit, order 1, very stable, loses energy fast", .options = {ReadLater::exact_gravity_option()}, .make = implicit_euler, .order = always(1)},
        {.name = "implicit-midpoint", .summary = "implicit, order 2, symplectic, keeps momenta; may blow up at large steps", .make = plain<ImplicitMidpoint>, .order = always(2), .keeps_angular_momentum = true},
        {.name = "theta-method", .summary = "implicit, order 1 (2 at theta = 1/2), between trapezoidal and implicit Euler", .options = ThetaMethod::options(), .make = ThetaMethod::make, .order = ThetaMethod::order},
        {.name = "newmark", .summary = "implicit, Newmark's family; order 2 at gamma = 1/2", .options = Newmark::options(), .make = Newmark::make, .order = Newmark::order, .has_history = true},
        {.name = "trapezoidal", .summary = "implicit, order 2, Newmark with beta = 1/4, gamma = 1/2", .make = plain<Newmark>, .order = always(2), .has_history = true},
        {.name = "generalised-alpha", .summary = "implicit, order 2, loses as much at high frequencies as rho_inf says, little at low ones", .options = GeneralisedAlpha::options(), .make = GeneralisedAlpha::make, .order = always(2), .has_history = true},
        {.name = "bdf2", .summary = "implicit, order 2, two-step, very stable, loses some energy", .make = plain<Bdf2>, .order = always(2), .has_history = true, .starts_lower = true},
        {.name = "sdirk2", .summary = "implicit, order 2, two equal stages, very stable, loses some energy", .make = sdirk2, .order = always(2)},
        {.name = "tr-bdf2", .summary = "implicit, order 2, trapezoidal rule then BDF2 within one step", .make = tr_bdf2, .order = always(2)},
        {.name = "dirk", .summary = "implicit, any diagonally implicit Runge-Kutta tableau; order computed", .options = Dirk::options(), .make = Dirk::make, .order = Dirk::order},
        {.name = "a-1", .summary = "implicit, order 1, very stable, keeps the energy of vibrations on average", .options = ASearch::a_1_options(), .make = a_1, .order = always(1), .has_history = true},
        {.name = "a-search", .summary = "implicit, order 1, very stable, follows the energy target", .options = ASearch::options(), .make = a_search, .order = always(1), .has_history = true, .aims_at_target = true},
        {.name = "a-search-sparse", .summary = "a-search that corrects after three errors of one sign only", .options = ASearch::options(), .make = a_search_sparse, .order = always(1), .has_history = true, .aims_at_target = true},
        {.name = "decoupled-symplectic", .summary = "implicit, positions from a tableau and velocities from its adjoint; order computed", .options = Decoupled::symplectic_options(), .make = Decoupled::make_symplectic, .order = Dirk::order, .has_history = true},
        {.name = "decoupled-alpha", .summary = "implicit, a tableau corrected by its adjoint toward the energy target; order computed", .options = Decoupled::alpha_options(), .make = Decoupled::make_alpha, .order = Dirk::order, .has_history = true, .aims_at_target = true},
        {.name = "blending", .summary = "implicit, order 2, midpoint mixed with an Euler step toward the energy target", .options = Blending::options(), .make = Blending::make, .order = always(2), .aims_at_target = true, .near_enough = Blending::default_tolerance},
        {.name = "energy-budget", .summary = "implicit, order 2, midpoint with velocities scaled to the energy target; for comparison", .make = plain<EnergyBudget>, .order = always(2), .aims_at_target = true, .keeps_linear_momentum = false},
        {.name = "energy-constraint", .summary = "implicit, order 2, trapezoidal rule constrained to the energy target; for comparison", .options = EnergyConstraint::options(), .make = EnergyConstraint::make, .order = always(2), .aims_at_target = true, .near_enough = EnergyConstraint::default_tolerance, .keeps_linear_momentum = false},
    };
    // clang-format on
}

} // namespace

const std::vector<IntegratorEntry>& integrator_catalog()
{
    static const std::vector<IntegratorEntry> entries = table();
    return entries;
}

const IntegratorEntry& integrator_named(std::string_view name)
{
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (entry.name == name) return entry;
    }
    throw std::logic_error("no integrator " + std::string(name));
}

} // namespace rubato
