#include "integrators/catalog.hpp"
#include "scene/format.hpp"
#include "scene/sample.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

bool has_mistake(const std::vector<Mistake>& mistakes, const std::string& key, const std::string& says = "")
{
    return std::any_of(mistakes.begin(), mistakes.end(),
        [&](const Mistake& m) { return m.key == key && m.message.find(says) != std::string::npos; });
}

Value number(double n)
{
    Value v{.kind = Value::Kind::number};
    v.number = n;
    return v;
}

Value text(const std::string& s)
{
    Value v{.kind = Value::Kind::text};
    v.text = s;
    return v;
}

/// A value in the shape the option wants, made of the number n.
Value shaped(const OptionSpec& option, double n)
{
    Value list{.kind = Value::Kind::list};
    switch (option.type) {
    case OptionType::vec3: list.items = {number(n), number(n), number(n)}; return list;
    case OptionType::reals: list.items = {number(n)}; return list;
    case OptionType::table: {
        Value row{.kind = Value::Kind::list};
        row.items = {number(n)};
        list.items = {row};
        return list;
    }
    default: return number(n);
    }
}

/// Mistakes about one option of one object that holds nothing else.
std::vector<Mistake> about_option(
    const ObjectFamily& family, const ObjectSpec& spec, const OptionSpec& option, const Value& value)
{
    Document d;
    d.root.kind = Value::Kind::object;
    if (family.typed) d.root.members.emplace_back("type", text(spec.name));
    d.root.members.emplace_back(option.name, value);
    std::vector<Mistake> mistakes = mistakes_of([&] { validated(d, family); });
    std::erase_if(mistakes, [&](const Mistake& m) { return m.key != option.name; });
    return mistakes;
}

template <class Action>
void for_every_option(const Action& action)
{
    for (const ObjectFamily* family : families_below(scene_family())) {
        for (const ObjectSpec& spec : family->specs) {
            for (const OptionSpec& option : spec.options) {
                SCOPED_TRACE(family->name + "." + spec.name + "." + option.name);
                action(*family, spec, option);
            }
        }
    }
}

} // namespace

TEST(Validator, EveryNumberOfEveryCatalogHasARangeWhichIsEnforced)
{
    int numbers = 0;
    for_every_option([&](const ObjectFamily& family, const ObjectSpec& spec, const OptionSpec& option) {
        const bool whole = option.type == OptionType::integer;
        if (!whole && option.type != OptionType::real && option.type != OptionType::vec3
            && option.type != OptionType::reals && option.type != OptionType::table)
            return;
        ++numbers;
        const NumberRange range = number_range(option);
        EXPECT_TRUE(std::isfinite(range.least) && std::isfinite(range.most) && range.least < range.most);
        // Numbers that may stand alone may still not fit others of the object.
        const auto refused = [&](double n) {
            const auto mistakes = about_option(family, spec, option, shaped(option, n));
            return has_mistake(mistakes, option.name, "must be " + allowed(option));
        };
        EXPECT_TRUE(refused(whole ? range.least - 1 : std::nextafter(range.least, -OptionSpec::inf)));
        EXPECT_TRUE(refused(whole ? range.most + 1 : std::nextafter(range.most, OptionSpec::inf)));
        EXPECT_EQ(refused(range.least), range.least_open);
        EXPECT_EQ(refused(range.most), range.most_open);
    });
    EXPECT_GT(numbers, 150);
}

TEST(Validator, EveryOptionRefusesAnotherType)
{
    for_every_option([&](const ObjectFamily& family, const ObjectSpec& spec, const OptionSpec& option) {
        Value object{.kind = Value::Kind::object};
        EXPECT_EQ(about_option(family, spec, option, object).size(), 1u);
        EXPECT_EQ(about_option(family, spec, option, Value{}).size(), 1u);
        const bool is_text = option.type == OptionType::text;
        EXPECT_EQ(about_option(family, spec, option, text("no such thing")).empty(), is_text);
        if (option.type == OptionType::integer) {
            EXPECT_FALSE(about_option(family, spec, option, number(1.5)).empty());
            EXPECT_FALSE(about_option(family, spec, option, number(1e12)).empty());
        }
        if (option.type == OptionType::vec3) {
            Value two{.kind = Value::Kind::list};
            two.items = {number(1), number(2)};
            EXPECT_FALSE(about_option(family, spec, option, two).empty());
        }
    });
}

TEST(Validator, EveryRequiredOptionIsMissed)
{
    for_every_option([&](const ObjectFamily& family, const ObjectSpec& spec, const OptionSpec& option) {
        Document d;
        d.root.kind = Value::Kind::object;
        if (family.typed) d.root.members.emplace_back("type", text(spec.name));
        const bool required = std::holds_alternative<std::monostate>(option.fallback) && !option.optional;
        const auto mistakes = mistakes_of([&] { validated(d, family); });
        if (required) {
            EXPECT_TRUE(has_mistake(mistakes, option.name, "is missing"));
        }
    });
}

