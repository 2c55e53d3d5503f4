#include "base/errors.hpp"
#include "control/energy_catalog.hpp"
#include "dynamics/energy_ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace rubato {
namespace {

using Table = std::vector<std::vector<double>>;

const EnergyTargetEntry& entry(const std::string& name)
{
    for (const EnergyTargetEntry& e : energy_target_catalog()) {
        if (e.name == name) return e;
    }
    throw std::logic_error(name);
}

/// Options of an entry: its defaults, and some that are given.
Options options(const std::string& name, const std::map<std::string, OptionValue>& given)
{
    Options all = defaults(entry(name).options);
    for (const auto& [key, value] : given) all.set(key, value);
    return all;
}

std::unique_ptr<EnergyTarget> made(
    const std::string& name, const std::map<std::string, OptionValue>& given, const EnergyLevels& levels = {100, 20})
{
    return entry(name).make(options(name, given), levels);
}

/// The target after `steps` equal steps from 0 to `end`, each of which gains the same.
double target_at(double end, const EnergyTarget& rule, int steps = 1, double gained_in_all = 0)
{
    EnergyLedger ledger = EnergyLedger::opened(100, &rule);
    for (int i = 0; i < steps; ++i) ledger.book(end * i / steps, end * (i + 1) / steps, gained_in_all / steps, 0);
    return ledger.target;
}

/// The option that is refused, with the message; empty if all is well.
std::string refused(const std::string& name, const std::map<std::string, OptionValue>& given)
{
    try {
        made(name, given);
    } catch (const InputError& error) {
        return error.mistakes().at(0).key + ": " + error.mistakes().at(0).message;
    }
    return "";
}

TEST(Hold, KeepsAShareOfTheStartAndWhatIsGained)
{
    EXPECT_EQ(target_at(5, *made("hold", {}), 10), 100);
    const auto rule = made("hold", {{"scale", 0.95}});
    EXPECT_EQ(rule->first(100), 95);
    EXPECT_DOUBLE_EQ(target_at(5, *rule, 4, 12), 107);
}

TEST(Decay, FollowsTheExponentialTowardTheGround)
{
    const auto rule = made("decay", {{"tau", 2.0}});
    for (const int steps : {1, 7, 1000}) {
        EXPECT_NEAR(target_at(3, *rule, steps), 20 + 80 * std::exp(-1.5), 1e-11) << steps;
    }
    EXPECT_NEAR(target_at(1e6, *rule), 20, 1e-13);
}

TEST(Decay, BeginsAtItsStartInTheMiddleOfAStep)
{
    const auto rule = made("decay", {{"tau", 2.0}, {"start", 1.25}, {"scale", 0.5}});
    EXPECT_EQ(target_at(1, *rule, 3), 50);
    for (const int steps : {1, 7, 300}) {
        EXPECT_NEAR(target_at(3, *rule, steps), 20 + 30 * std::exp(-1.75 / 2), 1e-11) << steps;
    }
}

/// 000 sec. 5.3, bunny splash: tau = 1 s from t = 1 s on, 0.5 s from t = 1.5 s on.
TEST(Decay, FollowsAScheduleHoweverTimeIsCutIntoSteps)
{
    const auto rule = made("decay", {{"scale", 0.95}, {"schedule", Table{{1, 1}, {1.5, 0.5}}}});
    const auto closed_form = [](double t) {
        const double exponent = std::clamp(t - 1, 0.0, 0.5) / 1 + std::max(0.0, t - 1.5) / 0.5;
        return 20 + 75 * std::exp(-exponent);
    };
    for (const double t : {0.5, 1.0, 1.2, 1.5, 1.7, 3.0}) {
        for (const int steps : {1, 3, 50, 997}) EXPECT_NEAR(target_at(t, *rule, steps), closed_form(t), 1e-11) << t;
    }
}

TEST(Decay, TakesWhatWasGainedWithIt)
{
    const auto rule = made("decay", {{"tau", 2.0}});
    EXPECT_NEAR(rule->next(100, 0, 1, 30), 20 + 110 * std::exp(-0.5), 1e-12);
    EXPECT_NEAR(rule->next(100, 0, 1, -80), 20, 1e-12) << "all of it was dissipated";
    // A constant power p for a long time: E - E_g goes to p tau.
    EXPECT_NEAR(target_at(40, *rule, 40000, 400), 20 + 10 * 2, 0.02);
}

TEST(Decay, SaysWhatIsWrongWithItsOptions)
{
    EXPECT_EQ(refused("decay", {{"tau", 1.0}}), "");
    EXPECT_EQ(refused("decay", {{"schedule", Table{{0, 1}}}}), "");
    EXPECT_EQ(refused("decay", {}), "tau: is missing; give tau [s] or a schedule");
    EXPECT_EQ(refused("decay", {{"tau", 1.0}, {"schedule", Table{{0, 1}}}}), "tau: give either tau or schedule");
    EXPECT_EQ(refused("decay", {{"start", 1.0}, {"schedule", Table{{0, 1}}}}),
        "start: a schedule begins at its first time; leave start out");
    EXPECT_EQ(refused("decay", {{"schedule", Table{}}}), "schedule: must have at least one row [time, tau]");
    EXPECT_EQ(refused("decay", {{"schedule", Table{{1, 1}, {1, 2}}}}),
        "schedule[1]: times must be ascending: the row before is at 1 s");
    EXPECT_EQ(refused("decay", {{"schedule", Table{{1, 1}, {2, 0}}}}), "schedule[1]: tau must be > 0 [s]");
    EXPECT_EQ(refused("decay", {{"schedule", Table{{-1, 1}}}}), "schedule[0]: time must be >= 0 [s]");
    EXPECT_EQ(refused("decay", {{"schedule", Table{{1, 1, 1}}}}), "schedule[0]: must be two numbers [time, tau]");
}

TEST(Curve, JoinsItsPointsAndStaysLevelOutside)
{
    const auto rule = made("curve", {{"keyframes", Table{{1, 1}, {3, 0.5}, {4, 0.75}}}});
    for (const auto& [t, fraction] :
        {std::pair{0.0, 1.0}, {1.0, 1.0}, {2.0, 0.75}, {3.0, 0.5}, {3.5, 0.625}, {4.0, 0.75}, {9.0, 0.75}}) {
        for (const int steps : {1, 13}) EXPECT_NEAR(target_at(t, *rule, steps), 20 + 80 * fraction, 1e-12) << t;
    }
}

TEST(Curve, IsLevelAtEveryKeyWhenSmooth)
{
    const auto rule = made("curve", {{"keyframes", Table{{0, 1}, {2, 0}}}, {"interpolation", std::string("smooth")}});
    EXPECT_NEAR(target_at(0.5, *rule), 20 + 80 * (1 - 0.15625), 1e-12); // r = 1/4: 3/16 - 2/64
    EXPECT_NEAR(target_at(1, *rule), 60, 1e-12);
    EXPECT_NEAR(target_at(1e-4, *rule), 100, 1e-5);
    EXPECT_NEAR(target_at(2 - 1e-4, *rule), 20, 1e-5);
}

TEST(Curve, CountsGainsOnTopUnlessItIsAbsolute)
{
    const Table keys{{0, 50}, {2, 10}};
    const auto relative = made("curve", {{"keyframes", keys}, {"unit", std::string("joule")}});
    const auto absolute = made("curve", {{"keyframes", keys}, {"unit", std::string("joule")}, {"absolute", true}});
    EXPECT_EQ(relative->first(100), 50);
    EXPECT_NEAR(target_at(1, *relative, 5, 7), 37, 1e-12);
    EXPECT_NEAR(target_at(1, *absolute, 5, 7), 30, 1e-12);
}

TEST(Curve, NeedsTheGroundLevelForFractionsOnly)
{
    const Table keys{{0, 1}};
    EXPECT_TRUE(entry("curve").needs_ground(options("curve", {{"keyframes", keys}})));
    EXPECT_FALSE(entry("curve").needs_ground(options("curve", {{"keyframes", keys}, {"unit", std::string("joule")}})));
    EXPECT_TRUE(entry("decay").needs_ground(options("decay", {})));
    EXPECT_FALSE(entry("hold").needs_ground(options("hold", {})));
}

TEST(Curve, SaysWhatIsWrongWithItsOptions)
{
    EXPECT_EQ(refused("curve", {{"keyframes", Table{}}}), "keyframes: must have at least one row [time, fraction]");
    EXPECT_EQ(refused("curve", {{"keyframes", Table{{2, 1}, {1, 1}}}}),
        "keyframes[1]: times must be ascending: the row before is at 2 s");
    EXPECT_EQ(refused("curve", {{"keyframes", Table{{0, 1}, {1, -0.1}}}}),
        "keyframes[1]: a fraction must be >= 0: nothing has less energy than the ground level");
    EXPECT_EQ(refused("curve", {{"keyframes", Table{{0, 1}, {1, -0.1}}}, {"unit", std::string("joule")}}), "")
        << "with another zero of gravity a total may be negative";
}

/// Who builds a scene relies on it.
TEST(EnergyTargets, AllTakeAGroundLevel)
{
    for (const EnergyTargetEntry& e : energy_target_catalog()) {
        EXPECT_TRUE(std::any_of(e.options.begin(), e.options.end(), [](const OptionSpec& o) {
            return o.name == "ground" && o.optional && o.unit == "J";
        })) << e.name;
    }
}

} // namespace
} // namespace rubato
