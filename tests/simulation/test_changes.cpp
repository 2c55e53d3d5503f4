#include "contracts/small_systems.hpp"
#include "integrators/tableau.hpp"
#include "simulation/fakes.hpp"

#include <gtest/gtest.h>

/// Parameters that change between two steps.
namespace rubato {

namespace {

/// Two nodes of 2 kg, each on a spring of no length and 4 N/m to a point at rest: a linear system.
small::Problem tied_nodes()
{
    System system;
    system.mass = Mass(Vector(Vector::Constant(2, 2.0)));
    const auto rest = std::make_shared<Rest>();
    system.potentials.push_back(std::make_unique<Attachments>(
        std::vector<Attachment>{{0, 4.0, Vec3(0, 0, 0), rest, 0}, {1, 4.0, Vec3(0, 1, 0), rest, 1}}));
    return small::problem(std::move(system),
        {.t = 0, .x = small::stacked({{1, 0, 0}, {0, 1, 2}}), .v = small::stacked({{0, 1, 0}, {0.3, 0, 0}})}, 1.0);
}

struct Tied {
    explicit Tied(std::unique_ptr<Integrator> method, double h = 0.02)
        : integrator(std::move(method))
        , controller(h)
        , simulation(*problem.dynamics, *integrator, controller, problem.start)
    {
        simulation.let_change(small::attachment_stiffness(problem, 4));
        simulation.observe(diary);
    }
    double total() { return small::energy_of(*problem.dynamics, simulation.state()); }
    void advance(int steps)
    {
        for (int k = 0; k < steps; ++k) ASSERT_TRUE(simulation.advance(100).stepped);
    }

