#include "contracts/faulty_dynamics.hpp"
#include "integrators/a_search.hpp"
#include "integrators/blending.hpp"
#include "integrators/decoupled.hpp"
#include "integrators/energy_constraint.hpp"
#include "integrators/particles.hpp"

#include <gtest/gtest.h>

/// Methods that control energy: what they promise beyond the contracts.
namespace rubato {

namespace {

using small::Problem;

/// E' = (E + gained) exp(-h/tau), E(0) = share H(0).
class Decay final : public EnergyTarget {
public:
    explicit Decay(double tau, double share = 1) // [s]
        : tau_(tau)
        , share_(share)
    {
    }
    double first(double H_0) const override { return share_ * H_0; }
    double next(double E, double t, double t_next, double gained) const override
    {
        return (E + gained) * std::exp(-(t_next - t) / tau_);
    }

private:
    double tau_, share_;
};

/// One accepted step, for a table.
struct Row {
    double total, target, balance; // [J]
    double alpha;
    Vec3 angular; // [kg m^2/s]
};

struct Table final : Observer {
    std::vector<Row> rows;
    void step(const StepRecord& r) override
    {
        rows.push_back({r.total(), r.ledger.target, r.ledger.balance(), r.outcome.alpha, r.angular_momentum});
    }
};

std::vector<Row> run(
    Problem p, Integrator& integrator, double h, long steps, const EnergyTarget* target = nullptr, bool ends = true)
{
    FixedStep controller(h);
    Simulation simulation(*p.dynamics, integrator, controller, p.start, target);
    Table table;
    simulation.observe(table);
    const RunResult result = simulation.run(static_cast<double>(steps) * h);
    EXPECT_EQ(result.finished, ends) << result.why;
    return table.rows;
}

ASearch a_search() { return ASearch(AlphaRule::search(0, 1.1)); }

/// Largest |total - target| over the steps whose alpha is inside (low, high), and how many there are.
std::pair<double, int> worst_inside(const std::vector<Row>& rows, double low, double high)
{
    double worst = 0;
    int inside = 0;
    for (std::size_t n = 1; n < rows.size(); ++n) {
        if (!(rows[n].alpha > low && rows[n].alpha < high)) continue;
        ++inside;
        worst = std::max(worst, std::abs(rows[n].total - rows[n].target));
    }
    return {worst, inside};
}

TEST(ASearch, MeetsTheTargetToRoundOffWhereAlphaIsInsideItsRange)
{
    ASearch integrator = a_search();
    const std::vector<Row> rows = run(small::soft_squared_spring(), integrator, 0.02, 2000);
    const auto [worst, inside] = worst_inside(rows, 0, 1.1);
    EXPECT_GT(inside, 500);
    EXPECT_LT(worst, 1e-13 * rows[0].total);
    EXPECT_LT(inside, 2000) << "alpha is cut at times";
}

TEST(ASearch, CountsTheEnergyOfScriptsAndForcesInTime)
{
    ASearch integrator = a_search();
    const std::vector<Row> rows = run(small::driven_chain(), integrator, 0.01, 1000);
    const auto [worst, inside] = worst_inside(rows, 0, 1.1);
    EXPECT_GT(inside, 100);
    EXPECT_LT(worst, 1e-12 * rows[0].total);
    EXPECT_GT(std::abs(rows.back().target - rows[0].target), 0.1) << "energy came in";
}

TEST(ASearch, FollowsADecayingTarget)
{
    const Decay decay(10);
    ASearch integrator = a_search();
    const std::vector<Row> rows = run(small::soft_squared_spring(), integrator, 0.02, 1000, &decay);
    EXPECT_NEAR(rows.back().target, rows[0].total * std::exp(-2.0), 1e-12);
    double mean = 0;
    for (const Row& row : rows) mean += std::abs(row.total - row.target) / static_cast<double>(rows.size());
    EXPECT_LT(mean, 0.01 * rows[0].total);
}

TEST(ASearch, TakesWhatDragDissipatesOffTheTargetOfTheSameStep)
{
    ASearch integrator = a_search();
    const std::vector<Row> rows = run(small::chain_with_drag(0.3), integrator, 0.01, 800);
    const auto [worst, inside] = worst_inside(rows, 0, 1.1);
    EXPECT_GT(inside, 100);
    EXPECT_LT(worst, 1e-13 * rows[0].total);
    EXPECT_LT(rows.back().target, 0.6 * rows[0].target);
    for (const Row& row : rows) ASSERT_NEAR(row.target, row.balance, 1e-12);
}

/// D = c/3 |u|^3 for one particle: the force -c |w| w along the way of the mean velocity, where the 2 h D of 000 Alg. 1
/// is for quadratic D.
TEST(ASearch, BooksTheWorkOfADragThatIsNotLinear)
{
    class CubicDrag final : public Dissipation {
    public:
        std::string_view name() const override { return "cubic-drag"; }
        void pattern(BlockPattern&) const override { }
        void freeze(const State&) override { }
        void add(const Vector& u, Assembly& out) override
        {
            const double speed = u.norm();
            if (out.value != nullptr) *out.value += out.value_weight * speed * speed * speed / 3;
            if (out.gradient != nullptr) *out.gradient += (out.gradient_weight * speed) * u;
            if (out.hessian == nullptr) return;
            const Vec3 n = u.normalized();
            out.hessian->block(out.hessian->slot(0, 0))
                += out.hessian_weight * speed * (Mat3::Identity() + n * n.transpose());
        }
    };
    Problem p = small::soft_squared_spring();
    p.dynamics->system().dissipations.push_back(std::make_unique<CubicDrag>());
    ASearch integrator = a_search();
    State now = p.start;
    const double h = 0.05;
    Vec3 w_old = Vec3::Zero();
    for (int n = 0; n < 3; ++n) {
        const Vector x = now.x;
        const StepOutcome outcome = small::advance(*p.dynamics, integrator, now, h);
        ASSERT_EQ(outcome.status, StepStatus::ok);
        const Vec3 w = (now.x - x) / h;
        if (n == 0) w_old = w; // nothing is known of what went before
        EXPECT_NEAR(outcome.dissipated.total(), h * w.norm() * w.dot(0.5 * (w_old + w)), 1e-13) << "step " << n;
        w_old = w;
    }
}

/// Free fall loses energy under implicit Euler, but there is no force difference to correct it with.
TEST(ASearch, LetsThingsFallAsImplicitEulerDoes)
{
    Problem p = small::free_fall(Vec3(0, -9.81, 0));
    ASearch integrator = a_search();
    ImplicitEuler euler;
    State a = p.start, b = p.start;
    for (int n = 0; n < 10; ++n) {
        const StepOutcome outcome = small::advance(*p.dynamics, integrator, a, 0.1);
        ASSERT_EQ(outcome.status, StepStatus::ok);
        EXPECT_EQ(outcome.alpha, 1);
        small::advance(*p.dynamics, euler, b, 0.1);
        EXPECT_LT((a.x - b.x).norm(), 1e-13 * b.x.norm()); // forces are read off positions: round-off is left
        EXPECT_LT((a.v - b.v).norm(), 1e-13 * b.v.norm());
    }
}

/// A parabola with these roots.
EnergyParabola with_roots(double a, double b) { return {.square = 1, .slope = a + b, .offset = a * b, .size = 1}; }

TEST(AlphaRule, TakesTheRootNearerToOne)
{
    for (const auto& [near, far] :
        {std::pair{1.02, 0.9}, {0.95, 1.07}, {0.3, 4.0}, {1.5, 0.2}, {-2.0, 5.0}, {0, 2.5}}) {
        EXPECT_NEAR(root_near_one(with_roots(near, far)), near, 1e-14);
        EXPECT_NEAR(root_near_one(with_roots(far, near)), near, 1e-14);
    }
    EXPECT_EQ(root_near_one(with_roots(1, 0.3)), 1);
}

TEST(AlphaRule, LosesNoDigitsWhereTheParabolaIsNearlyALine)
{
    EXPECT_NEAR(root_near_one({.square = 1e-25, .slope = -1e-9, .offset = -0.37e-9, .size = 1}), 0.37, 1e-12);
}

TEST(AlphaRule, TakesTheVertexWhereNoAlphaMeetsTheTarget)
{
    EXPECT_NEAR(root_near_one({.square = 1, .slope = 1.2, .offset = 5, .size = 1}), 0.6, 1e-15);
    EXPECT_NEAR(root_near_one({.square = 2, .slope = -8, .offset = 90, .size = 1}), -2, 1e-15);
}

TEST(AlphaRule, StaysWithinItsRange)
{
    AlphaRule rule = AlphaRule::search(0, 1.1), narrow = AlphaRule::search(0.9, 0.95);
    EXPECT_EQ(rule.alpha(with_roots(1.5, 7)), 1.1);
    EXPECT_EQ(rule.alpha(with_roots(-3, -1)), 0);
    EXPECT_NEAR(rule.alpha(with_roots(0.4, 7)), 0.4, 1e-15);
    EXPECT_EQ(narrow.alpha(with_roots(0.4, 7)), 0.9);
    EXPECT_EQ(narrow.alpha(with_roots(1.01, 7)), 0.95);
}

TEST(AlphaRule, IsOneWhereForcesDoNotDiffer)
{
    const EnergyParabola nothing{.square = 0, .slope = 0, .offset = -3, .size = 10};
    const EnergyParabola noise{.square = 1e-18, .slope = 1e-16, .offset = -3, .size = 10};
    for (const EnergyParabola& e : {nothing, noise}) {
        EXPECT_EQ(AlphaRule::search(0, 1.1).alpha(e), 1);
        EXPECT_EQ(AlphaRule::search(0, 0.5).alpha(e), 0.5);
    }
}

TEST(AlphaRule, RefusesAnEmptyRange)
{
    Options options;
    options.set("alpha_min", 1.2);
    options.set("alpha_max", 1.1);
    try {
        AlphaRule::search(options);
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.mistakes().size(), 1u);
        EXPECT_EQ(error.mistakes()[0].key, "alpha_max");
    }
}

const EnergyParabola too_low = with_roots(0.8, 1.3), too_high = with_roots(0.5, 0.7); // at alpha = 1

TEST(SparseAlphaRule, CorrectsOnlyOnTheThirdErrorOfOneSign)
{
    AlphaRule rule = AlphaRule::sparse(0, 1.1);
    const auto accepted = [&](const EnergyParabola& e) {
        const double alpha = rule.alpha(e);
        rule.accept({});
        return alpha;
    };
    EXPECT_EQ(accepted(too_low), 1);
    EXPECT_EQ(accepted(too_low), 1);
    EXPECT_EQ(accepted(too_high), 1); // begins to count anew
    EXPECT_EQ(accepted(too_high), 1);
    EXPECT_NEAR(accepted(too_high), 0.7, 1e-15);
    EXPECT_EQ(accepted(too_high), 1); // and after a correction too: at most one step in three
    EXPECT_EQ(accepted(too_high), 1);
    EXPECT_NEAR(accepted(too_high), 0.7, 1e-15);
}

TEST(SparseAlphaRule, CountsAcceptedStepsOnly)
{
    AlphaRule rule = AlphaRule::sparse(0, 1.1);
    for (int n = 0; n < 5; ++n) EXPECT_EQ(rule.alpha(too_low), 1);
    rule.accept({});
    for (int n = 0; n < 5; ++n) EXPECT_EQ(rule.alpha(too_low), 1);
    rule.accept({});
    EXPECT_NEAR(rule.alpha(too_low), 0.8, 1e-15);
    EXPECT_NEAR(rule.alpha(too_low), 0.8, 1e-15);

    Archive saved;
    rule.serialize(saved);
    AlphaRule other = AlphaRule::sparse(0, 1.1);
    Archive loaded(saved.bytes());
    other.serialize(loaded);
    EXPECT_NEAR(other.alpha(too_low), 0.8, 1e-15);
}

/// A three-stage tableau of the class that is not stiffly accurate.
Tableau composition() { return checked_tableau({{0.4, 0, 0}, {0.5, 0.1, 0}, {0.5, 0.3, 0.05}}, {0.5, 0.3, 0.2}); }

TEST(Adjoint, ReversesTheSubStepsAndTheirImplicitness)
{
    const Tableau euler = adjoint(checked_tableau({{1}}, {1}));
    EXPECT_EQ(euler.A[0][0], 0);
    const Tableau back = adjoint(adjoint(composition())), once = adjoint(composition());
    EXPECT_EQ(once.b, (std::vector<double>{0.2, 0.3, 0.5}));
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(once.c[i], 1 - composition().c[2 - i], 1e-15);
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(back.A[i][j], composition().A[i][j], 1e-15);
    }
}

