#include "program.hpp"

#include <regex>

/// What the program says of energy targets: their ground level, and how well they were met.
namespace rubato {

namespace {

/// The block that swings, under a method that aims at a target.
std::string aiming(const std::string& energy, const std::string& more = "")
{
    return with(program_scene, R"("integrator": "implicit-euler",)",
        R"("integrator": "a-search", "energy": )" + energy + "," + more);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_F(ProgramTest, CheckFindsThatNothingHoldsABodyAsRunDoes)
{
    const std::string loose = with(
        aiming(R"({"type": "decay", "tau": 0.1})"), R"("fixed": [{"nodes": {"type": "group", "name": "x_min"}}],)", "");
    write("loose.json", loose);
    const ProgramResult check = run({"check", "loose.json"}), ran = run({"run", "loose.json"});
    EXPECT_EQ(check.status, 2);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(check.err, ran.err) << "one says what the other does";
    EXPECT_EQ(check.error_lines(), 1) << check.err;
    EXPECT_TRUE(has(check.err, "loose.json:") && has(check.err, "energy.ground: is not given")) << check.err;
    EXPECT_TRUE(has(check.err, "nothing stops body 'block'")) << check.err;
    EXPECT_TRUE(has(check.err, "hold some of its nodes")) << check.err;
    EXPECT_TRUE(left_behind({"loose.json"}).empty());
    EXPECT_EQ(run({"check", "loose.json", "--no-ground"}).status, 0);
}

TEST_F(ProgramTest, CheckTellsTheGroundLevelAndWhatItTook)
{
    write("scene.json", aiming(R"({"type": "decay", "tau": 0.1})"));
    const ProgramResult found = run({"check", "scene.json"});
    EXPECT_EQ(found.status, 0) << found.err;
    EXPECT_TRUE(has(found.out, "J (equilibrium), found in ")) << found.out;
    EXPECT_FALSE(has(run({"check", "scene.json", "--no-ground"}).out, "ground level"));
}

TEST_F(ProgramTest, AnEnergyThatStaysAboveItsTargetIsToldWhileItRunsAndAtTheEnd)
{
    // Nothing has as little energy as this ground level.
    write("scene.json", aiming(R"({"type": "decay", "tau": 0.05, "ground": -100})"));
    const ProgramResult result = run({"run", "scene.json", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "the energy does not follow its target")) << result.out;
    EXPECT_LT(result.out.find("does not follow its target"), result.out.find("done:")) << "while it runs";
    EXPECT_TRUE(has(result.out, "%) above its target")) << result.out;
    EXPECT_TRUE(has(result.out, "alpha is at alpha_min")) << result.out;
    const std::string summary = read("out/summary.json");
    EXPECT_TRUE(has(summary, "\"away\"") && has(summary, "\"ground_kind\": \"given\"")) << summary;
    const ProgramResult report = run({"report", "out", "-o", "page.html"});
    ASSERT_EQ(report.status, 0) << report.err;
    EXPECT_TRUE(has(read("page.html"), "alpha is at alpha_min"));
}

TEST_F(ProgramTest, WhatFallsBelowItsGroundLevelIsToldAlthoughTheTargetIsMet)
{
    const std::string loose = with(aiming(R"({"type": "hold", "ground": 0})", R"("gravity_zero": [0, 0, 0],)"),
        R"("fixed": [{"nodes": {"type": "group", "name": "x_min"}}],)", "");
    write("loose.json", loose);
    const ProgramResult result = run({"run", "loose.json", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "below the ground level: something falls")) << result.out;
    EXPECT_TRUE(has(read("out/summary.json"), "\"below_ground\""));
}

TEST_F(ProgramTest, WhatWasToldBeforeARunStoppedIsNotToldAgainAsNew)
{
    write("sinks.json",
        with(aiming(R"({"type": "hold", "ground": 0})", R"("gravity_zero": [0, 0, 0],)"),
            R"("fixed": [{"nodes": {"type": "group", "name": "x_min"}}],)", ""));
    write("stays.json", aiming(R"({"type": "decay", "tau": 0.05, "ground": -100})"));
    for (const auto& [scene, note] : {std::pair("sinks", ": the potential energy is below the ground level"),
             std::pair("stays", "the energy does not follow its target")}) {
        const pid_t child = start({"run", std::string(scene) + ".json", "--out", scene, "--duration", "10"});
        while (!has(read(".out"), note) && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(1000);
        ::kill(child, SIGINT);
        const ProgramResult stopped = finish(child);
        ASSERT_EQ(stopped.status, 130) << stopped.out << stopped.err;
        EXPECT_TRUE(has(stopped.out, note)) << stopped.out;
        const ProgramResult resumed = run({"resume", scene});
        ASSERT_EQ(resumed.status, 0) << resumed.err;
        EXPECT_TRUE(has(resumed.out, "going on after step")) << resumed.out;
        EXPECT_FALSE(has(resumed.out, note)) << resumed.out;
    }
}

TEST_F(ProgramTest, AnEnergyThatFollowsItsTargetIsNotWarnedOf)
{
    write("scene.json", aiming(R"({"type": "hold"})"));
    const ProgramResult result = run({"run", "scene.json", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_FALSE(has(result.out, "does not follow")) << result.out;
    EXPECT_FALSE(has(read("out/summary.json"), "\"away\""));
}

TEST_F(ProgramTest, EnergyBelowAGroundLevelIsNoNegativeShare)
{
    write("scene.json", aiming(R"({"type": "hold", "ground": 2.3})"));
    const ProgramResult compared = run(
        {"compare", "scene.json", "--integrators", "implicit-euler,a-search", "--same-step-only", "--out", "both"});
    ASSERT_EQ(compared.status, 0) << compared.err;
    EXPECT_TRUE(has(compared.out, " below ")) << compared.out;
    const std::string page = read("both/report.html");
    const std::string cards = page.substr(page.find("class=\"cards\""), 3000);
    EXPECT_TRUE(has(cards, "the ground level of the scene after")) << cards;
    EXPECT_FALSE(std::regex_search(page + compared.out, std::regex("-[0-9.]+ ?(&nbsp;)? ?%"))) << cards;
}

} // namespace rubato
