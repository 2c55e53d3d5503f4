#include "contracts/small_systems.hpp"
#include "simulation/fakes.hpp"

#include <gtest/gtest.h>

/// What controllers are told of attempts, by two that could be: one that bounds the error of energy, one that bounds
/// the error of positions.
namespace rubato {

namespace {

using fake::failed;

/// Accepts what stays below a tolerance, else halves. Keeps what it was told.
class Bounded final : public StepController {
public:
    Bounded(double h, double tolerance, Estimate estimate, bool grows = false)
        : h_(h)
        , tolerance_(tolerance)
        , estimate_(estimate)
        , grows_(grows)
    {
    }
    double first_h() const override { return h_; }
    Estimate wants() const override { return estimate_; }
    Decision judge(const Attempted& a) override
    {
        errors.push_back(a.error);
        if (look) look(a);
        if (a.proposed == nullptr || a.error > tolerance_) return {.accept = false, .next_h = a.h / 2};
        if (!grows_) return {.accept = true, .next_h = a.h};
        const double by = std::pow(tolerance_ / std::max(a.error, 1e-30), 1.0 / (a.order + 1));
        return {.accept = true, .next_h = a.h * std::clamp(0.8 * by, 0.5, std::min(a.most_growth, 4.0))};
    }
    std::vector<double> errors;
    std::function<void(const Attempted&)> look;

private:
    double h_, tolerance_;
    Estimate estimate_;
    bool grows_;
};

/// Ends a step of length h with h^2 joule more than the ledger wants.
class TooFast final : public Integrator {
public:
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = {r.now.t + r.h, r.now.x + r.h * r.now.v, r.now.v};
        StepOutcome outcome;
        outcome.dissipated = 0.1;
        const double injected = r.dynamics.injected(r.now, next);
        const double wanted = r.ledger.target_after(r.now.t, next.t, injected, 0.1) + r.h * r.h;
        next.v *= std::sqrt(wanted / r.dynamics.kinetic_energy(r.now.v));
        return outcome;
    }
};

TEST(Estimates, NothingIsShownOfAnAttemptThatFailed)
{
    fake::EmptySpace space;
    fake::Scripted integrator;
    integrator.outcome
        = [](double t, double h) { return t > 0.15 && h > 0.06 ? failed(StepStatus::solve_failed) : StepOutcome{}; };
    integrator.distort = [](double x) { return x > 0.32 && x < 0.38 ? std::nan("") : x; }; // fails, too: not finite
    int failures = 0, successes = 0;
    Bounded controller(0.1, 1, Estimate::none);
    controller.look = [&](const Attempted& a) {
        EXPECT_EQ(a.h, a.wanted);
        EXPECT_TRUE(std::isnan(a.error));
        if (a.outcome.status != StepStatus::ok) {
            ++failures;
            EXPECT_EQ(a.proposed, nullptr) << "what is there is the state before " << a.now.t;
            EXPECT_EQ(a.total, 7) << "of where the step starts";
            return;
        }
        ++successes;
        ASSERT_NE(a.proposed, nullptr);
        EXPECT_NEAR(a.proposed->t, a.now.t + a.h, 1e-15);
        EXPECT_NEAR(a.proposed->x[0], a.now.x[0] + a.h, 1e-15);
    };
    Simulation simulation(space, integrator, controller, fake::particle());
    EXPECT_TRUE(simulation.run(0.3).finished);
    EXPECT_GE(failures, 1);
    EXPECT_GE(successes, 3);
}

TEST(Estimates, EnergyIsComparedWithItsTargetAtTheEndOfTheStep)
{
    fake::EmptySpace space;
    space.injected_per_step = 0.3;
    TooFast integrator;
    Bounded controller(0.4, 0.011, Estimate::energy);
    int looks = 0;
    controller.look = [&](const Attempted& a) {
        ++looks;
        ASSERT_NE(a.proposed, nullptr);
        EXPECT_DOUBLE_EQ(a.total, 0.5 * a.proposed->v.squaredNorm());
        EXPECT_NEAR(a.target, a.total - a.h * a.h, 1e-14);
    };
    Simulation simulation(space, integrator, controller, fake::particle());
    ASSERT_TRUE(simulation.run(0.2).finished);
    ASSERT_EQ(looks, 3); // 0.4 is cut to 0.2, the end
    EXPECT_NEAR(controller.errors[0], 0.04, 1e-14);
    EXPECT_NEAR(controller.errors[1], 0.01, 1e-14);
    EXPECT_EQ(simulation.steps(), 2);
    EXPECT_DOUBLE_EQ(simulation.ledger().target, 7 + 2 * 0.2) << "what was rejected is not booked";
}

TEST(Doubling, MeasuresHowFarTheEndsAreApartAndTellsBothHalves)
{
    fake::EmptySpace space;
    space.injected_per_step = 1;
    fake::Scripted integrator;
    integrator.bend = 3;
    integrator.growth = 2.4;
    Bounded controller(0.4, 0.02, Estimate::doubling);
    controller.look = [](const Attempted& a) {
        EXPECT_NEAR(a.proposed->t, a.now.t + a.h, 1e-15);
        EXPECT_EQ(a.most_growth, 1.2) << "the method steps by halves";
    };
    fake::Diary diary;
    Simulation simulation(space, integrator, controller, fake::particle());
    simulation.observe(diary);
    ASSERT_TRUE(simulation.run(0.4).finished);

    // A step goes aside by 3 h^2, two halves by half of that: 0.24 m, 0.06 m, 0.015 m.
    ASSERT_EQ(controller.errors.size(), 6u);
    const double expected[] = {0.24, 0.06, 0.015, 0.015, 0.015, 0.015};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(controller.errors[i], expected[i], 1e-15);
    EXPECT_EQ(diary.steps, (std::vector<long>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(diary.lengths, (std::vector<double>{0, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05}));
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(diary.times[i], 0.05 * static_cast<double>(i), 1e-15);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(diary.injected[i], static_cast<double>(i)) << "of halves that count";
    EXPECT_EQ(simulation.state().t, 0.4);
}

TEST(Doubling, TakesTheNodeThatIsFurthestFromItself)
{
    fake::EmptySpace space;
    space.size = 9;
    fake::Scripted integrator;
    integrator.bend = -2;
    Bounded controller(1, 100, Estimate::doubling);
    Simulation simulation(space, integrator, controller, {0, Vector::LinSpaced(9, 0, 1), Vector::Ones(9)});
    ASSERT_TRUE(simulation.run(1).finished);
    EXPECT_NEAR(controller.errors.at(0), 1, 1e-15);
}

TEST(Doubling, FailsWhereAHalfFailsAndGoesBackToTheStart)
{
    fake::EmptySpace space;
    space.injected_per_step = 3;
    fake::Scripted integrator;
    bool fails = true; // the second half of the first pair, once
    integrator.outcome = [&fails](double t, double h) {
        if (!fails || t < 0.04 || h != 0.05) return StepOutcome{};
        fails = false;
        return failed(StepStatus::inadmissible);
    };
    Bounded controller(0.1, 1, Estimate::doubling);
    int failures = 0;
    controller.look = [&](const Attempted& a) {
        if (a.proposed != nullptr) return;
        EXPECT_TRUE(std::isnan(a.error));
        EXPECT_EQ(a.now.t, 0) << "where the pair starts, not where its second half does";
        ++failures;
    };
    fake::Diary diary;
    Simulation simulation(space, integrator, controller, fake::particle());
    simulation.observe(diary);
    ASSERT_TRUE(simulation.run(0.2).finished);
    EXPECT_EQ(failures, 1);
    EXPECT_EQ(diary.lengths, (std::vector<double>{0, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025}));
    EXPECT_EQ(simulation.ledger().injected, 3 * 8);
    EXPECT_NEAR(simulation.state().x[1], 2 * 0.2, 1e-15);
}

TEST(Doubling, GoesOnBitForBitFromWhatWasSavedBetweenTwoHalves)
{
    struct Pair {
        Pair() { simulation.observe(diary); }
        small::Problem problem = small::driven_chain(0.5);
        std::unique_ptr<Integrator> integrator = small::made(integrator_named("bdf2"));
        Bounded controller{0.1, 5e-3, Estimate::doubling, true};
        fake::Diary diary;
        Simulation simulation{*problem.dynamics, *integrator, controller, problem.start};
    };
    Pair whole;
    std::vector<Snapshot> saved;
    whole.diary.also = [&](const StepRecord& r) {
        if (r.step > 0) saved.push_back(whole.simulation.snapshot());
    };
    ASSERT_TRUE(whole.simulation.run(1).finished);
    ASSERT_GT(saved.size(), 10u);
    EXPECT_GT(2 * whole.controller.errors.size(), saved.size()) << "some pairs were rejected";
    for (std::size_t k = 0; k < saved.size(); ++k) {
        Pair second;
        Archive loaded(saved[k].bytes);
        second.simulation.serialize(loaded);
        EXPECT_TRUE(loaded.at_end());
        ASSERT_TRUE(second.simulation.run(1).finished);
        ASSERT_TRUE(small::same_bits(whole.simulation.state(), second.simulation.state())) << "after row " << k + 1;
        ASSERT_EQ(whole.simulation.ledger().injected, second.simulation.ledger().injected);
        ASSERT_EQ(whole.simulation.steps(), second.simulation.steps());
        ASSERT_EQ(saved.size() - k - 1, second.diary.times.size());
    }
}

TEST(Doubling, BoundsTheErrorOfEachStep)
{
    const auto error = [](double tolerance, std::size_t& attempts) {
        small::Problem p = small::chain(), exact = small::chain();
        const auto integrator = small::made(integrator_named("trapezoidal"));
        Bounded controller(0.2, tolerance, Estimate::doubling, true);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        simulation.set_order(2);
        EXPECT_TRUE(simulation.run(p.duration).finished);
        attempts = controller.errors.size();
        return small::distance(simulation.state(), small::truth(exact));
    };
    std::size_t loose_attempts = 0, tight_attempts = 0;
    const double loose = error(1e-3, loose_attempts), tight = error(1e-6, tight_attempts);
    EXPECT_LT(tight, 0.03 * loose) << "local errors go with h^3, the whole with h^2: 1e-2";
    EXPECT_GT(tight, 0.001 * loose);
    EXPECT_NEAR(static_cast<double>(tight_attempts), 10 * static_cast<double>(loose_attempts),
        5 * static_cast<double>(loose_attempts));
}

} // namespace

} // namespace rubato