TEST(Adjoint, RefusesATableauAndNamesTheEntry)
{
    const auto mistakes = [](const Tableau& tableau) {
        try {
            adjoint(tableau);
        } catch (const InputError& error) {
            return error.mistakes();
        }
        return std::vector<Mistake>{};
    };
    const std::vector<Mistake> tr_bdf2 = mistakes(tr_bdf2_tableau());
    ASSERT_EQ(tr_bdf2.size(), 1u);
    EXPECT_EQ(tr_bdf2[0].key, "A[1][0]");
    EXPECT_EQ(tr_bdf2[0].value.substr(0, 6), "0.2928");
    EXPECT_NE(tr_bdf2[0].message.find("must be equal to b[0], which is 0.3535"), std::string::npos);
    const std::vector<Mistake> norsett = mistakes(norsett_tableau());
    ASSERT_EQ(norsett.size(), 3u);
    EXPECT_EQ(norsett[0].key, "A[0][0]");
    EXPECT_NE(norsett[0].message.find("must be at most b[0], which is 0.5"), std::string::npos);
    EXPECT_EQ(norsett[1].key, "A[1][0]");
    EXPECT_EQ(norsett[2].key, "A[1][1]");
    EXPECT_THROW(Decoupled(tr_bdf2_tableau(), AlphaRule::always_one()), InputError);
    EXPECT_TRUE(mistakes(composition()).empty());
}

