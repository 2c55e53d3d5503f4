#include "program/program.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

/// Whole runs of the program: what they write, how they end, how they go on.
namespace rubato {

namespace {

std::vector<std::string> integrator_names(const std::string& overview)
{
    std::vector<std::string> names;
    std::istringstream in(overview.substr(overview.find("integrators:")));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line) && line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    return names;
}

/// The scene with its box replaced by a mesh file, held at its first node.
std::string scene_with_mesh(const std::string& path)
{
    std::string text = program_scene;
    const std::string box = R"({"type": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]})";
    text.replace(text.find(box), box.size(), R"({"type": "file", "path": ")" + path + "\"}");
    const std::string fixed = R"({"type": "group", "name": "x_min"})";
    return text.replace(text.find(fixed), fixed.size(), R"({"type": "node", "index": 0})");
}

/// One tetrahedron with its top at the given height, or two of them that share a face.
std::string tetrahedra(const std::string& top_z, bool two = false)
{
    return std::string("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n") + (two ? "5" : "4")
        + "\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 " + top_z + "\n" + (two ? "5 1 1 1\n" : "") + "$EndNodes\n$Elements\n"
        + (two ? "2" : "1") + "\n1 4 2 0 1 1 2 3 4\n" + (two ? "2 4 2 0 1 2 5 3 4\n" : "") + "$EndElements\n";
}

/// Lengths of the steps in a stats.csv [s], as text.
std::vector<std::string> step_lengths(const std::string& csv)
{
    std::vector<std::string> lengths;
    std::istringstream in(csv);
    std::string line, cell;
    for (int row = 0; std::getline(in, line); ++row) {
        if (row < 2) continue; // the header and the start
        std::istringstream cells(line);
        for (int i = 0; i < 3; ++i) std::getline(cells, cell, ',');
        lengths.push_back(cell);
    }
    return lengths;
}

std::size_t row_count(const std::string& csv)
{
    return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
}

/// Whether a run, told by the size of its frames, has done a third of what the whole run did.
bool frames_are_underway(const fs::path& whole, const fs::path& run)
{
    std::error_code error;
    const auto size = fs::file_size(run / "frames.rbt", error);
    return !error && 3 * size > fs::file_size(whole / "frames.rbt");
}

} // namespace

TEST_F(ProgramTest, ARunLeavesEverythingItPromises)
{
    write("scene.json", program_scene);
    const ProgramResult result = run({"run", "scene.json"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const std::string directory = "runs/small-implicit-euler/";
    for (const char* file : {"scene.json", "stats.csv", "summary.json", "energy.svg", "frames.rbt", "checkpoint.bin"}) {
        EXPECT_TRUE(exists(directory + file)) << file;
    }
    EXPECT_EQ(row_count(read(directory + "stats.csv")), 1u + 1 + 30);
    EXPECT_NE(result.out.find("runs/small-implicit-euler"), std::string::npos);
    EXPECT_NE(result.out.find("energy.svg"), std::string::npos);

    // The next run does not touch this one.
    EXPECT_EQ(run({"run", "scene.json", "--no-frames"}).status, 0);
    EXPECT_TRUE(exists("runs/small-implicit-euler-2/stats.csv"));
    EXPECT_FALSE(exists("runs/small-implicit-euler-2/frames.rbt"));
    EXPECT_EQ(without_wall(read(directory + "stats.csv")), without_wall(read("runs/small-implicit-euler-2/stats.csv")));
}

TEST_F(ProgramTest, TheWrittenSceneRunsTheSame)
{
    write("scene.json", program_scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "a", "--set", "bodies[0].material.young=2e5"}).status, 0);
    ASSERT_EQ(run({"run", "a/scene.json", "--out", "b"}).status, 0);
    EXPECT_EQ(read("a/scene.json"), read("b/scene.json"));
    EXPECT_EQ(without_wall(read("a/stats.csv")), without_wall(read("b/stats.csv")));
    EXPECT_TRUE(read("a/frames.rbt") == read("b/frames.rbt"));
}

TEST_F(ProgramTest, ARunKeepsACopyOfItsMesh)
{
    write("there/scene.json", scene_with_mesh("meshes/one.msh"));
    write("there/meshes/one.msh", tetrahedra("1"));
    ASSERT_EQ(run({"run", "there/scene.json", "--out", "a", "--set", "time.duration=0.1"}).status, 0);
    fs::remove_all(folder() / "there");
    const ProgramResult again = run({"run", "a/scene.json", "--out", "b"});
    ASSERT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(without_wall(read("a/stats.csv")), without_wall(read("b/stats.csv")));
}

