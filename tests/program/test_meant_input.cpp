#include "program/program.hpp"

/// Input that could be taken for something else than it says is refused.
namespace rubato {

namespace {

class MeantInput : public ProgramTest {
protected:
    /// One message with status 2 that says this, and no file.
    void expect_refused(const std::vector<std::string>& arguments, const std::string& says)
    {
        const ProgramResult result = run(arguments);
        EXPECT_EQ(result.status, 2) << says << ": " << result.out << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_NE(result.err.find(says), std::string::npos) << says << " in " << result.err;
        EXPECT_EQ(result.err.find("json.exception"), std::string::npos) << result.err;
        for (const char c : result.err)
            EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')) << result.err;
        EXPECT_TRUE(left_behind({"scene.json"}).empty());
    }
    void expect_refused_scene(const std::string& text, const std::string& says)
    {
        write("scene.json", text);
        for (const char* command : {"check", "run"}) expect_refused({command, "scene.json"}, says);
    }
    static std::string scene(const std::string& old, const std::string& replacement)
    {
        std::string text = program_scene;
        const auto at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        return text.replace(at, old.size(), replacement);
    }
};

} // namespace

TEST_F(MeantInput, TextBehindAZeroByteIsNotIgnored)
{
    const std::string zero(1, '\0');
    expect_refused_scene(program_scene + zero + "{\"bodies\": 3}", "scene.json:17: holds a zero byte");
    expect_refused_scene(scene("\"fixed\"", zero + "\"fixed\""), "scene.json:14: holds a zero byte");
    expect_refused_scene(zero, "scene.json:1: holds a zero byte");
}

TEST_F(MeantInput, NoFramesHidesNoMistakeOfTheOutput)
{
    for (const auto& [value, says] : {std::pair("-5", "output.frames_per_second = -5: must be"),
             std::pair("\"many\"", "output.frames_per_second = \"many\": must be")}) {
        write("scene.json", scene("\"frames_per_second\": 10", std::string("\"frames_per_second\": ") + value));
        expect_refused({"run", "scene.json", "--no-frames"}, says);
    }
    write("scene.json", scene("\"frames_per_second\"", "\"frames_per_secnd\""));
    expect_refused({"run", "scene.json", "--no-frames"}, "output.frames_per_secnd = 10: unknown key");
    write("scene.json", scene("\"output\": {", "\"output\": \"none\", \"expect\": {"));
    const ProgramResult result = run({"run", "scene.json", "--no-frames"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("output = \"none\": must be an object"), std::string::npos) << result.err;
}

TEST_F(MeantInput, APathOfSetIsWrittenAsItIsDocumented)
{
    write("scene.json", program_scene);
    for (const auto& [path, says] : {std::pair("bodies[0]density", "a '.' is missing after a ']'"),
             std::pair("bodies.[0].density", "empty key"), std::pair("bodies..density", "empty key"),
             std::pair(".time.step", "empty key"), std::pair("[0].density", "bad list index"),
             std::pair("bodies[0].", "does not end in a key"), std::pair("bodies[0", "bad list index")}) {
        expect_refused({"run", "scene.json", "--set", std::string(path) + "=1"}, says);
    }
    EXPECT_EQ(run({"check", "scene.json", "--set", "bodies[0].density=1"}).status, 0);
}

TEST_F(MeantInput, AnEmptyValueIsNotTheDefault)
{
    write("scene.json", program_scene);
    for (const std::string option : {"--out", "--integrator", "--dt", "--duration"}) {
        expect_refused({"run", "scene.json", option, ""}, option + ": must not be empty");
        expect_refused({"run", "scene.json", option + "="}, option + ": must not be empty");
    }
    expect_refused({"run", ""}, "must not be empty");
    expect_refused({"mesh", "ball", "-o", ""}, "must not be empty");
    expect_refused({"analyze", "stability", "--out", ""}, "--out: must not be empty");
    EXPECT_EQ(run({"check", "scene.json", "--set", "summary="}).status, 0) << "this one is a text that may be empty";
}

TEST_F(MeantInput, AnIntegratorIsAName)
{
    write("scene.json", program_scene);
    expect_refused(
        {"run", "scene.json", "--integrator", "newmark\", \"beta\": \"1/3"}, "--integrator: integrator.type = ");
}

TEST_F(MeantInput, AFolderThatIsNotThereIsNotMadeToClimbOutOfIt)
{
    write("scene.json", program_scene);
    expect_refused(
        {"run", "scene.json", "--out", "nope/../x"}, "--out: nope/../x: leads through nope, which is no folder");
    expect_refused({"rest", "scene.json", "--out", "nope/deep/../../x"}, "leads through nope/deep");
    expect_refused({"analyze", "stability", "--integrators", "bdf2", "--out", "nope/../x"}, "leads through nope");
    expect_refused({"reproduce", "table-2", "--out", "nope/../x"}, "leads through nope");
}

TEST_F(MeantInput, AWholeNumberThatIsTooLargeIsToldSo)
{
    for (const char* number : {"2147483648", "4294967296", "1e12"}) {
        expect_refused_scene(scene("\"checkpoint_every\": 5", std::string("\"checkpoint_every\": ") + number),
            "must be a whole number >= 0 and <= 2147483647");
    }
}

TEST_F(MeantInput, WhatAFileHoldsDoesNotReachTheTerminalAsItIs)
{
    expect_refused_scene(
        scene("\"density\"", "\"\\u001b[2Jx\\nrubato: fine\": 1, \"density\""), "\\x1b[2Jx\\nrubato: fine");
    expect_refused_scene(scene("\"density\"",
                             "\"\x7f\xc2\x9b"
                             "2J\": 1, \"density\""),
        "\\x7f\\u009b2J");
    expect_refused_scene(scene("\"density\"", "\"\x1b[2J\""), "not valid JSON");
    expect_refused_scene(scene("\"density\"", "\"\xff\""), "not valid JSON");
    expect_refused_scene(scene("\"name\": \"small\"", "\"name\": \"\\u202egnp.x\""), "\\u202egnp.x");
    write("scene.json", program_scene);
    expect_refused({"run", "scene.json", "--\x1b[2J"}, "unknown argument --\\x1b[2J");
    expect_refused({"\x1b[2J"}, "unknown command '\\x1b[2J'");
    expect_refused({"run", "scene.json", "--set", "summary=\xff"}, "--set: summary = \\xff: must be text in UTF-8");
    // What is no mistake is shown as well.
    write("scene.json", scene("\"block\"", "\"\\u001b[2J\""));
    const ProgramResult checked = run({"check", "scene.json"});
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_NE(checked.out.find("body '\\x1b[2J'"), std::string::npos) << checked.out;
}

TEST_F(MeantInput, PathsCannotControlTheTerminal)
{
    write("scene.json", program_scene);
    const auto controls = [](const std::string& text) {
        return std::count_if(
            text.begin(), text.end(), [](char c) { return c != '\n' && (c == '\x7f' || (c >= 0 && c < ' ')); });
    };
    const std::vector<std::vector<std::string>> commands{{"run", "scene.json", "--out", "r\x1b[2J"},
        {"export", "r\x1b[2J", "--to", "obj,vtu", "-o", "e\x01\x7f"}, {"report", "r\x1b[2J", "-o", "p\x1b.html"},
        {"thumbnail", "r\x1b[2J", "-o", "t\x1b.png"},
        {"mesh", "ball", "--nodes", "50", "-o", "m\x1b.msh", "--scene", "s\x1b.json"}};
    for (const std::vector<std::string>& words : commands) {
        const ProgramResult result = run(words);
        EXPECT_EQ(result.status, 0) << words[0] << ": " << result.err;
        EXPECT_EQ(controls(result.out) + controls(result.err), 0) << words[0] << ": " << result.out << result.err;
    }
}

TEST_F(MeantInput, ASummaryThatIsNoneIsToldInPlainWords)
{
    write("r/scene.json", program_scene);
    write("r/stats.csv", "step,time\n0,0\n");
    for (const char* text : {"{\"status\": 7}", "[", "3", ""}) {
        write("r/summary.json", text);
        const ProgramResult result = run({"report", "r"});
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.err.find("json.exception"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("summary"), std::string::npos) << result.err;
    }
}

TEST_F(MeantInput, WhatIsNoNumberIsInNoRange)
{
    for (const char* number : {"nan", "inf", "1e999"}) {
        expect_refused({"mesh", "ball", "--grading", number}, "--grading: ");
        expect_refused({"export", "r", "--to", "obj", "--from", number}, "--from: must be a finite number");
        expect_refused({"render", "r", "-o", "a.png", "--speed", number}, "--speed: ");
        expect_refused(
            {"render", "r", "-o", "a.png", "--times", std::string("0,") + number}, "--times: must be a finite");
    }
    // Steps without end.
    expect_refused({"analyze", "convergence", "lab:oscillator", "--dt", "1e-300"}, "--dt: 1e-300: must be");
    expect_refused(
        {"analyze", "convergence", "lab:oscillator", "--dt", "1e-12", "--duration", "1e9"}, "at most 1e+09 steps");
    expect_refused({"analyze", "stability", "--from", "0"}, "--from: 0: must be a number >= 1e-09");
}

TEST_F(MeantInput, AnEdgeThatNoBodyHasIsRefusedWithItsRange)
{
    for (const char* edge : {"1e-300", "0", "-1", "1e10", "nan", "inf"})
        expect_refused({"mesh", "ball", "--edge", edge}, "must be a number >= 1e-09 and <= 1e+09 [m]");
    const ProgramResult fine = run({"mesh", "ball", "--edge", "1e-9"});
    EXPECT_EQ(fine.status, 2);
    EXPECT_EQ(fine.err.find("inf"), std::string::npos) << fine.err;
}

/// Numbers beyond anything physical: `run` moved nothing, or failed without a word of the field.
TEST_F(MeantInput, NumbersBeyondPhysicsAreRefusedWithTheirField)
{
    const struct {
        const char *path, *value, *says;
    } cases[] = {
        {"gravity", "[0, -1e200, 0]",
            "gravity = [0,-1e+200,0]: must be three numbers [x, y, z] >= -1e+06 and <= 1e+06 [m/s^2]"},
        {"bodies[0].material.young", "1e308", "young = 1e+308: must be a number >= 0.001 and <= 1e+15 [Pa]"},
        {"bodies[0].density", "1e308", "density = 1e+308: must be a number >= 1e-06 and <= 1e+09 [kg/m^3]"},
        {"bodies[0].density", "1e-300", "density = 1e-300: must be"},
        {"obstacles", R"([{"type": "sphere", "center": [0, -1e308, 0], "radius": 1}])", "obstacles[0].center"},
        {"time.step", "1e-300", "time.step = 1e-300: must be"},
    };
    write("scene.json", program_scene);
    for (const auto& c : cases) {
        for (const char* command : {"check", "run", "rest"})
            expect_refused({command, "scene.json", "--set", std::string(c.path) + "=" + c.value}, c.says);
    }
}

} // namespace rubato