TEST(Decoupled, OnImplicitEulerIsA1AndASearch)
{
    const Tableau implicit_euler = checked_tableau({{1}}, {1});
    for (const auto& make : {small::ProblemMaker([] { return small::driven_chain(); }),
             small::ProblemMaker([] { return small::chain_with_drag(); })}) {
        for (const AlphaRule& rule : {AlphaRule::always_one(), AlphaRule::search(0, 1.1)}) {
            Problem p = make(), q = make();
            FixedStep controller(0.02);
            ASearch one(rule);
            Decoupled other(implicit_euler, rule);
            Simulation a(*p.dynamics, one, controller, p.start), b(*q.dynamics, other, controller, q.start);
            ASSERT_TRUE(a.run(1.0).finished);
            ASSERT_TRUE(b.run(1.0).finished);
            EXPECT_LT(small::distance(a.state(), b.state()), 1e-11);
        }
    }
}

/// On an oscillator the step is a 2x2 matrix; columns by stepping unit vectors. 000 App. C: its determinant is 1.
TEST(Decoupled, SymplecticOnAnOscillatorForEveryTableau)
{
    for (const Tableau& tableau : {checked_tableau({{1}}, {1}), sdirk2_tableau(), composition()}) {
        for (const double h : {0.1, 1.0, 7.0}) {
            System system;
            system.mass = Mass(Vector::Constant(1, 1.0));
            system.potentials.push_back(std::make_unique<Attachments>(
                std::vector<Attachment>{{0, 1.0, Vec3::Zero(), std::make_shared<Rest>()}}));
            // x and y are two independent copies of the oscillator, started at the two unit vectors.
            Problem p = small::problem(std::move(system), {.t = 0, .x = Vec3(1, 0, 0), .v = Vec3(0, 1, 0)}, 1.0);
            Decoupled integrator(tableau, AlphaRule::always_one());
            State now = p.start;
            ASSERT_EQ(small::advance(*p.dynamics, integrator, now, h).status, StepStatus::ok);
            EXPECT_NEAR(now.x[0] * now.v[1] - now.x[1] * now.v[0], 1, 1e-12) << "h = " << h;
            if (tableau.stages() == 1) {
                EXPECT_NEAR(now.x[0] + now.v[1], 1 + 1 / (1 + h * h), 1e-12) << "000 sec. 4.2";
            }
        }
    }
}

