#include "contracts/breaking_bonds.hpp"
#include "contracts/over_integrators.hpp"

/// Terms that remember, under every integrator of the catalog: bonds break when a step is accepted, and nothing else
/// breaks or mends them.
namespace rubato::small {

namespace {

class Memories : public OverIntegrators { };

constexpr double bond_step = 0.01; // [s]

/// Runs a row of bonds to a time.
struct BondRun {
    explicit BondRun(const IntegratorEntry& entry)
        : integrator(made(entry))
        , controller(bond_step)
        , simulation(*row.whole.dynamics, *integrator, controller, row.whole.start)
    {
    }
    void advance(int steps)
    {
        for (int k = 0; k < steps; ++k) ASSERT_TRUE(simulation.advance(10).stepped);
    }
    BreakingRow row;
    std::unique_ptr<Integrator> integrator;
    FixedStep controller;
    Simulation simulation;
};

TEST_P(Memories, ResumeBetweenTwoBreaks)
{
    BondRun straight(entry()), stopped(entry()), resumed(entry());
    int steps = 0;
    while (straight.row.bonds->holding() == 3 && steps < 60) {
        straight.advance(1);
        ++steps;
    }
    ASSERT_EQ(straight.row.bonds->holding(), 2) << "no bond broke, or two at once";
    stopped.advance(steps);
    Snapshot between = stopped.simulation.snapshot();
    stopped.advance(60); // what it does from here on is not to be seen
    resumed.simulation.restore(between);
    EXPECT_EQ(resumed.row.bonds->holding(), 2);
    stopped.simulation.restore(between);
    EXPECT_EQ(stopped.row.bonds->holding(), 2);

    straight.advance(60);
    EXPECT_LT(straight.row.bonds->holding(), 2) << "no second bond broke";
    for (BondRun* again : {&stopped, &resumed}) {
        again->advance(60);
        EXPECT_EQ(again->row.bonds->holding(), straight.row.bonds->holding());
        EXPECT_TRUE(same_bits(straight.simulation.state(), again->simulation.state()));
        EXPECT_EQ(straight.simulation.ledger().dissipated, again->simulation.ledger().dissipated);
    }
}

TEST_P(Memories, LeaveRejectedAttemptsWithoutATrace)
{
    BreakingRow plain, troubled;
    const auto left_alone = made(entry()), tried = made(entry());
    State a = plain.whole.start, b = troubled.whole.start, rejected;
    Vector jump;
    for (int n = 0; n < 40; ++n) {
        for (const double other : {0.2, 0.05, bond_step}) { // longer ones would break what is whole
            troubled.whole.dynamics->begin_step(b, other);
            proposal(*troubled.whole.dynamics, *tried, b, other, rejected);
        }
        ASSERT_EQ(troubled.bonds->holding(), plain.bonds->holding());
        for (auto [row, method, state] :
            {std::tuple{&plain, left_alone.get(), &a}, std::tuple{&troubled, tried.get(), &b}}) {
            ASSERT_EQ(advance(*row->whole.dynamics, *method, *state, bond_step).status, StepStatus::ok);
            if (row->whole.dynamics->accept(*state, jump).forces) method->jumped({}, jump);
        }
        ASSERT_TRUE(same_bits(a, b)) << "step " << n;
    }
    EXPECT_LT(plain.bonds->holding(), 3);
}

/// What a bond held when it broke is dissipated, that and nothing else, and the target goes down with it.
TEST_P(Memories, BookWhatBrokenBondsHeld)
{
    BondRun run(entry());
    double held = 0;
    for (int n = 0; n < 60; ++n) {
        const int before = run.row.bonds->holding();
        const double booked = run.simulation.ledger().dissipated;
        run.advance(1);
        if (run.row.bonds->holding() == before) {
            EXPECT_EQ(run.simulation.ledger().dissipated, booked);
            continue;
        }
        const double gone = run.simulation.ledger().dissipated - booked;
        EXPECT_GT(gone, 0);
        held += gone;
    }
    EXPECT_GT(held, 0.2);
    EXPECT_DOUBLE_EQ(run.simulation.ledger().target, run.simulation.ledger().initial - held);
}

/// Along a line bonds are linear, and the trapezoidal rule keeps their energy to round-off if the acceleration that it
/// remembers loses the broken bond; what it would feel of it otherwise is some per cent.
TEST(Memory, OfForcesHearsOfWhatBroke)
{
    for (const char* name : {"trapezoidal", "implicit-midpoint"}) {
        BondRun run(integrator_named(name));
        run.advance(80);
        ASSERT_LT(run.row.bonds->holding(), 3);
        const EnergyLedger& ledger = run.simulation.ledger();
        EXPECT_NEAR(
            energy_of(*run.row.whole.dynamics, run.simulation.state()), ledger.balance(), 1e-10 * ledger.initial)
            << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, Memories, testing::ValuesIn(default_settings()), test_name);
INSTANTIATE_TEST_SUITE_P(Settings, Memories, testing::ValuesIn(further_settings()), test_name);

} // namespace

} // namespace rubato::small
