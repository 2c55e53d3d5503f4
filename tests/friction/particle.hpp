#pragma once

#include "contact/barrier_function.hpp"
#include "contact/contact.hpp"
#include "control/fixed.hpp"
#include "integrators/catalog.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "simulation/simulation.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

/// A particle that slides on a table which moves. Nothing can vibrate but its gap, and that begins at rest: what is
/// booked for friction is known exactly.
namespace rubato::test {

/// Of the methods that solve for contact; those that do not damp are the ones that show what is booked wrongly.
inline const std::vector<std::string>& methods_for_contact()
{
    static const std::vector<std::string> names{"implicit-euler", "bdf2", "a-search", "a-search-sparse", "a-1",
        "trapezoidal", "newmark", "theta-method", "implicit-midpoint", "sdirk2", "tr-bdf2", "decoupled-alpha",
        "blending", "energy-budget", "energy-constraint"};
    return names;
}

/// The table is one great triangle, level at y = 0; the particle begins above it where the barrier carries it.
struct Particle {
    std::string integrator;
    double h; ///< [s]
    double duration; ///< [s]
    std::shared_ptr<const Motion> motion = std::make_shared<Rest>(); ///< of the table
    Vec3 place = Vec3::Zero(); ///< at the start; its height is found [m]
    Vec3 velocity = Vec3::Zero(); ///< [m/s]
    double friction_speed = 1e-3; ///< [m/s]

    static constexpr double mass = 2, g = 10, mu = 0.5; ///< [kg], [m/s^2]
    static constexpr double dhat = 1e-3, kappa = 0.0164; ///< [m], [N/m]; the gap is then half of dhat

    std::unique_ptr<CpuDynamics> dynamics(State& start) const
    {
        constexpr double far = 100; // [m]
        Vector X(12);
        X << place.x(), 0, place.z(), -far, 0, -far, 0, 0, far, far, 0, -far;
        CollisionSurface surface;
        surface.add_part({.name = "particle"});
        surface.add_part({.name = "table", .kinematic = true});
        surface.add_point(0, 0);
        surface.add_faces(1, {{1, 2, 3}}, X);
        const double area = surface.point_area.front(), face = 2 * surface.face_area.front();
        double low = 0, high = 1;
        for (int i = 0; i < 60; ++i) {
            const double y = 0.5 * (low + high), carried = area * face / (area + face) * kappa / dhat;
            (-carried * barrier_function(y).b1 > mass * g ? low : high) = y;
        }
        X[1] = high * dhat;

        System system;
        Vector masses = Vector::Zero(4);
        masses[0] = mass;
        system.mass = Mass(masses);
        system.X = X;
        system.potentials.push_back(std::make_unique<Gravity>(masses, Vec3(0, -g, 0), Vec3::Zero()));
        ContactTerms terms = contact_terms(surface, PairRules(2, {.touch = true, .friction = mu}),
            {.dhat = dhat, .stiffness = kappa, .friction_speed = friction_speed}, X);
        system.potentials.push_back(std::move(terms.barrier));
        system.dissipations.push_back(std::move(terms.friction));
        for (Index i = 1; i < 4; ++i) system.prescription.add(i, node(X, i), motion);
        system.prescription.finish(system.unknowns());

        start = {.t = 0, .x = X, .v = Vector::Zero(12)};
        node(start.v, 0) = velocity;
        NewtonOptions options;
        options.velocity_tolerance = 1e-7;
        return std::make_unique<CpuDynamics>(std::move(system), options);
    }
};

/// A run, step by step; the start first.
struct Ride final : Observer {
    std::vector<State> state;
    std::vector<double> kinetic, total, injected, dissipated; ///< [J]

    explicit Ride(const Particle& p)
    {
        State start;
        const auto dynamics = p.dynamics(start);
        const IntegratorEntry& entry = integrator_named(p.integrator);
        const auto method = entry.make(defaults(entry.options));
        FixedStep controller(p.h);
        Simulation simulation(*dynamics, *method, controller, start);
        simulation.observe(*this);
        const RunResult result = simulation.run(p.duration);
        EXPECT_TRUE(result.finished) << p.integrator << ": " << result.why;
    }
    void step(const StepRecord& record) override
    {
        state.push_back(record.state);
        kinetic.push_back(record.kinetic);
        total.push_back(record.total());
        injected.push_back(record.ledger.injected);
        dissipated.push_back(record.ledger.dissipated);
    }
    double least_dissipated() const ///< in a step [J]
    {
        double least = 0;
        for (std::size_t i = 1; i < dissipated.size(); ++i) least = std::min(least, dissipated[i] - dissipated[i - 1]);
        return least;
    }
    double off_balance() const ///< the most [J]
    {
        double most = 0;
        for (std::size_t i = 0; i < total.size(); ++i)
            most = std::max(most, std::abs(total[i] - total[0] - injected[i] + dissipated[i]));
        return most;
    }
};

} // namespace rubato::test