TEST(Decoupled, ConvergesWithTheOrderOfATableauThatIsNotStifflyAccurate)
{
    // Two midpoint rules of different length: order two, ends at a computed point, adjoint to itself.
    const Tableau midpoints = checked_tableau({{0.15, 0}, {0.3, 0.35}}, {0.3, 0.7});
    for (const auto& [tableau, expected] : {std::pair{midpoints, 2.0}, {composition(), 1.0}}) {
        for (const AlphaRule& rule : {AlphaRule::always_one(), AlphaRule::search(0, 1.1)}) {
            Problem p = small::chain_with_drag();
            const State exact = small::truth(p);
            const double measured = small::measured_order([&](long steps) {
                Decoupled integrator(tableau, rule);
                State now = p.start;
                const double h = p.duration / static_cast<double>(steps);
                for (long n = 0; n < steps; ++n) small::advance(*p.dynamics, integrator, now, h);
                return small::distance(now, exact);
            });
            EXPECT_NEAR(measured, expected, 0.1);
        }
    }
}

/// Where nothing but dissipation acts there is nothing to correct: the method is its tableau.
TEST(Decoupled, LeavesDissipationToTheTableau)
{
    const auto dragged = [] {
        System system;
        system.mass = Mass(Vector::Constant(1, 0.5));
        system.dissipations.push_back(std::make_unique<Drag>(system.mass, 3.0));
        return small::problem(std::move(system), {.t = 0, .x = Vec3::Zero(), .v = Vec3(1, 2, 3)}, 1.0);
    };
    Problem p = dragged(), q = dragged();
    Decoupled decoupled(sdirk2_tableau(), AlphaRule::always_one());
    Dirk dirk(sdirk2_tableau());
    State a = p.start, b = q.start;
    for (int n = 0; n < 10; ++n) {
        ASSERT_EQ(small::advance(*p.dynamics, decoupled, a, 0.2).status, StepStatus::ok);
        ASSERT_EQ(small::advance(*q.dynamics, dirk, b, 0.2).status, StepStatus::ok);
        EXPECT_LT(small::distance(a, b), 1e-14);
    }
    EXPECT_LT(a.v.norm(), 0.02);
}

