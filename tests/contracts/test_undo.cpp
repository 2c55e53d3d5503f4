#include "contracts/over_integrators.hpp"
#include "contracts/small_systems.hpp"

/// Going back, for every integrator in the catalog: to a snapshot, and from a pair of halves that is rejected.
namespace rubato::small {

namespace {

class Undo : public OverIntegrators {
protected:
    static std::vector<ProblemMaker> problems()
    {
        return {[] { return driven_chain(0.4); }, pulsed_chain, damped_tetrahedra};
    }
};

void expect_same(const Simulation& a, const Simulation& b)
{
    EXPECT_TRUE(same_bits(a.state(), b.state()));
    EXPECT_EQ(a.steps(), b.steps());
    EXPECT_EQ(a.ledger().injected, b.ledger().injected);
    EXPECT_EQ(a.ledger().dissipated, b.ledger().dissipated);
    EXPECT_EQ(a.ledger().target, b.ledger().target);
}

TEST_P(Undo, LeavesNoTrace)
{
    for (const ProblemMaker& make : problems()) {
        FixedStep controller(0.01);
        Problem p = make(), q = make();
        const auto straight = made(entry()), undone = made(entry());
        Simulation a(*p.dynamics, *straight, controller, p.start), b(*q.dynamics, *undone, controller, q.start);
        const auto advance = [](Simulation& simulation, int steps) {
            for (int k = 0; k < steps; ++k) ASSERT_TRUE(simulation.advance(1).stepped);
        };
        const Snapshot first = b.snapshot();
        advance(a, 5);
        advance(b, 5);
        const Snapshot fifth = b.snapshot();
        const auto booked = b.ledger().injected;
        advance(a, 5);
        advance(b, 5);
        expect_same(a, b);

        b.restore(fifth);
        EXPECT_EQ(b.steps(), 5);
        EXPECT_EQ(b.ledger().injected, booked);
        EXPECT_FALSE(same_bits(a.state(), b.state()));
        advance(b, 5);
        expect_same(a, b);

        b.restore(first); // further back, to before any history
        advance(b, 10);
        expect_same(a, b);
    }
}

/// A checkpoint holds what was changed, and a snapshot from before the change takes it back.
TEST_P(Undo, AndResumeKnowOfChangedParameters)
{
    FixedStep controller(0.01);
    struct Run {
        Run(const IntegratorEntry& entry, StepController& controller)
            : integrator(made(entry))
            , simulation(*problem.dynamics, *integrator, controller, problem.start)
        {
            simulation.let_change(attachment_stiffness(problem, 6));
        }
        void advance(int steps)
        {
            for (int k = 0; k < steps; ++k) ASSERT_TRUE(simulation.advance(1).stepped);
        }
        Problem problem = driven_chain(0.4);
        std::unique_ptr<Integrator> integrator;
        Simulation simulation;
    };
    Run whole(entry(), controller), unchanged(entry(), controller), resumed(entry(), controller);
    whole.advance(4);
    const Snapshot before = whole.simulation.snapshot();
    EXPECT_EQ(whole.simulation.change({"stiffness[0]", 60}).before, 6);
    whole.advance(3);
    whole.simulation.change({"stiffness[0]", 1.5});
    whole.advance(1);
    const Snapshot after = whole.simulation.snapshot();
    whole.advance(4);

    Archive loaded(after.bytes);
    resumed.simulation.serialize(loaded);
    EXPECT_TRUE(loaded.at_end());
    EXPECT_EQ(resumed.simulation.journal().entries(), whole.simulation.journal().entries());
    resumed.advance(4);
    expect_same(whole.simulation, resumed.simulation);

    unchanged.advance(8);
    EXPECT_FALSE(same_bits(whole.simulation.state(), unchanged.simulation.state()));
    whole.simulation.restore(before);
    EXPECT_TRUE(whole.simulation.journal().entries().empty());
    whole.advance(4);
    expect_same(whole.simulation, unchanged.simulation);

    whole.simulation.restore(after); // and forth again
    whole.advance(4);
    expect_same(whole.simulation, resumed.simulation);
}

/// Rejects every pair of halves of the longer length, accepts every one of the shorter.
class Fickle final : public StepController {
public:
    Fickle(double longer, double shorter)
        : longer_(longer)
        , shorter_(shorter)
    {
    }
    double first_h() const override { return longer_; }
    Estimate wants() const override { return Estimate::doubling; }
    Decision judge(const Attempted& a) override
    {
        EXPECT_NE(a.proposed, nullptr);
        if (a.h > shorter_) return {.accept = false, .next_h = shorter_};
        return {.accept = true, .next_h = longer_};
    }

private:
    double longer_, shorter_;
};

TEST_P(Undo, OfHalvesThatAreRejectedLeavesNoTrace)
{
    for (const ProblemMaker& make : problems()) {
        FixedStep fixed(0.01);
        Fickle fickle(0.026, 0.02);
        Problem p = make(), q = make();
        const auto straight = made(entry()), doubled = made(entry());
        Simulation a(*p.dynamics, *straight, fixed, p.start), b(*q.dynamics, *doubled, fickle, q.start);
        for (int k = 0; k < 12; ++k) ASSERT_TRUE(a.advance(1).stepped);
        for (int k = 0; k < 6; ++k) ASSERT_TRUE(b.advance(1).stepped);
        expect_same(a, b);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Undo, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, Undo, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
