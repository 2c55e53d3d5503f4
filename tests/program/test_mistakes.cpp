#include "program/program.hpp"

#include <algorithm>

/// Whatever a user can get wrong gives one clear message, exit status 2, and leaves nothing behind.
namespace rubato {

namespace {

/// A tetrahedron in Gmsh's format 2.2; `last` is the z of its top.
std::string msh(const std::string& top_z, const std::string& corners = "1 2 3 4")
{
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 " + top_z
        + "\n$EndNodes\n$Elements\n1\n1 4 2 0 1 " + corners + "\n$EndElements\n";
}

const char* const from_file = R"({"type": "file", "path": "body.msh"})";
const char* const box = R"({"type": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]})";
const char* const fixed = R"([{"nodes": {"type": "group", "name": "x_min"}}])";

struct Case {
    const char* name;
    const char* old;
    const char* replacement;
    std::vector<const char*> says; ///< all of these in the message
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SceneMistake : public ProgramTest, public testing::WithParamInterface<Case> { };

const Case cases[] = {
    {"negative_density", "1000", "-5", {"scene.json:9:", "bodies[0].density = -5", ">= 1e-06 and <= 1e+09 [kg/m^3]"}},
    {"zero_density", "1000", "0", {"scene.json:9:", "bodies[0].density = 0", ">= 1e-06"}},
    {"poisson_one_half", "0.4}", "0.5}", {"scene.json:10:", "material.poisson = 0.5", "< 0.5"}},
    {"poisson_minus_one", "0.4}", "-1}", {"material.poisson = -1", "> -1"}},
    {"young_zero", "1e5", "0", {"material.young = 0", ">= 0.001", "[Pa]"}},
    {"wrong_type", "1000", "\"heavy\"", {"bodies[0].density = \"heavy\"", "must be a number"}},
    {"unknown_key", "\"density\"", "\"densty\": 3, \"density\"", {"bodies[0].densty = 3", "did you mean 'density'?"}},
    {"unknown_integrator", "implicit-euler", "implict-euler", {"scene.json:4:", "did you mean 'implicit-euler'?"}},
    {"unknown_material", "neo-hookean", "neo-hooke", {"material.type = \"neo-hooke\"", "did you mean 'neo-hookean'?"}},
    {"not_a_number", "1000", "NaN", {"scene.json:9:", "not valid JSON"}},
    {"infinite", "1000", "1e400", {"scene.json:9:", "1e400", "double precision"}},
    {"missing_key", "\"density\": 1000,", "", {"scene.json:6:", "bodies[0].density", "is missing"}},
    {"missing_duration", ", \"duration\": 0.3", "", {"scene.json:3:", "time.duration", "is missing"}},
    {"no_bodies", "\"bodies\"", "\"bodies\": [], \"bodies\"", {"bodies", "twice"}},
    {"syntax", "\"density\": 1000,", "\"density\": 1000", {"scene.json:10:", "not valid JSON"}},
    {"two_numbers_for_three", "[0.4, 0.1, 0.1]", "[0.4, 0.1]", {"mesh.size = [0.4,0.1]", "three numbers"}},
    {"half_a_cell", "[4, 1, 1]", "[4, 1.5, 1]", {"mesh.cells", "whole numbers"}},
    {"too_many_cells", "[4, 1, 1]", "[40000, 10000, 1000]", {"mesh.cells", "at most"}},
    {"negative_step", "0.01", "-0.01", {"time.step = -0.01", ">= 1e-12 and <= 1e+09 [s]"}},
    {"division_by_zero", "0.01", "\"1/0\"", {"time.step = \"1/0\"", ">= 1e-12 and <= 1e+09 [s]"}},
    {"too_many_steps", "0.01", "1e-11", {"scene.json:3:", "time.step = 1e-11", "at most 1e+09 steps"}},
    {"too_many_frames", "\"frames_per_second\": 10", "\"frames_per_second\": 1e7",
        {"output.frames_per_second = ", "<= 1e+06"}},
    {"empty_selection", R"({"type": "group", "name": "x_min"})",
        R"({"type": "box", "min": [5, 5, 5], "max": [6, 6, 6]})",
        {"scene.json:14:", "fixed[0].nodes", "selects no node"}},
    {"unknown_group", "\"x_min\"", "\"x_minn\"", {"fixed[0].nodes.name = \"x_minn\"", "did you mean 'x_min'?"}},
    {"unknown_body", "\"x_min\"", "\"x_min\", \"body\": \"blok\"", {"fixed[0].nodes.body", "did you mean 'block'?"}},
    {"missing_mesh_file", box, R"({"type": "file", "path": "nowhere.msh"})",
        {"scene.json:8:", "mesh.path = \"nowhere.msh\"", "there is no file"}},
    {"surface_as_body", box, R"({"type": "file", "path": "surface.obj"})",
        {"scene.json:8:", "mesh.path = \"surface.obj\"", "\"type\": \"surface\""}},
    {"zero_axis", "\"axis\": [1, 0, 0]", "\"axis\": [0, 0, 0]", {"velocity[0].axis = [0,0,0]", "direction"}},
    {"inverted_start", "\"velocity\": [",
        "\"deform\": [{\"type\": \"stretch\", \"factors\": [-1, 1, 1]}], \"velocity\": [",
        {"scene.json:10:", "material = \"neo-hookean\"", "'block'", "tetrahedra 0, 1, 2"}},
    {"node_claimed_twice", "\"output\"",
        "\"scripted\": [{\"nodes\": {\"type\": \"all\"}, \"motion\": \"rest\"}], \"output\"",
        {"scripted[0]", "fixed[0] already"}},
    {"name_with_slash", "\"small\"", "\"../small\"", {"scene.json:2:", "name = \"../small\"", "letters"}},
};

class MeshMistake : public ProgramTest, public testing::WithParamInterface<Case> { };

const std::string one_of_two
    = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n$EndNodes\n"
      "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 2 3 5\n$EndElements\n";
const std::string inverted = msh("-1"), flat = msh("0"), far_node = msh("1", "1 2 3 9"), twice = msh("1", "1 2 3 3"),
                  not_finite = msh("nan"), truncated = msh("1").substr(0, 60), wordy = msh("up");

const Case mesh_cases[] = {
    {"inverted_rest_element", "", inverted.c_str(), {"body.msh", "negative volume"}},
    {"one_inverted_of_two", "", one_of_two.c_str(), {"body.msh", "tetrahedron 2"}},
    {"flat_rest_element", "", flat.c_str(), {"body.msh", "tetrahedron 1"}},
    {"node_out_of_range", "", far_node.c_str(), {"body.msh", "9"}},
    {"node_twice", "", twice.c_str(), {"body.msh"}},
    {"coordinate_not_finite", "", not_finite.c_str(), {"body.msh:9", "nan"}},
    {"coordinate_no_number", "", wordy.c_str(), {"body.msh:9", "up"}},
    {"truncated", "", truncated.c_str(), {"body.msh"}},
    {"empty", "", "", {"body.msh"}},
    {"no_mesh_at_all", "", "PK\x03\x04 not a mesh", {"body.msh"}},
};

} // namespace

TEST_P(SceneMistake, GivesOneMessageAndStatusTwoAndLeavesNothing)
{
    const Case& c = GetParam();
    write("scene.json", with(program_scene, c.old, c.replacement));
    write("surface.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (const char* command : {"check", "run"}) {
        const ProgramResult result = run({command, "scene.json"});
        EXPECT_EQ(result.status, 2) << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_EQ(result.out, "");
        for (const char* text : c.says)
            EXPECT_NE(result.err.find(text), std::string::npos) << text << " in " << result.err;
    }
    EXPECT_TRUE(left_behind({"scene.json", "surface.obj"}).empty());
}

INSTANTIATE_TEST_SUITE_P(All, SceneMistake, testing::ValuesIn(cases), [](const auto& test) { return test.param.name; });

TEST_P(MeshMistake, GivesOneMessageAndStatusTwoAndLeavesNothing)
{
    const Case& c = GetParam();
    write("scene.json", with(with(program_scene, box, from_file), fixed, "[]"));
    write("body.msh", c.replacement);
    const ProgramResult result = run({"run", "scene.json"});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    for (const char* text : c.says) EXPECT_NE(result.err.find(text), std::string::npos) << text << " in " << result.err;
    EXPECT_TRUE(left_behind({"scene.json", "body.msh"}).empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, MeshMistake, testing::ValuesIn(mesh_cases), [](const auto& test) { return test.param.name; });

TEST_F(ProgramTest, ManyMistakesAreToldAtOnce)
{
    std::string text = with(program_scene, "1000", "-5");
    text = with(text, "0.01", "0");
    text = with(text, "\"output\"", "\"outptu\"");
    write("scene.json", text);
    const ProgramResult result = run({"check", "scene.json"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.error_lines(), 4) << result.err; // three mistakes and their number
    EXPECT_NE(result.err.find("3 mistakes"), std::string::npos);
}

TEST_F(ProgramTest, TruncatedBinaryMeshIsRefusedAtAnyLength)
{
    // Format 4.1, binary: header, then half of it is missing.
    const std::string header("$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n", 48);
    write("scene.json", with(with(program_scene, box, from_file), fixed, "[]"));
    for (const std::size_t length : {5, 20, 30, 40, 48}) {
        write("body.msh", header.substr(0, length));
        const ProgramResult result = run({"run", "scene.json"});
        EXPECT_EQ(result.status, 2) << length << result.err;
        EXPECT_EQ(result.error_lines(), 1) << length << result.err;
        EXPECT_NE(result.err.find("body.msh"), std::string::npos) << result.err;
    }
    EXPECT_TRUE(left_behind({"scene.json", "body.msh"}).empty());
}

TEST_F(ProgramTest, WrongCommandLinesGiveStatusTwo)
{
    write("scene.json", program_scene);
    write("full/file", "x");
    write("body.msh", msh("1"));
    write("empty.json", "");
    const struct {
        std::vector<std::string> arguments;
        const char* says;
    } wrong[] = {
        {{"rnu", "scene.json"}, "did you mean 'run'?"},
        {{"run"}, "scene"},
        {{"run", "nowhere.json"}, "nowhere.json: there is no such file"},
        {{"run", "hangin-bar"}, "did you mean 'hanging-bar'?"},
        {{"run", "."}, "neither a file nor a built-in scene"},
        {{"run", "scene.json", "--dt", "fast"}, "--dt: time.step = \"fast\""},
        {{"run", "scene.json", "--dt", "-1"}, "--dt: time.step = -1"},
        {{"run", "scene.json", "--integrator", "eular"}, "--integrator: integrator.type = \"eular\""},
        {{"run", "scene.json", "--set", "time.stepp=1"}, "--set: time.stepp = 1: unknown key; did you mean 'step'?"},
        {{"run", "scene.json", "--set", "time"}, "PATH=VALUE"},
        {{"run", "scene.json", "--set", "bodies[3].density=1"}, "--set: bodies[3]"},
        {{"run", "scene.json", "--threads", "0"}, "--threads"},
        {{"run", "scene.json", "--bogus"}, "unknown argument --bogus;"},
        {{"check", "scene.json", "a", "b", "--bogus", "c"}, "unknown arguments a b --bogus c;"},
        {{"check", "body.msh"}, "body.msh: this looks like a mesh, not a scene"},
        {{"check", "empty.json"}, "empty.json: is empty"},
        {{"run", "scene.json", "--out", "full"}, "--out: full: is not empty"},
        {{"run", "scene.json", "--out", "scene.json"}, "--out: scene.json: is a file"},
        {{"run", "scene.json", "--out", "scene.json/run"}, "scene.json/run: cannot be made a run directory"},
        {{"run", "scene.json", "--duration", "1e9"}, "time.step = 0.01: is too short for a duration of 1e+09 s"},
        {{"list", "integrator"}, "did you mean 'integrators'?"},
        {{"resume", "nowhere"}, "nowhere: is no run directory"},
        {{"resume", "full"}, "full: is no run directory"},
    };
    for (const auto& w : wrong) {
        const ProgramResult result = run(w.arguments);
        EXPECT_EQ(result.status, 2) << w.says;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_NE(result.err.find(w.says), std::string::npos) << w.says << " in " << result.err;
    }
    EXPECT_TRUE(left_behind({"scene.json", "full", "body.msh", "empty.json"}).empty());
}

} // namespace rubato