TEST(Midpoint, GainsEnergyWithoutBoundOnTheSquaredSpringButKeepsAngularMomentum)
{
    ImplicitMidpoint integrator;
    const std::vector<Row> rows = run(small::squared_spring(), integrator, 0.033, 2);
    EXPECT_NEAR(rows[0].total, 78150, 1e-9);
    EXPECT_GT(std::max(rows[1].total, rows[2].total), 10 * rows[0].total);
    for (const Row& row : rows) EXPECT_LT((row.angular - rows[0].angular).norm(), 1e-9 * rows[0].angular.norm());
}

TEST(Blending, StaysWithinItsToleranceOnTheSquaredSpring)
{
    Blending integrator(0.01);
    const std::vector<Row> rows = run(small::squared_spring(), integrator, 0.033, 3000);
    double worst = 0;
    int backward = 0, forward = 0;
    for (std::size_t n = 1; n < rows.size(); ++n) {
        worst = std::max(worst, std::abs(rows[n].total - rows[n].target) / rows[0].total);
        backward += rows[n].alpha > 0 ? 1 : 0;
        forward += rows[n].alpha < 0 ? 1 : 0;
        ASSERT_LE(std::abs(rows[n].alpha), 1);
    }
    EXPECT_LE(worst, 0.01);
    EXPECT_GT(backward, 100);
    EXPECT_GT(forward, 100);
}

