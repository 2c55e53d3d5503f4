#include "contracts/small_systems.hpp"
#include "integrators/dirk.hpp"
#include "integrators/tableau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rubato {

namespace {

using Rows = std::vector<std::vector<double>>;

const Rows classical = {{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}};
const std::vector<double> classical_weights = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

TEST(Tableau, OrderFollowsFromTheOrderConditions)
{
    EXPECT_EQ(checked_tableau({{1}}, {1}).order(), 1);
    EXPECT_EQ(checked_tableau({{0}}, {1}).order(), 1);
    EXPECT_EQ(checked_tableau({{0.5}}, {1}).order(), 2);
    EXPECT_EQ(checked_tableau({{0, 0}, {0.5, 0.5}}, {0.5, 0.5}).order(), 2);
    EXPECT_EQ(sdirk2_tableau().order(), 2);
    EXPECT_EQ(tr_bdf2_tableau().order(), 2);
    EXPECT_EQ(norsett_tableau().order(), 3);
    EXPECT_EQ(checked_tableau(classical, classical_weights).order(), 4);
    // Alexander's third-order method with three equal diagonal entries.
    const double g = 0.43586652150845899942, b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
    EXPECT_EQ(checked_tableau({{g, 0, 0}, {(1 - g) / 2, g, 0}, {b1, b2, g}}, {b1, b2, g}).order(), 3);
}

TEST(Tableau, KnowsWhetherItEndsOnItsLastStage)
{
    EXPECT_TRUE(sdirk2_tableau().stiffly_accurate());
    EXPECT_TRUE(tr_bdf2_tableau().stiffly_accurate());
    EXPECT_FALSE(norsett_tableau().stiffly_accurate());
    EXPECT_FALSE(checked_tableau({{0.5}}, {1}).stiffly_accurate());
}

TEST(Tableau, StageTimesAreRowSums)
{
    const Tableau t = checked_tableau(classical, classical_weights);
    EXPECT_EQ(t.c, (std::vector<double>{0, 0.5, 0.5, 1}));
    EXPECT_NO_THROW(checked_tableau(classical, classical_weights, {0, 0.5, 0.5, 1}));
}

std::vector<std::string> wrong_keys(const Rows& A, const std::vector<double>& b, const std::vector<double>& c = {})
{
    try {
        checked_tableau(A, b, c);
    } catch (const InputError& error) {
        std::vector<std::string> keys;
        for (const Mistake& m : error.mistakes()) keys.push_back(m.key);
        return keys;
    }
    return {};
}

TEST(Tableau, NamesTheEntryThatIsWrong)
{
    using Keys = std::vector<std::string>;
    EXPECT_EQ(wrong_keys({}, {}), Keys{"A"});
    EXPECT_EQ(wrong_keys({{1, 0}, {1}}, {0.5, 0.5}), Keys{"A[1]"});
    EXPECT_EQ(wrong_keys({{1, 0}, {0, 1}}, {1}), Keys{"b"});
    EXPECT_EQ(wrong_keys({{0.5, 0.1}, {0.5, 0.5}}, {0.5, 0.5}), Keys{"A[0][1]"});
    EXPECT_EQ(wrong_keys({{-0.5}}, {1}), Keys{"A[0][0]"});
    EXPECT_EQ(wrong_keys({{0.5}}, {1.1}), Keys{"b"});
    EXPECT_EQ(wrong_keys({{0.5}}, {1}, {0.6}), Keys{"c[0]"});
    EXPECT_EQ(wrong_keys({{0.5}}, {1}, {0.5, 1}), Keys{"c"});
    EXPECT_EQ(wrong_keys({{std::nan("")}}, {1}), Keys{"A[0][0]"});
    EXPECT_EQ(wrong_keys({{0.5}}, {std::numeric_limits<double>::infinity()}), Keys{"b"});
    EXPECT_EQ(wrong_keys({{0.5, 0.1}, {0.5, -0.5}}, {0.5, 0.4}), (Keys{"A[0][1]", "A[1][1]", "b"}))
        << "all in one pass";
}

/// The general engine agrees with the methods that are written out.
TEST(Dirk, EqualsTheMethodsOfItsTableaux)
{
    const struct {
        const char* name;
        Tableau tableau;
    } pairs[] = {
        {"forward-euler", checked_tableau({{0}}, {1})},
        {"rk4", checked_tableau(classical, classical_weights)},
        {"implicit-euler", checked_tableau({{1}}, {1})},
        {"implicit-midpoint", checked_tableau({{0.5}}, {1})},
        {"trapezoidal", checked_tableau({{0, 0}, {0.5, 0.5}}, {0.5, 0.5})},
    };
    for (const auto& [name, tableau] : pairs) {
        for (const auto& make : {small::ProblemMaker([] { return small::driven_chain(); }),
                 small::ProblemMaker([] { return small::chain_with_drag(); })}) {
            small::Problem p = make(), q = make();
            const auto& catalog = integrator_catalog();
            const auto entry
                = std::find_if(catalog.begin(), catalog.end(), [&](const auto& e) { return e.name == name; });
            ASSERT_NE(entry, catalog.end()) << name;
            const auto method = small::made(*entry);
            Dirk engine(tableau);
            State a = p.start, b = q.start;
            for (int n = 0; n < 10; ++n) {
                const StepOutcome one = small::advance(*p.dynamics, *method, a, 0.02);
                const StepOutcome other = small::advance(*q.dynamics, engine, b, 0.02);
                ASSERT_EQ(one.status, StepStatus::ok);
                ASSERT_EQ(other.status, StepStatus::ok);
            }
            EXPECT_LT(small::distance(a, b), 1e-11) << name;
        }
    }
}

} // namespace

} // namespace rubato