TEST(Validator, EveryDefaultIsItselfAllowed)
{
    for_every_option([&](const ObjectFamily&, const ObjectSpec&, const OptionSpec& option) {
        const auto fits = [&](double n) { return number_range(option).hold(n); };
        if (const auto* d = std::get_if<double>(&option.fallback)) {
            EXPECT_TRUE(fits(*d));
        }
        if (const auto* i = std::get_if<int>(&option.fallback)) {
            EXPECT_TRUE(fits(*i));
        }
        if (option.type == OptionType::choice && std::holds_alternative<std::monostate>(option.fallback)) {
            EXPECT_TRUE(option.optional) << option.name; // absent is no choice
        } else if (option.type == OptionType::choice) {
            const auto& fallback = std::get<std::string>(option.fallback);
            EXPECT_NE(std::find(option.choices.begin(), option.choices.end(), fallback), option.choices.end());
        }
    });
}

TEST(Validator, EveryOptionHasASummary)
{
    for_every_option([&](const ObjectFamily&, const ObjectSpec&, const OptionSpec& option) {
        EXPECT_FALSE(option.summary.empty());
    });
}

TEST(Validator, FindsManyMistakesInOnePassWithTheirLines)
{
    const std::string text = R"({
  "gravitty": [0, 0, 0],
  "time": {"step": -0.1, "duration": "long"},
  "integrator": "implicit-eular",
  "bodies": [
    {
      "mesh": {"type": "box", "size": [1, 1], "cells": [1, 1, 1]},
      "density": -5,
      "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.5}
    },
    {"mesh": {"type": "boxx"}, "material": 3}
  ],
  "fixed": [{"axes": "w", "nodes": {}}],
  "damping": {"type": "drag"}
}
)";
    const auto mistakes = mistakes_of([&] { scene_in(text); });
    const struct {
        const char* key;
        int line;
        const char* says;
    } expected[] = {
        {"gravitty", 2, "did you mean 'gravity'?"},
        {"time.step", 3, "must be a number >= 1e-12 and <= 1e+09 [s]"},
        {"time.duration", 3, "must be a number >= 1e-12 and <= 1e+09 [s]"},
        {"integrator", 4, "did you mean 'implicit-euler'?"},
        {"bodies[0].mesh.size", 7, "three numbers"},
        {"bodies[0].density", 8, "must be a number >= 1e-06 and <= 1e+09 [kg/m^3]"},
        {"bodies[0].material.poisson", 9, "< 0.5"},
        {"bodies[1].mesh.type", 11, "did you mean 'box'?"},
        {"bodies[1].material", 11, "must be an object"},
        {"fixed[0].axes", 13, "must be one of xyz"},
        {"fixed[0].nodes.type", 13, "is missing; must be one of all, box"},
        {"damping", 14, "must be a list"},
    };
    for (const auto& e : expected) {
        const auto at = std::find_if(
            mistakes.begin(), mistakes.end(), [&](const Mistake& m) { return m.key == e.key && m.line == e.line; });
        ASSERT_NE(at, mistakes.end()) << e.key;
        EXPECT_NE(at->message.find(e.says), std::string::npos) << at->text();
        EXPECT_EQ(at->file, "test.json");
    }
    EXPECT_EQ(mistakes.size(), std::size(expected));
}