TEST(Blending, IsTheMidpointRuleWhereThatIsNearEnough)
{
    Problem p = small::chain(), q = small::chain();
    Blending blending(0.01);
    ImplicitMidpoint midpoint;
    State a = p.start, b = q.start;
    for (int n = 0; n < 20; ++n) {
        EXPECT_EQ(small::advance(*p.dynamics, blending, a, 0.01).alpha, 0);
        small::advance(*q.dynamics, midpoint, b, 0.01);
    }
    EXPECT_TRUE(small::same_bits(a, b));
}

/// With a tolerance that every step has to work for.
TEST(Blending, IsOfSecondOrderWhenItCorrectsEveryStep)
{
    Problem p = small::chain_with_drag();
    const State exact = small::truth(p);
    int corrected = 0;
    const double measured = small::measured_order([&](long steps) {
        Blending integrator(1e-12);
        State now = p.start;
        const double h = p.duration / static_cast<double>(steps);
        for (long n = 0; n < steps; ++n)
            corrected += small::advance(*p.dynamics, integrator, now, h).alpha != 0 ? 1 : 0;
        return small::distance(now, exact);
    });
    EXPECT_GT(corrected, 500);
    EXPECT_NEAR(measured, 2, 0.15);
}

/// Toward a wall that may not be passed: the midpoint rule reflects through it, blending goes on.
TEST(Blending, StaysInsideWhereTheMidpointRuleWouldLeave)
{
    const auto thrown
        = [] { return small::particle(std::make_unique<small::LogWall>(0.05), 1, Vec3(0.5, 0, 0), Vec3(-3, 0.4, 0)); };
    ImplicitMidpoint midpoint;
    run(thrown(), midpoint, 0.1, 20, nullptr, false);
    Blending integrator(0.01);
    const std::vector<Row> rows = run(thrown(), integrator, 0.1, 20);
    EXPECT_EQ(rows.size(), 21u);
    for (const Row& row : rows) EXPECT_LT(row.total, 1.02 * rows[0].total);
}

TEST(EnergyBudget, MeetsTheTargetOrStops)
{
    const auto budget = small::made(*std::find_if(integrator_catalog().begin(), integrator_catalog().end(),
        [](const IntegratorEntry& e) { return e.name == "energy-budget"; }));
    const Decay decay(3);
    const std::vector<Row> rows = run(small::driven_chain(), *budget, 0.01, 300, &decay);
    for (std::size_t n = 1; n < rows.size(); ++n) {
        if (rows[n].alpha > 0) {
            EXPECT_NEAR(rows[n].total, rows[n].target, 1e-12 * rows[0].total);
        } else {
            EXPECT_GT(rows[n].total, rows[n].target);
        }
    }
    Problem p = small::soft_squared_spring();
    State next;
    const EnergyLedger none = EnergyLedger::opened(0); // less than the potential energy alone
    p.dynamics->begin_step(p.start, 0.05);
    EXPECT_EQ(budget->step({*p.dynamics, p.start, 0.05, none}, next).alpha, 0);
    EXPECT_EQ(next.v.norm(), 0);
}

/// h times the rate of damping is 20: it takes the motion within a step. What is booked must follow, or the search for
/// the target gives the velocities back.
TEST(EnergyControl, DoesNotGiveBackWhatStiffDampingTook)
{
    for (const char* name : {"a-search", "decoupled-alpha"}) {
        const auto integrator = small::made(integrator_named(name));
        const double h = 0.3, squared_frequency = 400; // [s], [1/s^2]
        Problem p = small::flying_pair(20 / (h * squared_frequency), 0);
        FixedStep controller(h);
        Simulation simulation(*p.dynamics, *integrator, controller, p.start);
        ASSERT_TRUE(simulation.run(20 * h).finished);
        const double left = p.dynamics->kinetic_energy(simulation.state().v);
        EXPECT_LT(left, 0.01 * p.dynamics->kinetic_energy(p.start.v)) << name;
    }
}

TEST(EnergyConstraint, MeetsTheTargetWithinItsTolerance)
{
    const Decay decay(20);
    EnergyConstraint integrator(1e-6);
    for (const EnergyTarget* target :
        {static_cast<const EnergyTarget*>(nullptr), static_cast<const EnergyTarget*>(&decay)}) {
        const std::vector<Row> rows = run(small::soft_squared_spring(), integrator, 0.05, 400, target);
        int corrected = 0;
        for (std::size_t n = 1; n < rows.size(); ++n) {
            ASSERT_LE(std::abs(rows[n].total - rows[n].target), 1e-6 * rows[n - 1].total * (1 + 1e-6)) << "step " << n;
            corrected += rows[n].alpha != 0 ? 1 : 0;
        }
        EXPECT_GT(corrected, 100);
    }
}

