#include "export/readers.hpp"
#include "program/program.hpp"

/// From a modelling program and back to one: the names that an author gave are still there.
namespace rubato::test {

namespace {

const std::vector<std::string> objects{
    "W\xC3\xBCrfel \xC3\xA4\xC3\xB6\xC3\xBC \xC3\x9F", "Cube.001", "left/right \\ \"quoted\" 7%", "42"};

/// A cube for each name, in a row.
std::string cubes(const std::vector<std::string>& names)
{
    std::ostringstream out;
    const int faces[6][4] = {{1, 4, 3, 2}, {5, 6, 7, 8}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}};
    for (std::size_t n = 0; n < names.size(); ++n) {
        out << "o " << names[n] << '\n';
        for (int k = 0; k < 8; ++k) {
            const bool right = k % 4 == 1 || k % 4 == 2;
            out << "v " << 2 * static_cast<double>(n) + (right ? 1 : 0) << ' ' << (k % 4 >= 2 ? 1 : 0) << ' '
                << (k >= 4 ? 1 : 0) << '\n';
        }
        for (const auto& face : faces) {
            out << 'f';
            for (const int corner : face) out << ' ' << corner + 8 * static_cast<int>(n);
            out << '\n';
        }
    }
    return out.str();
}

const char* const named_scene = R"({
  "name": "names",
  "time": {"step": 0.01, "duration": 0.03},
  "bodies": [
    {"name": "R\u00e4der, alle. / 1", "mesh": {"type": "surface", "path": "things.obj", "edge": 0.5}, "density": 1000,
     "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}},
    {"name": "one", "mesh": {"type": "surface", "path": "one.obj", "edge": 0.5}, "density": 1000,
     "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}, "translate": [0, 5, 0]},
    {"name": " #plain ", "mesh": {"type": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "density": 1000,
     "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}, "translate": [0, 9, 0],
     "copies": {"type": "row", "count": 2, "step": [3, 0, 0]}}
  ],
  "obstacles": [{"type": "sphere", "name": "Boden.001", "center": [0, -9, 0], "radius": 2}],
  "contact": {"dhat": 1e-3},
  "output": {"frames_per_second": 100, "picture": false}
}
)";

class RoundTrip : public ProgramTest {
protected:
    Json tree_of(const std::string& file) const
    {
        return read_by({"node", script("read_gltf.mjs"), node_modules().string(), (folder() / file).string()});
    }
};

} // namespace

TEST_F(RoundTrip, names_of_an_obj_come_back_in_gltf)
{
    for (const char* module : {"three", "gltf-validator"}) {
        if (const std::string missing = missing_module(module); !missing.empty()) GTEST_SKIP() << missing;
    }
    write("things.obj", cubes(objects));
    write("one.obj", cubes({"the only one"}));
    write("scene.json", named_scene);
    const ProgramResult run_result = run({"run", "scene.json", "--out", "r"});
    ASSERT_EQ(run_result.status, 0) << run_result.err;
    const ProgramResult exported = run({"export", "r", "--to", "gltf"});
    ASSERT_EQ(exported.status, 0) << exported.err;

    const Json report = read_by(
        {"node", script("validate_gltf.mjs"), node_modules().string(), (folder() / "r/gltf/names.glb").string()});
    EXPECT_EQ(report["issues"]["messages"], Json::array());

    const Json found = tree_of("r/gltf/names.glb");
    const Json& root = found["scene"]["children"][0];
    EXPECT_EQ(root["name"], "names");
    const std::vector<std::string> bodies{"R\xC3\xA4"
                                          "der, alle. / 1",
        "one", " #plain -1", " #plain -2", "Boden.001"};
    ASSERT_EQ(root["children"].size(), bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Json& body = root["children"][b];
        EXPECT_EQ(body["name"], bodies[b]);
        EXPECT_EQ(body["children"].size(), b == 0 ? objects.size() : 0U) << bodies[b];
        EXPECT_EQ(body["targets"], b == 0 || b + 1 == bodies.size() ? 0 : 3) << bodies[b];
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
        const Json& object = root["children"][0]["children"][i];
        EXPECT_EQ(object["name"], objects[i]);
        EXPECT_EQ(object["vertices"], 24) << "three normals at each of eight corners";
        EXPECT_EQ(object["targets"], 3);
    }
    EXPECT_EQ(found["tracks"], Json({objects.size() + 3})) << "all that moves";
    EXPECT_NE(read("r/gltf/names.glb").find("\"name\":\"the only one\""), std::string::npos) << "as that of a mesh";
}

TEST_F(RoundTrip, a_scene_made_by_rubato_mesh_keeps_the_names_too)
{
    if (const std::string missing = missing_module("three"); !missing.empty()) GTEST_SKIP() << missing;
    write("two things.obj", cubes({objects[0], objects[2]}));
    ASSERT_EQ(run({"mesh", "two things.obj", "-o", "two.msh", "--edge", "0.5", "--scene", "drop.json"}).status, 0);
    const ProgramResult run_result = run({"run", "drop.json", "--out", "r", "--duration", "1/60"});
    ASSERT_EQ(run_result.status, 0) << run_result.err;
    ASSERT_EQ(run({"export", "r", "--to", "gltf", "-o", "web"}).status, 0);
    const auto file = *fs::directory_iterator(folder() / "web");
    const Json body = tree_of("web/" + file.path().filename().string())["scene"]["children"][0]["children"][0];
    ASSERT_EQ(body["children"].size(), 2U) << body.dump();
    EXPECT_EQ(body["children"][0]["name"], objects[0]);
    EXPECT_EQ(body["children"][1]["name"], objects[2]);
}

} // namespace rubato::test
