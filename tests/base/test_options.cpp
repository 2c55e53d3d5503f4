#include "base/options.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace rubato;

namespace {

Options sample()
{
    Options o;
    o.set("length", 2.5);
    o.set("count", 7);
    o.set("on", true);
    o.set("kind", std::string("fast"));
    o.set("axis", Vec3(1, 2, 3));
    o.set("weights", std::vector<double>{0.5, 0.5});
    o.set("A", std::vector<std::vector<double>>{{1}, {2, 3}});
    o.set("names", std::vector<std::string>{"a", "b"});
    o.set("absent", OptionValue{});
    return o;
}

} // namespace

TEST(Options, ReturnEveryTypeAsItWasSet)
{
    const Options o = sample();
    EXPECT_EQ(o.real("length"), 2.5);
    EXPECT_EQ(o.integer("count"), 7);
    EXPECT_TRUE(o.flag("on"));
    EXPECT_EQ(o.text("kind"), "fast");
    EXPECT_EQ(o.vec3("axis"), Vec3(1, 2, 3));
    EXPECT_EQ(o.reals("weights"), (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(o.table("A"), (std::vector<std::vector<double>>{{1}, {2, 3}}));
    EXPECT_EQ(o.texts("names"), (std::vector<std::string>{"a", "b"}));
}

TEST(Options, HasIsFalseForUnknownNamesAndForOptionalOnesThatWereNotGiven)
{
    const Options o = sample();
    EXPECT_TRUE(o.has("length"));
    EXPECT_FALSE(o.has("absent"));
    EXPECT_FALSE(o.has("lenght"));
}

TEST(Options, SettingAgainReplaces)
{
    Options o = sample();
    o.set("length", 1.0);
    EXPECT_EQ(o.real("length"), 1.0);
    EXPECT_EQ(o.all().size(), sample().all().size());
}

TEST(Options, ReadingAnUnlistedOptionOrAnotherTypeIsAProgrammerError)
{
    const Options o = sample();
    EXPECT_THROW(o.real("lenght"), std::logic_error);
    EXPECT_THROW(o.real("count"), std::logic_error);
    EXPECT_THROW(o.vec3("weights"), std::logic_error);
    EXPECT_THROW(o.real("absent"), std::logic_error);
    try {
        o.integer("length");
        FAIL() << "no exception";
    } catch (const std::logic_error& e) {
        EXPECT_NE(std::string(e.what()).find("'length'"), std::string::npos);
    }
}

TEST(Defaults, HoldTheFallbackOfEverySpec)
{
    const Options o
        = defaults({{.name = "beta", .fallback = 0.25}, {.name = "c", .type = OptionType::reals, .optional = true}});
    EXPECT_EQ(o.real("beta"), 0.25);
    EXPECT_FALSE(o.has("c"));
    EXPECT_EQ(o.all().size(), 2u);
}

TEST(NumberRange, ComesFromTheOptionAndWhereItIsSilentFromItsUnit)
{
    const auto same = [](const NumberRange& a, const NumberRange& b) {
        return a.least == b.least && a.most == b.most && a.least_open == b.least_open && a.most_open == b.most_open;
    };
    EXPECT_TRUE(same(number_range({.name = "a", .unit = "m"}), {-1e9, 1e9}));
    EXPECT_TRUE(same(number_range({.name = "a", .unit = "m", .least = 0}), {0, 1e9}));
    EXPECT_TRUE(same(number_range({.name = "a", .unit = "m", .least = 0, .least_open = true}), {1e-9, 1e9}));
    EXPECT_TRUE(same(number_range({.name = "a", .least = -1, .most = 0.5, .least_open = true, .most_open = true}),
        {-1, 0.5, true, true}));
    EXPECT_TRUE(same(number_range({.name = "a", .type = OptionType::integer, .least = 4}), {4, 2147483647}));
    EXPECT_THROW(number_range({.name = "a", .unit = "furlong"}), std::logic_error);
}

TEST(NumberRange, HoldsItsEndsUnlessTheyAreOpen)
{
    const NumberRange closed{0, 1}, open{0, 1, true, true};
    for (const double end : {0.0, 1.0}) {
        EXPECT_TRUE(closed.hold(end));
        EXPECT_FALSE(open.hold(end));
    }
    EXPECT_FALSE(closed.hold(std::nan("")));
    EXPECT_FALSE(closed.hold(-5e-324));
    EXPECT_FALSE(closed.hold(std::nextafter(1.0, 2.0)));
}

TEST(Allowed, SaysTypeBoundsAndUnit)
{
    EXPECT_EQ(allowed({.name = "a"}), "a number >= -1e+09 and <= 1e+09");
    EXPECT_EQ(allowed({.name = "a", .unit = "Pa", .least = 0}), "a number >= 0 and <= 1e+15 [Pa]");
    EXPECT_EQ(allowed({.name = "a", .unit = "kg/m^3", .least = 0, .least_open = true}),
        "a number >= 1e-06 and <= 1e+09 [kg/m^3]");
    EXPECT_EQ(allowed({.name = "a", .least = 0, .most = 0.5, .most_open = true}), "a number >= 0 and < 0.5");
    EXPECT_EQ(allowed({.name = "a", .most = 3}), "a number >= -1e+09 and <= 3");
    EXPECT_EQ(allowed({.name = "a", .type = OptionType::integer, .least = 1}), "a whole number >= 1 and <= 2147483647");
    EXPECT_EQ(allowed({.name = "a", .type = OptionType::vec3, .unit = "m"}),
        "three numbers [x, y, z] >= -1e+09 and <= 1e+09 [m]");
    EXPECT_EQ(allowed({.name = "a", .type = OptionType::flag}), "true or false");
    EXPECT_EQ(allowed({.name = "a", .type = OptionType::choice, .choices = {"wolfe", "none"}}), "one of wolfe, none");
}

TEST(Closest, FindsTheIntendedWord)
{
    const std::vector<std::string> names{"implicit-euler", "implicit-midpoint", "newmark", "bdf2", "sdirk2", "rk4"};
    EXPECT_EQ(closest("implict-euler", names), "implicit-euler"); // a letter lost
    EXPECT_EQ(closest("implicit_midpoint", names), "implicit-midpoint"); // a letter changed
    EXPECT_EQ(closest("newmarkk", names), "newmark"); // a letter too many
    EXPECT_EQ(closest("dbf2", names), "bdf2"); // two letters swapped
    EXPECT_EQ(closest("rk4", names), "rk4");
}

TEST(Closest, PrefersTheNearerOfTwo)
{
    EXPECT_EQ(closest("densty", {"destiny", "density"}), "density");
    EXPECT_EQ(closest("densty", {"density", "destiny"}), "density");
}

TEST(Closest, IsSilentWhenNothingIsClose)
{
    EXPECT_EQ(closest("pendulum", {"implicit-euler", "rk4"}), "");
    EXPECT_EQ(closest("anything", {}), "");
    EXPECT_EQ(closest("abc", {"xyz"}), "");
    EXPECT_EQ(closest("fbx", {"obj", "ply"}), ""); // two letters of three
    EXPECT_EQ(closest("rnu", {"run", "rest"}), "run"); // but two that were swapped are one slip
}