/// An oscillator let go at rest: A-1 multiplies its energy by about k = (h omega)^2 in the first step and comes back to
/// it every six; after a damped start the energy stays below what it was, and what is left, about 1/k, is kept.
TEST(DampedStart, KeepsAReleasedOscillatorFromMultiplyingItsEnergy)
{
    constexpr double k = 400, h = 0.1;
    const auto released = [&](bool damped) {
        System system;
        system.mass = Mass(Vector::Constant(1, 1.0));
        system.potentials.push_back(std::make_unique<Attachments>(
            std::vector<Attachment>{{0, k / (h * h), Vec3::Zero(), std::make_shared<Rest>()}}));
        ASearch integrator(AlphaRule::always_one(), damped);
        return run(
            small::problem(std::move(system), {.t = 0, .x = Vec3(1, 0, 0), .v = Vec3::Zero()}, 1.0), integrator, h, 60);
    };
    const std::vector<Row> plain = released(false), damped = released(true);
    const double E_0 = plain[0].total;
    EXPECT_NEAR(plain[1].total, (k + 1 / ((1 + k) * (1 + k))) * E_0, 1e-9 * k * E_0);
    EXPECT_NEAR(damped[1].total, E_0 / (1 + k), 1e-12 * E_0);
    for (std::size_t n = 1; n < damped.size(); ++n) {
        EXPECT_EQ(damped[n].alpha, n == 1 ? 0 : 1);
        EXPECT_LT(damped[n].total, 4 * damped[1].total) << n; // it swings: v = -1/h, -2/h, -1/h, 1/h, …
    }
}

TEST(EnergyConstraint, IsStableOnTheSquaredSpring)
{
    EnergyConstraint integrator(1e-6);
    const std::vector<Row> rows = run(small::squared_spring(), integrator, 0.033, 1000);
    double worst = 0;
    for (const Row& row : rows) worst = std::max(worst, std::abs(row.total - row.target) / rows[0].total);
    EXPECT_LT(worst, 1.1e-6);
}

/// On a linear system the energy is linear in what is searched, so three stages do; and where even the least energy is
/// too much, theta = 1 has it.
TEST(EnergyConstraint, NeedsThreeStagesOnALinearSystem)
{
    System system;
    system.mass = Mass(Vector::Constant(1, 1.0));
    system.potentials.push_back(
        std::make_unique<Attachments>(std::vector<Attachment>{{0, 9.0, Vec3::Zero(), std::make_shared<Rest>()}}));
    Problem p = small::problem(std::move(system), {.t = 0, .x = Vec3(0.7, 0, 0), .v = Vec3(0.3, 2, 0)}, 1.0);
    small::FaultyDynamics dynamics(*p.dynamics);
    const double H = small::energy_of(dynamics, p.start);
    EnergyConstraint integrator(1e-9);
    State next;
    dynamics.begin_step(p.start, 0.1);
    for (const auto& [share, most] : {std::pair{1.0, 1}, {0.8, 3}, {1.3, 3}}) {
        dynamics.solves = 0;
        const EnergyLedger ledger = EnergyLedger::opened(share * H);
        ASSERT_EQ(integrator.step({dynamics, p.start, 0.1, ledger}, next).status, StepStatus::ok);
        const double reached = dynamics.potential_energy(0.1, next.x).total() + dynamics.kinetic_energy(next.v);
        EXPECT_NEAR(reached, share * H, 1e-9 * H);
        EXPECT_LE(dynamics.solves, most) << share;
    }
    const EnergyLedger none = EnergyLedger::opened(-1);
    EXPECT_EQ(integrator.step({dynamics, p.start, 0.1, none}, next).alpha, 1);
}

} // namespace

} // namespace rubato