    small::Problem problem = tied_nodes();
    std::unique_ptr<Integrator> integrator;
    FixedStep controller;
    fake::Diary diary;
    Simulation simulation;
};

std::unique_ptr<Integrator> named(const std::string& name) { return small::made(integrator_named(name)); }

/// Remembers nothing, and keeps the energy of linear systems.
std::unique_ptr<Integrator> trapezoid()
{
    const IntegratorEntry& entry = integrator_named("dirk");
    Options options = defaults(entry.options);
    options.set("A", std::vector<std::vector<double>>{{0, 0}, {0.5, 0.5}});
    options.set("b", std::vector<double>{0.5, 0.5});
    return entry.make(options);
}

/// Stays where it is, and keeps what it is told.
class Listener final : public Integrator {
public:
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = r.now;
        next.t += r.h;
        return {};
    }
    void jumped(const Vector& dv, const Vector& da) override
    {
        EXPECT_EQ(dv.size(), 0);
        jumps.push_back(da);
    }
    std::vector<Vector> jumps;
};

TEST(Changes, OfSpringsAndGravityGoByGroupAndAxis)
{
    const Vector x = small::stacked({{0, 0, 0}, {2, 0, 0}, {0, 3, 0}});
    const auto energy = [&](Potential& potential) {
        double value = 0;
        Assembly out{.value = &value};
        potential.add(x, 0, out);
        return value;
    };
    Springs springs({{0, 1, 10, 1, 0}, {0, 2, 20, 1, 1}, {1, 2, 30, 1, 0}});
    const double first = energy(springs);
    EXPECT_TRUE(springs.set("stiffness[1]", 21));
    EXPECT_NEAR(energy(springs), first + 0.5 * 1 * 2 * 2, 1e-12);
    for (const char* other : {"stiffness", "stiffness[2]", "stiffness[-1]", "rest_length[0]", ""}) {
        EXPECT_FALSE(springs.set(other, 5)) << other;
    }

    Gravity gravity(Vector::Constant(3, 2.0), Vec3(0, -10, 0), Vec3(0, 0, 0));
    EXPECT_NEAR(energy(gravity), 2 * 10 * 3, 1e-12);
    EXPECT_TRUE(gravity.set("x", 4));
    EXPECT_NEAR(energy(gravity), 2 * 10 * 3 - 2 * 4 * 2, 1e-12);
    EXPECT_TRUE(gravity.set("y", 0));
    EXPECT_NEAR(energy(gravity), -2 * 4 * 2, 1e-12);
    EXPECT_FALSE(gravity.set("xy", 4));
    EXPECT_FALSE(gravity.set("", 4));
}

TEST(Changes, OfAStiffnessAreBookedAsInjected)
{
    Tied run(named("implicit-euler"));
    const double start = run.total();
    const Changed changed = run.simulation.change({"stiffness[0]", 10});
    EXPECT_EQ(changed.before, 4);
    EXPECT_DOUBLE_EQ(changed.injected, 0.5 * (10 - 4)); // the node is 1 m away
    EXPECT_DOUBLE_EQ(run.total(), start + changed.injected);
    EXPECT_DOUBLE_EQ(run.simulation.ledger().injected, changed.injected);
    EXPECT_DOUBLE_EQ(run.simulation.ledger().target, start + changed.injected);

    EXPECT_DOUBLE_EQ(run.simulation.change({"stiffness[1]", 1}).injected, 0.5 * (1 - 4) * 4); // this one 2 m
    EXPECT_DOUBLE_EQ(run.simulation.ledger().injected, 3 - 6);
    EXPECT_EQ(run.simulation.journal().entries().size(), 2u);
}

TEST(Changes, AreToldToTheMethodAsTheDifferenceOfAccelerations)
{
    auto listener = std::make_unique<Listener>();
    const Listener& heard = *listener;
    Tied run(std::move(listener));
    run.advance(2);
    EXPECT_TRUE(heard.jumps.empty());
    run.simulation.change({"stiffness[0]", 10});
    ASSERT_EQ(heard.jumps.size(), 1u);
    const Vector expected = small::stacked({{-3, 0, 0}, {0, 0, 0}}); // -(10 - 4) 1/2
    EXPECT_LT((heard.jumps[0] - expected).norm(), 1e-14);
}

TEST(Changes, KeepTheBalanceOfMethodsThatKeepEnergy)
{
    for (const char* method : {"trapezoid", "newmark"}) {
        Tied run(std::string(method) == "trapezoid" ? trapezoid() : named(method));
        double stiffness = 4;
        for (int change = 0; change < 12; ++change) {
            run.advance(7);
            const double most = 1e-9 * run.total();
            EXPECT_NEAR(run.total(), run.simulation.ledger().balance(), most) << method << " after " << change;
            EXPECT_NEAR(run.total(), run.simulation.ledger().target, most) << method;
            stiffness *= change % 3 == 1 ? 0.3 : 1.7;
            run.simulation.change({"stiffness[0]", stiffness});
            EXPECT_NEAR(run.total(), run.simulation.ledger().balance(), most) << method << " at " << change;
        }
        EXPECT_GT(std::abs(run.simulation.ledger().injected), 0.1) << "there was something to book";
    }
}

/// At some steps the target is out of its reach, with or without changes.
TEST(Changes, AreFollowedByAMethodThatAimsAtTheTarget)
{
    Tied run(named("a-search"));
    const auto gap = [&] { return run.total() - run.simulation.ledger().target; };
    double stiffness = 4;
    for (int step = 1; step <= 84; ++step) {
        run.advance(1);
        if (step % 7 != 0) continue;
        const double before = gap();
        stiffness *= step % 3 == 1 ? 0.3 : 1.7;
        EXPECT_GT(std::abs(run.simulation.change({"stiffness[0]", stiffness}).injected), 1e-6);
        EXPECT_NEAR(gap(), before, 1e-12 * run.total()) << "at step " << step;
    }
    EXPECT_LT(std::abs(gap()), 0.05 * run.total());
}

TEST(Changes, LeaveWhatAMethodLosesAsItIs)
{
    Tied run(named("implicit-euler"));
    run.advance(10);
    const double lost = run.simulation.ledger().balance() - run.total();
    EXPECT_GT(lost, 1e-3);
    run.simulation.change({"stiffness[0]", 9});
    EXPECT_NEAR(run.simulation.ledger().balance() - run.total(), lost, 1e-12);
}

TEST(Changes, ThatCannotBeMadeLeaveEverythingAsItWas)
{
    Tied run(named("newmark")), other(named("newmark"));
    run.advance(3);
    other.advance(3);
    EXPECT_THROW(run.simulation.change({"stiffness[2]", 9}), InputError);
    EXPECT_THROW(run.simulation.change({"mass", 9}), InputError);
    EXPECT_THROW(run.simulation.change({"stiffness[0]", std::numeric_limits<double>::infinity()}), InputError);
    EXPECT_TRUE(run.simulation.journal().entries().empty());
    run.advance(3);
    other.advance(3);
    EXPECT_TRUE(small::same_bits(run.simulation.state(), other.simulation.state()));
    EXPECT_EQ(run.simulation.ledger().injected, 0);

    fake::EmptySpace space;
    fake::Scripted integrator;
    Simulation nothing(space, integrator, run.controller, fake::particle());
    EXPECT_THROW(nothing.change({"stiffness[0]", 9}), InputError);
}

TEST(Changes, AddNothingToCheckpointsWhereThereAreNone)
{
    const auto bytes_of = [](const Snapshot& s) { return std::string(s.bytes.begin(), s.bytes.end()); };
    Tied run(named("bdf2"));
    run.advance(3);
    Simulation plain(*run.problem.dynamics, *run.integrator, run.controller, run.problem.start);
    Archive copy(run.simulation.snapshot().bytes);
    plain.serialize(copy); // nothing can be changed in this one
    EXPECT_TRUE(copy.at_end());
    const Snapshot before = run.simulation.snapshot();
    EXPECT_EQ(bytes_of(plain.snapshot()), bytes_of(before));
    EXPECT_EQ(bytes_of(before).find("change"), std::string::npos);

    run.simulation.change({"stiffness[0]", 9});
    Archive changed(run.simulation.snapshot().bytes);
    EXPECT_THROW(plain.serialize(changed), Archive::Mismatch) << "it would go on with another stiffness";
    run.simulation.restore(before);
    EXPECT_EQ(bytes_of(run.simulation.snapshot()), bytes_of(before));
    run.advance(1);
    EXPECT_EQ(run.simulation.change({"stiffness[0]", 5}).before, 4) << "the stiffness went back, too";
}

/// What is saved last is a change, and behind it come the fields of others.
TEST(Changes, AreFoundAmongWhatOthersSave)
{
    for (const bool changes : {false, true}) {
        Tied run(named("bdf2")), second(named("bdf2"));
        run.advance(3);
        if (changes) run.simulation.change({"stiffness[1]", 7});
        Archive saved;
        run.simulation.serialize(saved);
        double other = 17;
        saved("other", other);
        Archive loaded(saved.bytes());
        second.simulation.serialize(loaded);
        other = 0;
        loaded("other", other);
        EXPECT_EQ(other, 17);
        EXPECT_EQ(second.simulation.journal().entries().size(), changes ? 1u : 0u);
    }
}

} // namespace

} // namespace rubato
