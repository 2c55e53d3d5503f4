#include "contracts/over_integrators.hpp"
#include "contracts/small_systems.hpp"

/// Accuracy of every integrator in the catalog, measured on small systems with a known motion.
namespace rubato::small {

namespace {

class IntegratorOrder : public OverIntegrators {
protected:
    /// Order of the final state over runs with more and more steps.
    double order_on(const ProblemMaker& make, const std::vector<double>& pattern = {1})
    {
        Problem p = make();
        const State exact = truth(p);
        return measured_order([&](long steps) { return distance(at_end(entry(), p, steps, pattern), exact); });
    }
};

TEST_P(IntegratorOrder, IsItsOwnOnAConservativeChain) { EXPECT_NEAR(order_on(chain), order(entry()), 0.1); }

TEST_P(IntegratorOrder, IsItsOwnWithLinearDrag)
{
    EXPECT_NEAR(order_on([] { return chain_with_drag(); }), order(entry()), 0.1);
}

TEST_P(IntegratorOrder, IsItsOwnWithScriptsAndForcesInTime)
{
    EXPECT_NEAR(order_on([] { return driven_chain(); }), order(entry()), 0.1);
}

/// Neighbouring steps differ by a factor of two, as under the halving controller.
TEST_P(IntegratorOrder, SurvivesAChangingStep)
{
    EXPECT_GT(order_on(chain, {1, 2}), order(entry()) - 0.1);
    EXPECT_GT(order_on([] { return chain_with_drag(); }, {1, 2, 1, 0.5}), order(entry()) - 0.1);
}

/// The damping matrix lags by one step, which limits every method to first order on a nonlinear material.
TEST_P(IntegratorOrder, IsAtLeastOneWithLaggedRayleighDamping)
{
    const double measured = order_on(damped_tetrahedra);
    RecordProperty("order_with_lagged_rayleigh_damping", std::to_string(measured));
    std::printf("%s: order %.2f with lagged Rayleigh damping\n", entry().name.c_str(), measured);
    EXPECT_GT(measured, 0.9);
}

/// Kinetic + potential energy, plus what was dissipated, minus what was injected. A method that aims at the target,
/// which is this balance here, may leave the error that it calls near enough, and may have none at all beyond that.
TEST_P(IntegratorOrder, IsThatOfTheEnergyBalance)
{
    const auto worst_balance = [&](Problem& p, long steps) {
        const auto integrator = made(entry());
        FixedStep controller(p.duration / static_cast<double>(steps));
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        struct Watch final : Observer {
            double near_enough = 0, worst = 0, last = 0;
            void step(const StepRecord& r) override
            {
                const double allowed = near_enough * std::max(std::abs(r.total()), std::abs(last));
                last = r.total();
                worst = std::max(worst, std::abs(r.total() - r.ledger.balance()) - allowed);
            }
        } watch;
        watch.near_enough = entry().near_enough;
        simulation.observe(watch);
        const RunResult result = simulation.run(p.start.t + p.duration);
        EXPECT_TRUE(result.finished) << result.why;
        return watch.worst;
    };
    const auto balance_order = [&](Problem p) {
        constexpr double round_off = 1e-11;
        if (entry().aims_at_target && worst_balance(p, 64) < round_off && worst_balance(p, 256) < round_off) {
            return static_cast<double>(order(entry())); // no error to measure
        }
        return measured_order([&](long n) { return worst_balance(p, n); });
    };
    EXPECT_GT(balance_order(chain_with_drag()), order(entry()) - 0.1);
    // Injected energy is booked by a rule of fourth order.
    EXPECT_GT(balance_order(driven_chain()), std::min(order(entry()), 4) - 0.1);
    EXPECT_GT(balance_order(driven_chain(3)), std::min(order(entry()), 4) - 0.1);
    // At this drag errors of fourth and fifth order of rk4 have opposite signs: 3.78, 3.90, 3.95 at 128 to 1024 steps.
    EXPECT_GT(balance_order(driven_chain(0.8)), std::min(order(entry()), 3) - 0.1);
}

INSTANTIATE_TEST_SUITE_P(Catalog, IntegratorOrder, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, IntegratorOrder, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