TEST(Validator, MistakeNamesFileLineKeyValueAndWhatIsAllowed)
{
    const auto mistakes = mistakes_of([] { scene_in(with(small_scene, "1000", "-5")); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(
        mistakes[0].text(), "test.json:6: bodies[0].density = -5: must be a number >= 1e-06 and <= 1e+09 [kg/m^3]");
}

TEST(Validator, FractionsStandForAnyReal)
{
    const Scene scene = scene_in(with(small_scene, "\"duration\": 0.1", R"("duration": "3/4", "step": "1/30")"));
    EXPECT_EQ(scene.root.part("time").options.real("step"), 1.0 / 30);
    EXPECT_EQ(scene.root.part("time").options.real("duration"), 0.75);
    for (const char* bad : {"\"1/0\"", "\"1/\"", "\"/3\"", "\"1/2/3\"", "\"nan/1\"", "\"inf/1\"", "\"0x1/2\"", "\"2\"",
             "\"1e300/1e-300\"", "\" 1/2\""}) {
        EXPECT_EQ(mistakes_of([&] { scene_in(with(small_scene, "0.1", bad)); }).size(), 1u) << bad;
    }
}

TEST(Validator, ANumberInQuotesIsToldToDropThem)
{
    const struct {
        const char *old, *replacement;
        bool quoted;
    } cases[] = {
        {"\"density\": 1000", "\"density\": \"1000\"", true},
        {"1e5", "\"1e4\"", true},
        {"[0.2, 0.4, 0.6]", "[0.2, \"0.4\", 0.6]", true},
        {"\"density\": 1000", "\"density\": \"heavy\"", false},
        {"\"density\": 1000", "\"density\": -1000", false},
    };
    for (const auto& c : cases) {
        const auto mistakes = mistakes_of([&] { scene_in(with(small_scene, c.old, c.replacement)); });
        ASSERT_EQ(mistakes.size(), 1u) << c.replacement;
        EXPECT_EQ(mistakes[0].message.find("write it without quotes") != std::string::npos, c.quoted)
            << mistakes[0].text();
    }
}

TEST(Validator, OverridesGoThroughTheSameChecks)
{
    const Scene scene = scene_in(small_scene,
        {{"time.step", "1/100", "--dt"}, {"bodies[0].material.young", "2e5", "--set"},
            {"integrator", "bdf2", "--set"}});
    EXPECT_EQ(scene.root.part("time").options.real("step"), 0.01);
    EXPECT_EQ(scene.root.list("bodies")[0].part("material").options.real("young"), 2e5);
    EXPECT_EQ(scene.root.part("integrator").type, "bdf2");

    const auto bad = mistakes_of([] { scene_in(small_scene, {{"time.step", "-1", "--set"}}); });
    ASSERT_EQ(bad.size(), 1u);
    EXPECT_EQ(bad[0].text(), "--set: time.step = -1: must be a number >= 1e-12 and <= 1e+09 [s]");
    const auto unknown = mistakes_of([] { scene_in(small_scene, {{"time.stepp", "1", "--set"}}); });
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_EQ(unknown[0].text(), "--set: time.stepp = 1: unknown key; did you mean 'step'?");
}

TEST(Validator, BodyNeedsDensityOrMassAndNotBoth)
{
    EXPECT_TRUE(has_mistake(mistakes_of([] { scene_in(with(small_scene, "\"density\": 1000,", "")); }),
        "bodies[0].density", "density [kg/m^3] or mass [kg]"));
    EXPECT_TRUE(has_mistake(
        mistakes_of([] { scene_in(with(small_scene, "1000,", "1000, \"mass\": 1,")); }), "bodies[0].mass", "not both"));
}

TEST(Validator, OptionsThatDoNotFitTogetherAreFoundWhereTheyStand)
{
    const auto motion = [](const std::string& text) {
        return mistakes_of([&] {
            scene_in(with(small_scene, "\"fixed\"",
                "\"scripted\": [{\"nodes\": \"all\",\n \"motion\": " + text + "}],\n \"fixed\""));
        });
    };
    EXPECT_TRUE(
        has_mistake(motion(R"({"type": "rotation", "axis": [0, 0, 0], "rate": 1})"), "scripted[0].motion.axis"));
    EXPECT_TRUE(has_mistake(motion(R"({"type": "keyframes", "times": [0, 0], "displacements": [[0,0,0],[1,0,0]]})"),
        "scripted[0].motion.times", "ascending"));
    const auto count = motion(R"({"type": "keyframes", "times": [0, 1], "displacements": [[0,0,0]]})");
    ASSERT_EQ(count.size(), 1u);
    EXPECT_EQ(count[0].key, "scripted[0].motion.displacements");
    EXPECT_EQ(count[0].line, 11);
    EXPECT_TRUE(has_mistake(mistakes_of([] {
        scene_in(with(
            small_scene, "\"time\"", R"("integrator": {"type": "dirk", "A": [[1, 1], [0, 1]], "b": [0, 1]}, "time")"));
    }),
        "integrator.A[0][1]"));
}

TEST(Validator, NamesOfBodiesMustDiffer)
{
    const std::string two = with(full_scene, "\"name\": \"block\"", "\"name\": \"bar\"");
    EXPECT_TRUE(has_mistake(mistakes_of([&] { scene_in(two); }), "bodies[1].name", "another body"));
}

TEST(Scene, NameMustBeFitForADirectory)
{
    for (const char* bad : {"a/b", "", "..", "a b"}) {
        const std::string text = with(small_scene, "{", std::string("{\"name\": \"") + bad + "\",");
        EXPECT_TRUE(has_mistake(mistakes_of([&] { scene_in(text); }), "name")) << bad;
    }
    EXPECT_EQ(scene_in(small_scene).name(), "test");
}

TEST(Scene, WrittenOutAndReadAgainIsTheSame)
{
    for (const char* text : {full_scene, small_scene}) {
        const Scene once = scene_in(text);
        const Scene twice = scene_in(once.text());
        EXPECT_TRUE(once.root == twice.root);
        EXPECT_EQ(once.text(), twice.text());
    }
}

TEST(Scene, WrittenOutHasEveryDefault)
{
    const std::string text = scene_in(small_scene).text();
    for (const char* key : {"\"step\": 0.03333333333333333", "\"controller\": \"fixed\"", "\"max_iterations\"",
             "\"gravity\": [0.0,-9.8,0.0]", "\"checkpoint_every\"", "\"tetrahedra\": true", "\"picture\": true"}) {
        EXPECT_NE(text.find(key), std::string::npos) << key << " in\n" << text;
    }
}

TEST(Scene, DifferentScenesAreDifferent)
{
    EXPECT_FALSE(scene_in(small_scene).root == scene_in(with(small_scene, "1e5", "2e5")).root);
    EXPECT_FALSE(scene_in(small_scene).root == scene_in(with(small_scene, "y_max", "y_min")).root);
}

} // namespace rubato
