#include "bounded_run.hpp"

/// What takes more memory or time than there is has to be refused before it takes it.
namespace rubato {
namespace {

constexpr std::uint64_t gigabyte = 1'000'000'000;

using ResourcesTest = BoundedProgramTest;

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), with);
}

std::string scene_of(const std::string& cells, const std::string& copies = "")
{
    return replaced(replaced(program_scene, "\"cells\": [4, 1, 1]}", "\"cells\": " + cells + "}" + copies),
        R"("fixed": [{"nodes": {"type": "group", "name": "x_min"}}],)", "");
}

void expect_refused(const ProgramResult& result, const std::string& says)
{
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("of memory, and "), std::string::npos) << result.err;
}

TEST_F(ResourcesTest, MeshesThatDoNotFitAreRefusedBeforeTheyAreMade)
{
    const RunLimits limits{.memory = 8 * gigabyte};
    write("cells.json", scene_of("[150, 150, 150]"));
    expect_refused(
        run_within(limits, {"check", "cells.json"}), "bodies[0].mesh.cells = [150, 150, 150]: gives 16875000 ");
    expect_refused(
        run_within(limits, {"run", "cells.json"}), "bodies[0].mesh.cells = [150, 150, 150]: gives 16875000 ");
    write("copies.json",
        scene_of("[10, 10, 10]", R"(, "copies": {"type": "grid", "counts": [100, 10, 10], "spacing": [1, 1, 1]})"));
    expect_refused(run_within(limits, {"check", "copies.json"}), "bodies[0].copies = 10000: ");
    write("nodes.json",
        replaced(program_scene, R"({"type": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]})",
            R"({"type": "ball", "radius": 1, "nodes": 10000000})"));
    expect_refused(run_within(limits, {"check", "nodes.json"}), "bodies[0].mesh.nodes = 10000000: ");
    EXPECT_TRUE(left_behind({"cells.json", "copies.json", "nodes.json"}).empty());
}

TEST_F(ResourcesTest, BodiesThatDoNotFitAreRefusedBeforeMeshing)
{
    const RunLimits limits{.memory = 8 * gigabyte};
    expect_refused(run_within(limits, {"mesh", "ball", "--nodes", "19999999"}), "nodes = 19999999: is too many: ");
    expect_refused(run_within(limits, {"mesh", "ball", "--edge", "0.0006"}), "edge = 0.0006: is too short: ");
}

TEST_F(ResourcesTest, ThousandsOfCopiesInContactTakeLittleMemory)
{
    write("scene.json",
        replaced(scene_of("[1, 1, 1]", R"(, "copies": {"type": "grid", "counts": [25, 32, 20], "spacing": [1, 1, 1]})"),
            "\"output\"", R"("contact": {"friction": 0.5, "pairs": [{"between": ["block", "block-7"], "touch": false}]},
  "output")"));
    const ProgramResult result = run_within({.memory = 4 * gigabyte}, {"check", "scene.json"});
    EXPECT_EQ(result.status, 0) << result.err;
    // Of 16000 bodies each pair, itself included, less those of one of them.
    EXPECT_NE(result.out.find("friction 0.5 on 127992000 pairs"), std::string::npos) << result.out;
}

TEST_F(ResourcesTest, AMillionMistakesAreTakenInAtOnceAndCounted)
{
    std::string keys;
    for (int i = 0; i < 1'000'000; ++i) keys += "\"k" + std::to_string(i) + "\":1,\n";
    write("scene.json", replaced(program_scene, "\"name\": \"small\",", keys + "\"name\": \"small\","));
    const ProgramResult result = run_within({.seconds = 60}, {"check", "scene.json"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.error_lines(), 51) << result.err.substr(0, 1000);
    EXPECT_NE(result.err.find("scene.json: and 999950 more mistakes\n"), std::string::npos);
}

TEST_F(ResourcesTest, LargeFilesOfHolesAreNotReadIntoMemory)
{
    write("scene.json", "{");
    fs::resize_file(folder() / "scene.json", std::uintmax_t{1} << 36);
    const ProgramResult result = run_within({.memory = 4 * gigabyte}, {"check", "scene.json"});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    EXPECT_NE(result.err.find("scene.json: has 68719476736 bytes; at most"), std::string::npos) << result.err;
}

} // namespace
} // namespace rubato
