#include "integrators/catalog.hpp"
#include "lab/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato {
namespace {

const IntegratorEntry& entry(const std::string& name)
{
    for (const IntegratorEntry& e : integrator_catalog()) {
        if (e.name == name) return e;
    }
    throw std::logic_error("no integrator " + name);
}

const ConvergenceProblem& problem(const std::string& name)
{
    for (const ConvergenceProblem& p : convergence_problems()) {
        if (p.name == name) return p;
    }
    throw std::logic_error("no problem " + name);
}

Vector end_at(const ConvergenceProblem& p, const IntegratorEntry& e, double h)
{
    LabProblem lab = p.make();
    const auto integrator = e.make(defaults(e.options));
    return end_of_run(*lab.dynamics, lab.start, *integrator, h, p.duration).x;
}

TEST(Convergence, OfCatalogMethodsOnTheOscillatorHasTheOrderTheyClaim)
{
    for (const char* name : {"oscillator", "damped-oscillator"}) {
        const ConvergenceProblem& p = problem(name);
        const Vector exact = p.exact(p.duration).x;
        for (const IntegratorEntry& e : integrator_catalog()) {
            if (e.aims_at_target) continue;
            const auto curve = measured_convergence(
                e.name, p.h, 5, 1e-13, [&](double h) { return largest_nodal_error(end_at(p, e, h), exact); });
            EXPECT_NEAR(curve.order, e.order(defaults(e.options)), 0.15) << e.name << " on " << name;
        }
    }
}

TEST(Convergence, OfEveryLabProblemIsSecondOrderForTheTrapezoidalRule)
{
    for (const ConvergenceProblem& p : convergence_problems()) {
        const Reference reference = finest_run(p.h / 1024, 4, [&](double h) { return end_at(p, entry("rk4"), h); });
        if (p.exact) {
            EXPECT_LT(largest_nodal_error(reference.x, p.exact(p.duration).x), 1e-11) << p.name;
        }
        const auto curve = measured_convergence("trapezoidal", p.h, 5, reference.own_error,
            [&](double h) { return largest_nodal_error(end_at(p, entry("trapezoidal"), h), reference.x); });
        EXPECT_NEAR(curve.order, 2, 0.1) << p.name;
    }
}

TEST(Convergence, IsTheSlopeOfTheErrors)
{
    const auto curve = measured_convergence("cube", 0.5, 4, 0, [](double h) { return 7 * h * h * h; });
    EXPECT_NEAR(curve.order, 3, 1e-12);
    ASSERT_EQ(curve.points.size(), 5u);
    EXPECT_TRUE(std::isnan(curve.points[0].order));
    EXPECT_NEAR(curve.points[4].order, 3, 1e-12);
    EXPECT_EQ(curve.points[4].h, 0.5 / 16);
}

TEST(Convergence, DoesNotTrustErrorsThatAreTheReferencesOwn)
{
    const auto curve = measured_convergence("square", 1, 6, 1e-3, [](double h) { return std::max(h * h, 2e-3); });
    EXPECT_NEAR(curve.order, 2, 1e-12);
    EXPECT_TRUE(std::isnan(curve.points[6].order));
}

TEST(Convergence, GoesOnAfterARunThatFails)
{
    const auto curve = measured_convergence("late", 1, 3, 0, [](double h) {
        if (h > 0.3) throw std::runtime_error("too long a step");
        return h;
    });
    EXPECT_EQ(curve.points[0].failure, "too long a step");
    EXPECT_TRUE(std::isnan(curve.points[1].error));
    EXPECT_TRUE(std::isnan(curve.points[2].order));
    EXPECT_NEAR(curve.points[3].order, 1, 1e-12);
    EXPECT_NEAR(curve.order, 1, 1e-12);
}

TEST(FinestRun, EstimatesItsOwnError)
{
    const Reference reference = finest_run(0.1, 2, [](double h) -> Vector { return Vec3(1 + h * h, 0, 0); });
    EXPECT_NEAR(reference.own_error, 0.01, 1e-12);
    EXPECT_NEAR(reference.x[0], 1.01, 1e-12);
}

} // namespace
} // namespace rubato