TEST_F(ProgramTest, AChangedMeshIsNotResumed)
{
    write("scene.json", scene_with_mesh("one.msh"));
    write("one.msh", tetrahedra("1"));
    for (const char* integrator : {"implicit-euler", "bdf2", "newmark"}) {
        SCOPED_TRACE(integrator);
        ASSERT_EQ(run({"run", "scene.json", "--out", "r", "--force", "--integrator", integrator}).status, 0);
        const std::string whole = read("r/stats.csv");
        for (const std::string& other : {tetrahedra("1", true), tetrahedra("1.01"), tetrahedra("1") + "\n"}) {
            write("r/meshes/0-one.msh", other);
            const ProgramResult result = run({"resume", "r"});
            EXPECT_EQ(result.status, 2) << result.out << result.err;
            EXPECT_EQ(result.error_lines(), 1) << result.err;
            EXPECT_NE(result.err.find("r/meshes/0-one.msh: was changed"), std::string::npos) << result.err;
            EXPECT_EQ(read("r/stats.csv"), whole);
        }
        write("r/meshes/0-one.msh", tetrahedra("1"));
        const ProgramResult result = run({"resume", "r"});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(read("r/summary.json").find("\"meshes/0-one.msh\""), std::string::npos);
    }
}

/// Every place where threads share work: assembly, factorisation, conjugate gradients, damping, stages, halved steps.
TEST_F(ProgramTest, OneAndTwoThreadsGiveTheSameBytes)
{
    write("scene.json", program_scene);
    const std::vector<std::string> rayleigh{"--set", R"(damping=[{"type": "rayleigh", "coefficient": 1e-3}])"};
    const std::vector<std::string> gradients{"--set", "solver.linear=conjugate-gradients"};
    const std::vector<std::string> none;
    const struct {
        const char* integrator;
        const std::vector<std::string>& solver;
        const std::vector<std::string>& damping;
    } cases[] = {
        {"implicit-euler", none, none},
        {"implicit-euler", gradients, none},
        {"bdf2", none, rayleigh},
        {"tr-bdf2", gradients, rayleigh},
        {"rk4", none, rayleigh},
    };
    int number = 0;
    for (const auto& c : cases) {
        const std::string name = std::to_string(++number) + "-";
        SCOPED_TRACE(name + c.integrator);
        for (const std::string threads : {"1", "2"}) {
            std::vector<std::string> arguments{"run", "scene.json", "--integrator", c.integrator, "--threads", threads,
                "--out", name + threads, "--set", "bodies[0].mesh.cells=[24, 6, 6]", "--set",
                "output.frames_per_second=1e4", "--dt", std::string(c.integrator) == "rk4" ? "1e-4" : "0.01",
                "--duration", std::string(c.integrator) == "rk4" ? "1e-3" : "0.05"};
            arguments.insert(arguments.end(), c.solver.begin(), c.solver.end());
            arguments.insert(arguments.end(), c.damping.begin(), c.damping.end());
            const ProgramResult result = run(arguments);
            ASSERT_EQ(result.status, 0) << result.err;
            EXPECT_NE(result.out.find(threads + " thread"), std::string::npos) << result.out;
        }
        EXPECT_GE(row_count(read(name + "1/stats.csv")), 7u);
        EXPECT_EQ(without_wall(read(name + "1/stats.csv")), without_wall(read(name + "2/stats.csv")));
        EXPECT_TRUE(read(name + "1/frames.rbt") == read(name + "2/frames.rbt"));
    }
}

