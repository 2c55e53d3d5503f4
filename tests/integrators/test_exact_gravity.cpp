#include "control/fixed.hpp"
#include "integrators/catalog.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/springs.hpp"
#include "simulation/simulation.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>

/// docs/exact_gravity.md: what it claims.
namespace rubato {
namespace {

constexpr double g = 9.81, h = 1.0 / 120;

/// IPC's barrier over the floor y = 0 for every node: kappa (d/dhat - 1)^2 -ln(d/dhat) [J].
class Floor final : public Potential {
public:
    Floor(double kappa, double dhat)
        : kappa_(kappa)
        , dhat_(dhat)
    {
    }
    std::string_view name() const override { return "floor"; }
    EnergyKind kind() const override { return EnergyKind::contact; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double, Assembly& out) override
    {
        for (Eigen::Index i = 1; i < x.size(); i += 3) {
            const double s = x[i] / dhat_;
            if (s >= 1) continue;
            const double L = s > 0 ? std::log(s) : -std::numeric_limits<double>::infinity();
            if (out.value != nullptr) *out.value -= out.value_weight * kappa_ * (s - 1) * (s - 1) * L;
            const double first = -kappa_ / dhat_ * (2 * (s - 1) * L + (s - 1) * (s - 1) / s);
            if (out.gradient != nullptr) (*out.gradient)[i] += out.gradient_weight * first;
            if (out.hessian == nullptr) continue;
            const double second = -kappa_ / (dhat_ * dhat_) * (2 * L + 4 * (s - 1) / s - (s - 1) * (s - 1) / (s * s));
            const Index n = static_cast<Index>(i / 3);
            out.hessian->block(out.hessian->slot(n, n))(1, 1) += out.hessian_weight * second;
        }
    }
    double max_step(const Vector& x, const Vector& p) const override
    {
        double least = std::numeric_limits<double>::infinity();
        for (Eigen::Index i = 1; i < x.size(); i += 3) {
            if (p[i] < 0) least = std::min(least, -x[i] / p[i]);
        }
        return least;
    }

private:
    double kappa_, dhat_;
};

struct Fall {
    std::unique_ptr<CpuDynamics> dynamics;
    State start;
};

/// Two nodes on a spring, so that a piece has inner motion; `height` of the lower one [m].
Fall dumbbell(double height, double stretch, bool floor)
{
    System system;
    const Vector mass = Vector::Constant(2, 0.5);
    system.mass = Mass(mass);
    system.potentials.push_back(std::make_unique<Springs>(std::vector<Spring>{{0, 1, 2000.0, 0.1}}));
    system.potentials.push_back(std::make_unique<Gravity>(mass, Vec3(0, -g, 0), Vec3::Zero()));
    if (floor) system.potentials.push_back(std::make_unique<Floor>(1.0, 1e-3));
    State start{.t = 0, .x = Vector::Zero(6), .v = Vector::Zero(6)};
    start.x << 0, height, 0, 0, height + 0.1 + stretch, 0;
    NewtonOptions options;
    options.velocity_tolerance = 1e-11;
    return {std::make_unique<CpuDynamics>(std::move(system), options), start};
}

std::unique_ptr<Integrator> made(const std::string& name, bool exact)
{
    const IntegratorEntry& entry = integrator_named(name);
    Options options = defaults(entry.options);
    options.set("exact_gravity", exact);
    return entry.make(options);
}

struct Watch final : Observer {
    std::vector<double> total, height, speed, momentum;
    void step(const StepRecord& r) override
    {
        total.push_back(r.total());
        height.push_back(r.state.x[1]);
        speed.push_back(r.state.v.lpNorm<Eigen::Infinity>());
        momentum.push_back(r.linear_momentum.y());
    }
};

Watch watched(Fall run, const std::string& method, bool exact, double duration)
{
    const auto integrator = made(method, exact);
    FixedStep fixed(h);
    Simulation simulation(*run.dynamics, *integrator, fixed, run.start);
    Watch watch;
    simulation.observe(watch);
    const RunResult result = simulation.run(duration);
    EXPECT_TRUE(result.finished) << result.why;
    return watch;
}

std::vector<std::string> methods()
{
    std::vector<std::string> names;
    for (const IntegratorEntry& entry : integrator_catalog()) {
        for (const OptionSpec& option : entry.options) {
            if (option.name == "exact_gravity") names.push_back(entry.name);
        }
    }
    return names;
}

class ExactGravityOf : public testing::TestWithParam<std::string> { };

TEST_P(ExactGravityOf, KeepsTheEnergyOfAFallToRoundOff)
{
    const Watch watch = watched(dumbbell(2, 0, false), GetParam(), true, 0.5);
    const double fallen = 0.5 * g * 0.5 * 0.5;
    for (const double total : watch.total) EXPECT_NEAR(total, watch.total.front(), 1e-9);
    EXPECT_NEAR(watch.height.back(), 2 - fallen, 1e-9);
    EXPECT_NEAR(watch.momentum.back(), -g * 0.5, 1e-9);
    const Watch plain = watched(dumbbell(2, 0, false), GetParam(), false, 0.5);
    EXPECT_GT(std::abs(plain.total.back() - plain.total.front()), 0.1); // [J], of 12 that were there to fall
}

TEST_P(ExactGravityOf, FallsExactlyWhileItVibrates)
{
    const Watch watch = watched(dumbbell(2, 0.01, false), GetParam(), true, 0.5);
    EXPECT_NEAR(watch.momentum.back(), -g * 0.5, 1e-9);
}

TEST_P(ExactGravityOf, LeavesABodyAtRestOnTheFloorAtRest)
{
    Fall run = dumbbell(0.0005, 0, true);
    Vector y;
    ASSERT_TRUE(run.dynamics->rest(0, run.start.x, y).ok());
    run.start.x = y;
    const Watch watch = watched(std::move(run), GetParam(), true, 1.0);
    for (std::size_t i = 1; i < watch.speed.size(); ++i) {
        EXPECT_LT(watch.speed[i], 1e-4 * h * g) << i; // read half a step later it would be h g/2
        EXPECT_NEAR(watch.height[i], watch.height[0], 1e-9);
    }
}

/// A-1 lets the energy of collisions waver, and the sparse search mends it late; reading later must not add to that.
TEST_P(ExactGravityOf, BouncesWithNoMoreEnergyThanThePlainMethod)
{
    const auto largest = [&](bool exact) {
        const Watch watch = watched(dumbbell(0.3, 0, true), GetParam(), exact, 3.0);
        for (const double height : watch.height) EXPECT_GT(height, 0);
        return *std::max_element(watch.total.begin(), watch.total.end()) / watch.total.front();
    };
    const double exact = largest(true);
    EXPECT_LT(exact, std::max(1.05, 1.05 * largest(false)));
    if (GetParam() == "implicit-euler" || GetParam() == "a-search") {
        EXPECT_LT(exact, 1.05);
    }
}

/// Only the reading differs, in collisions as well: a kick there would show after the first bounce.
TEST(ExactGravity, MovesAsThePlainMethodDoesFromAVelocityHalfAStepEarlier)
{
    for (const char* method : {"implicit-euler", "a-1"}) {
        for (const double height : {0.3, 0.31, 0.32}) { // phases of the first collision
            Fall early = dumbbell(height, 0, true);
            for (const int node : {0, 1}) early.start.v[3 * node + 1] = 0.5 * h * g;
            const Watch plain = watched(std::move(early), method, false, 3.0);
            const Watch exact = watched(dumbbell(height, 0, true), method, true, 3.0);
            ASSERT_EQ(plain.height.size(), exact.height.size());
            for (std::size_t i = 0; i < plain.height.size(); ++i) {
                ASSERT_NEAR(exact.height[i], plain.height[i], 1e-6) << method << " at step " << i;
            }
        }
    }
}

/// Work that an attachment does on the way depends on the velocity at its start, the one that was read.
TEST(ExactGravity, AimsAtTheEnergyThatTheLoopBooks)
{
    Fall run = dumbbell(2, 0.01, false);
    run.dynamics->system().potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, 300.0, Vec3(0, 2, 0), std::make_shared<Oscillation>(Vec3(0.3, 0.2, -0.1), 0.2)}}));
    CpuDynamics dynamics(std::move(run.dynamics->system()), NewtonOptions{.velocity_tolerance = 1e-11});
    for (const int node : {0, 1}) run.start.v[3 * node + 1] = -5; // so fast that all of the reading is half a step
    Options options = defaults(integrator_named("a-search").options);
    options.set("exact_gravity", true);
    options.set("alpha_min", -20.0);
    options.set("alpha_max", 20.0);
    const auto integrator = integrator_named("a-search").make(options);
    struct Off final : Observer {
        void step(const StepRecord& r) override
        {
            if (r.step == 0 || std::abs(r.outcome.alpha) >= 20) return;
            most = std::max(most, std::abs(r.total() - r.ledger.target));
            ++steps;
        }
        double most = 0; // [J]
        int steps = 0;
    } off;
    FixedStep fixed(h);
    Simulation simulation(dynamics, *integrator, fixed, run.start);
    simulation.observe(off);
    ASSERT_TRUE(simulation.run(6 * h).finished);
    EXPECT_EQ(off.steps, 6);
    EXPECT_LT(off.most, 1e-10) << "of " << simulation.ledger().target << " J";
}

INSTANTIATE_TEST_SUITE_P(Catalog, ExactGravityOf, testing::ValuesIn(methods()), [](const auto& method) {
    std::string name = method.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace rubato
