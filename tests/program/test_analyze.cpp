#include "program/program.hpp"

/// The analyze commands, as a user calls them.
namespace rubato {

namespace {

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

} // namespace

TEST_F(ProgramTest, AnalyzeStabilityTellsOfEveryMethodAndWritesTableAndPlots)
{
    const ProgramResult result = run({"analyze", "stability", "--points", "29", "--out", "s"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const std::string rk4 = result.out.substr(result.out.find("\nrk4 "));
    EXPECT_NE(rk4.substr(0, rk4.find('\n', 1)).find(" from 8 "), std::string::npos) << result.out;
    for (const char* file : {"s/stability.csv", "s/radius.svg", "s/determinant.svg", "s/trace.svg"}) {
        EXPECT_TRUE(exists(file)) << file;
    }
    const std::string csv = read("s/stability.csv");
    EXPECT_EQ((lines(csv) - 1) % 29, 0);
    EXPECT_NE(csv.find("\nimplicit-euler,0.001,1,"), std::string::npos);
    EXPECT_EQ(csv.find(",nan"), std::string::npos);
}

TEST_F(ProgramTest, AnalyzeStabilityTakesOptionsOfMethods)
{
    const ProgramResult result
        = run({"analyze", "stability", "--integrators", "newmark:beta=0.3025:gamma=0.6,bdf2", "--out", "s"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(read("s/stability.csv").find("\nnewmark:beta=0.3025:gamma=0.6,"), std::string::npos);
}

TEST_F(ProgramTest, AnalyzeRefusesWrongInputWithStatusTwoAndLeavesNothing)
{
    write("scene.json", program_scene);
    const struct {
        std::vector<std::string> arguments;
        const char* says;
    } cases[] = {
        {{"analyze", "stability", "--integrators", "bdf3"}, "did you mean 'bdf2'?"},
        {{"analyze", "stability", "--integrators", "bdf2:order=3"}, "bdf2 has no option 'order'"},
        {{"analyze", "stability", "--integrators", "newmark:beta=-1"}, "'beta=-1' must be a number >= 1e-09 and <= 1"},
        {{"analyze", "stability", "--from", "0"}, "--from"},
        {{"analyze", "stability", "--from", "10", "--to", "1"}, "must be above --from"},
        {{"analyze", "stability", "--points", "1"}, "--points"},
        {{"analyze", "convergence", "lab:pendulum"}, "lab:oscillator"},
        {{"analyze", "convergence", "lab:oscillator", "--dt", "never"}, "--dt"},
        {{"analyze", "convergence", "lab:oscillator", "--set", "time.step=1"}, "nothing to set"},
        {{"analyze", "convergence", "no-such-scene"}, "no-such-scene"},
        {{"analyze", "convergence", "lab:cubic-spring", "--reference", "rk4,bdf2"}, "must be one integrator"},
        {{"analyze", "spectrum", "scene.json", "--modes", "49"}, "must be 1 to 48"},
        {{"analyze", "spectrum", "scene.json", "--integrator", "bdf3"}, "did you mean 'bdf2'?"},
        {{"analyze"}, "ubcommand"},
        {{"analyze", "noise"}, ""},
    };
    for (const auto& [arguments, says] : cases) {
        const ProgramResult result = run(arguments);
        EXPECT_EQ(result.status, 2) << arguments.back() << ": " << result.err;
        EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_TRUE(left_behind({"scene.json"}).empty()) << arguments.back();
    }
}

TEST_F(ProgramTest, AnalyzeSpectrumAddsTheModesToARun)
{
    write("scene.json", program_scene);
    const ProgramResult result
        = run({"analyze", "spectrum", "scene.json", "--modes", "5", "--duration", "0.1", "--out", "s"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(lines(read("s/modes.csv")), 6);
    EXPECT_EQ(lines(read("s/spectrum.csv")), 12) << "a header, the start and ten steps";
    EXPECT_EQ(read("s/spectrum.csv").substr(0, 12), "time,mode_1,");
    EXPECT_TRUE(exists("s/spectrum.svg"));
    EXPECT_TRUE(exists("s/stats.csv"));
}

TEST_F(ProgramTest, AnalyzeConvergenceMeasuresTheOrderOnASceneAndInTheLab)
{
    write("scene.json", program_scene);
    const ProgramResult scene = run({"analyze", "convergence", "scene.json", "--dt", "1/500", "--duration", "0.02",
        "--halvings", "2", "--integrators", "implicit-euler,implicit-midpoint", "--out", "s"});
    EXPECT_EQ(scene.status, 0) << scene.err;
    EXPECT_EQ(lines(read("s/convergence.csv")), 7);
    EXPECT_TRUE(exists("s/convergence.svg"));
    const ProgramResult lab = run({"analyze", "convergence", "lab:oscillator", "--integrators", "bdf2", "--out", "l"});
    EXPECT_EQ(lab.status, 0) << lab.err;
    EXPECT_NE(lab.out.find("reference: the closed form"), std::string::npos) << lab.out;
    EXPECT_EQ(lines(read("l/convergence.csv")), 6);
}

} // namespace rubato