TEST_F(ProgramTest, KilledAndResumedEndsInTheSameBytesForEveryIntegrator)
{
    const std::vector<std::string> integrators = integrator_names(run({"list"}).out);
    ASSERT_GT(integrators.size(), 8u);
    for (const std::string& integrator : integrators) {
        SCOPED_TRACE(integrator);
        // Explicit methods are stable at this step. The run is long enough to be killed in the middle of.
        std::string text = program_scene;
        const std::string time = R"("step": 0.01, "duration": 0.3)";
        text.replace(text.find(time), time.size(), R"("step": 1e-4, "duration": 0.05)");
        write("scene.json", text);
        const std::vector<std::string> arguments{"run", "scene.json", "--integrator", integrator, "--threads", "1",
            "--set", "output.frames_per_second=200", "--set", "output.checkpoint_every=12"};
        const auto with_out = [&](const std::string& out) {
            std::vector<std::string> all = arguments;
            all.insert(all.end(), {"--out", out});
            return all;
        };
        ASSERT_EQ(run(with_out(integrator + "-whole")).status, 0);

        // On a busy machine the run may be over before the signal arrives: then try again.
        const std::string killed = integrator + "-killed";
        ProgramResult death;
        for (int attempt = 0; attempt < 5 && death.status != -SIGKILL; ++attempt) {
            fs::remove_all(folder() / killed);
            const pid_t child = start(with_out(killed));
            for (int i = 0; i < 60000 && !frames_are_underway(folder() / (integrator + "-whole"), folder() / killed);
                 ++i) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
            kill(child, SIGKILL);
            death = finish(child);
        }
        ASSERT_EQ(death.status, -SIGKILL) << "the run ended before it could be killed";
        ASSERT_FALSE(exists(killed + "/summary.json"));

        const ProgramResult resumed = run({"resume", killed});
        ASSERT_EQ(resumed.status, 0) << resumed.err;
        EXPECT_NE(resumed.out.find("going on after step"), std::string::npos);
        const std::string whole_stats = without_wall(read(integrator + "-whole/stats.csv"));
        EXPECT_EQ(row_count(whole_stats), 502u);
        EXPECT_TRUE(whole_stats == without_wall(read(killed + "/stats.csv")));
        EXPECT_TRUE(read(integrator + "-whole/frames.rbt") == read(killed + "/frames.rbt"));
    }
}

/// Two Newton iterations do not do for the steps asked for, so most of them are halved, some several times.
TEST_F(ProgramTest, KilledAmongHalvedStepsAndResumedEndsInTheSameBytes)
{
    write("scene.json", program_scene);
    for (const std::string integrator : {"bdf2", "trapezoidal", "implicit-midpoint"}) {
        SCOPED_TRACE(integrator);
        const auto arguments = [&](const std::string& out) -> std::vector<std::string> {
            return {"run", "scene.json", "--integrator", integrator, "--threads", "1", "--dt", "0.02", "--duration",
                "1", "--set", R"(time.controller={"type": "halving", "recover_after": 12})", "--set",
                "solver.max_iterations=2", "--set", "solver.tolerance=1e-4", "--set",
                "bodies[0].velocity[0].velocity=[0, 3, 0]", "--set", "output.frames_per_second=50", "--set",
                "output.checkpoint_every=7", "--out", out};
        };
        const std::string whole = integrator + "-whole", killed = integrator + "-killed";
        const ProgramResult undisturbed = run(arguments(whole));
        ASSERT_EQ(undisturbed.status, 0) << undisturbed.err;

        ProgramResult death;
        for (int attempt = 0; attempt < 5 && death.status != -SIGKILL; ++attempt) {
            fs::remove_all(folder() / killed);
            const pid_t child = start(arguments(killed));
            for (int i = 0; i < 60000 && !frames_are_underway(folder() / whole, folder() / killed); ++i) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
            kill(child, SIGKILL);
            death = finish(child);
        }
        ASSERT_EQ(death.status, -SIGKILL) << "the run ended before it could be killed";
        const ProgramResult resumed = run({"resume", killed});
        ASSERT_EQ(resumed.status, 0) << resumed.err;

        std::vector<std::string> lengths = step_lengths(read(whole + "/stats.csv"));
        EXPECT_EQ(std::count(lengths.begin(), lengths.end(), "0.02"), 0) << "every step is a halved one";
        int changes = 0;
        for (std::size_t k = 1; k < lengths.size(); ++k) changes += lengths[k] != lengths[k - 1];
        EXPECT_GT(changes, 10) << "it halves and recovers, again and again";
        EXPECT_TRUE(without_wall(read(whole + "/stats.csv")) == without_wall(read(killed + "/stats.csv")));
        EXPECT_TRUE(read(whole + "/frames.rbt") == read(killed + "/frames.rbt"));
    }
}

TEST_F(ProgramTest, AStepLongerThanTheRunIsCutToIt)
{
    write("scene.json", program_scene);
    const ProgramResult result
        = run({"run", "scene.json", "--dt", "1e9", "--duration", "0.1", "--out", "r", "--threads", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(step_lengths(read("r/stats.csv")), (std::vector<std::string>{"0.1"}));
    EXPECT_NE(run({"check", "scene.json", "--dt", "1e9"}).out.find(" 1 step of 1e+09 s"), std::string::npos);
}

TEST_F(ProgramTest, AFileThatCannotBeWrittenGivesStatusThreeAndIsNamed)
{
    write("scene.json", scene_with_mesh("one.msh"));
    write("one.msh", tetrahedra("1"));
    ASSERT_EQ(run({"run", "scene.json", "--out", "r", "--duration", "0.01"}).status, 0);
    fs::remove(folder() / "r/meshes/0-one.msh");
    write("r/meshes/0-one.msh/mine", "keep me");
    const auto files = [&] { return std::distance(fs::recursive_directory_iterator(folder() / "r"), {}); };
    const auto before = files();
    const std::string table = read("r/stats.csv");
    const ProgramResult result = run({"run", "scene.json", "--out", "r", "--force"});
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    EXPECT_NE(result.err.find("r/meshes/0-one.msh: cannot be written"), std::string::npos) << result.err;
    EXPECT_EQ(read("r/meshes/0-one.msh/mine"), "keep me");
    EXPECT_EQ(files(), before) << "the earlier run is whole, and nothing else was left there";
    EXPECT_EQ(read("r/stats.csv"), table);
}

TEST_F(ProgramTest, AnInterruptedRunSaysHowToGoOn)
{
    write("scene.json", program_scene);
    const std::vector<std::string> arguments{
        "run", "scene.json", "--dt", "1e-4", "--duration", "0.1", "--threads", "1"};
    for (const int signal : {SIGINT, SIGTERM}) {
        const std::string out = "run-" + std::to_string(signal);
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {"--out", out});
        const pid_t child = start(all);
        for (int i = 0; i < 60000 && !exists(out + "/checkpoint.prev.bin"); ++i) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        kill(child, signal);
        const ProgramResult stopped = finish(child);
        EXPECT_EQ(stopped.status, 130) << stopped.err;
        EXPECT_NE(stopped.err.find(RUBATO_PROGRAM " resume " + out), std::string::npos) << stopped.err;
        const ProgramResult resumed = run({"resume", out});
        EXPECT_EQ(resumed.status, 0) << resumed.err;
        EXPECT_EQ(row_count(read(out + "/stats.csv")), 1002u);
    }
    EXPECT_EQ(without_wall(read("run-2/stats.csv")), without_wall(read("run-15/stats.csv")));
}

TEST_F(ProgramTest, ARunThatCannotGoOnLeavesTheLastGoodStateAndStatusThree)
{
    write("scene.json", program_scene);
    const ProgramResult result
        = run({"run", "scene.json", "--integrator", "forward-euler", "--dt", "0.02", "--duration", "10", "--out", "r"});
    EXPECT_EQ(result.status, 3) << result.out << result.err;
    EXPECT_NE(result.err.find("step "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("Try "), std::string::npos) << result.err;
    for (const char* file : {"r/checkpoint.bin", "r/stats.csv", "r/summary.json", "r/frames.rbt"}) {
        EXPECT_TRUE(exists(file)) << file;
    }
    EXPECT_GE(row_count(read("r/stats.csv")), 2u);
}

TEST_F(ProgramTest, OneNewtonIterationIsNotEnoughAndSaysSo)
{
    write("scene.json", program_scene);
    const ProgramResult result = run({"run", "scene.json", "--out", "r", "--set", "solver.max_iterations=1", "--set",
        "solver.tolerance=1e-12", "--dt", "0.05"});
    EXPECT_EQ(result.status, 3) << result.out << result.err;
    EXPECT_NE(result.err.find("step 1 "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("iteration"), std::string::npos) << result.err;
}

TEST_F(ProgramTest, WhereHalvingWasNotEnoughTheAdviceIsMoreHalvings)
{
    write("scene.json", program_scene);
    const std::vector<std::string> fails{"run", "scene.json", "--out", "r", "--force", "--set",
        "solver.max_iterations=1", "--set", "solver.tolerance=1e-12", "--dt", "0.05"};
    const std::string fixed = run(fails).err;
    EXPECT_NE(fixed.find("the halving step controller"), std::string::npos) << fixed;
    EXPECT_EQ(fixed.find("max_halvings"), std::string::npos) << fixed;

    std::vector<std::string> halving = fails;
    halving.insert(halving.end(), {"--set", R"(time.controller={"type": "halving", "max_halvings": 2})"});
    const std::string halved = run(halving).err;
    EXPECT_NE(halved.find("more halvings (time.controller.max_halvings)"), std::string::npos) << halved;
    EXPECT_EQ(halved.find("the halving step controller"), std::string::npos) << halved;
}

TEST_F(ProgramTest, AFinishedRunIsNotResumed)
{
    write("scene.json", program_scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "r"}).status, 0);
    const std::string stats = read("r/stats.csv"), summary = read("r/summary.json");
    const ProgramResult result = run({"resume", "r"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "already finished at t = 0.3 s; nothing to do\n");
    EXPECT_EQ(read("r/stats.csv"), stats);
    EXPECT_EQ(read("r/summary.json"), summary);
}

TEST_F(ProgramTest, EnergyOutOfNowhereIsNoted)
{
    write("scene.json", program_scene);
    const std::string note = "note: the total energy left its balance by ";
    // Unstable, and stopped long before anything overflows.
    const ProgramResult growing = run({"run", "scene.json", "--integrator", "forward-euler", "--duration", "0.1",
        "--set", "bodies[0].material.type=stable-neo-hookean", "--out", "a"});
    EXPECT_EQ(growing.status, 0) << growing.err;
    EXPECT_NE(growing.out.find(note), std::string::npos) << growing.out;
    const ProgramResult good = run({"run", "scene.json", "--out", "b"});
    EXPECT_EQ(good.out.find(note), std::string::npos) << good.out;
}

TEST_F(ProgramTest, ForceReplacesARun)
{
    write("scene.json", program_scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "r"}).status, 0);
    const std::size_t frames = read("r/frames.rbt").size();
    EXPECT_EQ(run({"run", "scene.json", "--out", "r"}).status, 2);
    EXPECT_EQ(run({"run", "scene.json", "--out", "r", "--force", "--duration", "0.1"}).status, 0);
    EXPECT_EQ(row_count(read("r/stats.csv")), 12u);
    EXPECT_LT(read("r/frames.rbt").size(), frames);
}

TEST_F(ProgramTest, AnEditedSceneIsNotResumed)
{
    write("scene.json", program_scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "r"}).status, 0);
    std::string text = read("r/scene.json");
    text.replace(text.find("1000.0"), 6, "2000.0");
    write("r/scene.json", text);
    const ProgramResult result = run({"resume", "r"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    EXPECT_NE(result.err.find("r/scene.json: was changed"), std::string::npos) << result.err;
}

TEST_F(ProgramTest, RestFindsTheShapeInWhichForcesBalance)
{
    write("scene.json", program_scene);
    const ProgramResult result = run({"rest", "scene.json", "--out", "r"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* file : {"r/rest.vtu", "r/rest.obj", "r/summary.json", "r/scene.json"}) {
        EXPECT_TRUE(exists(file)) << file;
    }
    EXPECT_NE(read("r/summary.json").find("\"balanced\": true"), std::string::npos);

    // Nothing holds it: it falls for ever.
    const ProgramResult falling = run({"rest", "scene.json", "--out", "f", "--set", "fixed=[]"});
    EXPECT_EQ(falling.status, 3) << falling.out;
    EXPECT_EQ(falling.error_lines(), 1) << falling.err;
}

TEST_F(ProgramTest, HelpAndVersionAreNotMistakes)
{
    EXPECT_EQ(run({"--version"}).status, 0);
    EXPECT_NE(run({"--version"}).out.find("rubato "), std::string::npos);
    const ProgramResult help = run({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* command : {"run", "scenes", "list", "check", "rest", "resume"}) {
        EXPECT_NE(help.out.find(command), std::string::npos) << command;
    }
    EXPECT_EQ(run({"run", "--help"}).status, 0);
    EXPECT_EQ(run({}).status, 2);
    EXPECT_NE(run({"scenes"}).out.find("hanging-bar"), std::string::npos);
}

TEST_F(ProgramTest, CheckSummarisesAGoodScene)
{
    write("scene.json", program_scene);
    const ProgramResult result = run({"check", "scene.json"});
    EXPECT_EQ(result.status, 0) << result.err;
    for (const char* text : {"OK: small", "20 nodes", "20 tetrahedra", "4 kg", "12 of them prescribed",
             "30 steps of 0.01 s\n", "from [-0.2, -0.05, -0.05] to [0.2, 0.05, 0.05] m",
             "node groups: surface, x_max, x_min", "fixed[0]: 4 nodes"}) {
        EXPECT_NE(result.out.find(text), std::string::npos) << text << " in " << result.out;
    }
    const std::string one = run({"check", "scene.json", "--dt", "1"}).out;
    EXPECT_NE(one.find("1 step of 1 s, the last shortened to 0.3 s"), std::string::npos) << one;
    EXPECT_TRUE(left_behind({"scene.json"}).empty());
}

} // namespace rubato
