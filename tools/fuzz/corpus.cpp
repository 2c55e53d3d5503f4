#include "corpus.hpp"

#include "base/input_file.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/generators.hpp"
#include "geometry/surface.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/run.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rubato::fuzz {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// The same scene on tiny bodies, of which there are few, for three steps.
std::string shortened(std::string_view text)
{
    Json scene = Json::parse(text, nullptr, true, true);
    Json& time = scene["time"];
    const Json step = time.value("step", Json(0.01));
    time["step"] = step.is_number() ? step : Json(0.01);
    time["duration"] = 3 * time["step"].get<double>();
    scene["output"] = {{"picture", false}, {"checkpoint_every", 2}, {"frames_per_second", 1000}};
    for (Json& body : scene["bodies"]) {
        const Json old = body.value("mesh", Json::object());
        const std::string type = old.is_object() ? old.value("type", "") : "";
        if (type == "bar") {
            body["mesh"]["cells"] = 2;
        } else {
            body["mesh"] = {{"type", "box"}, {"size", {0.3, 0.2, 0.1}}, {"cells", {2, 1, 1}}};
            for (const char* key : {"size", "scale", "surface"}) body.erase(key);
        }
        if (body.contains("copies")) {
            Json& copies = body["copies"];
            if (copies.contains("count")) copies["count"] = 2;
            if (copies.contains("counts")) copies["counts"] = {1, 2, 1};
        }
    }
    return scene.dump(2);
}

const char* const own_scene = R"({
  "name": "tiny",
  "time": {"step": 0.01, "duration": 0.03},
  "integrator": {"type": "bdf2"},
  "gravity": [0, -9.81, 0],
  "bodies": [
    {"name": "a", "mesh": {"type": "box", "size": [0.4, 0.1, 0.1], "cells": [2, 1, 1]}, "density": 1000,
      "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}, "translate": [0, 1, 0],
      "velocity": [{"type": "ramp", "axis": [1, 0, 0], "velocity": [0, 1, 0]}]},
    {"name": "b", "mesh": {"type": "file", "path": "tets.msh"}, "density": 500, "translate": [0, 3, 0],
      "material": {"type": "arap", "young": 1e5, "poisson": 0.3}}
  ],
  "fixed": [{"nodes": {"type": "group", "name": "x_min", "body": "a"}}],
  "obstacles": [{"type": "half-space", "point": [0, -1, 0], "normal": [0, 1, 0]}],
  "contact": {"friction": 0.3, "pairs": [{"between": ["a", "b"], "touch": false}]},
  "output": {"picture": false, "checkpoint_every": 2, "frames_per_second": 1000}
})";

const char* const blobs = R"(# a tiny body
ellipsoid center 0 0 0 radii 0.5 0.4 0.3
tube blend 0.01
  point 0.4 0 0 radius 0.2
  point 0.9 0.1 0 radius 0.1
)";

} // namespace

Corpus made_corpus(const fs::path& folder)
{
    Corpus corpus;
    const TetMesh tets = box_mesh(Vec3(0.2, 0.2, 0.2), {1, 1, 2});
    const Surface surface = surface_of({tets.nodes, boundary_triangles(tets.tets)});
    for (const MeshFormat& format : mesh_formats()) {
        std::vector<std::string>& files = corpus.meshes[format.extension];
        const fs::path name = "surface" + format.extension;
        files.push_back(format.surface_bytes(name, surface));
        if (format.holds_tets()) files.push_back(format.tet_bytes("tets" + format.extension, tets));
    }
    corpus.meshes[".blobs"] = {blobs};
    for (const BuiltinBody& body : builtin_bodies()) corpus.meshes[".blobs"].emplace_back(body.text);

    write_tets(folder / "tets.msh", tets);
    write_surface(folder / "surface.obj", surface);
    corpus.scenes.emplace_back(own_scene);
    for (const BuiltinScene& scene : builtin_scenes()) {
        try {
            const std::string text = shortened(scene.text);
            scene_from_text(text, "scene.json", folder);
            corpus.scenes.push_back(text);
        } catch (const std::exception&) {
            corpus.scenes.emplace_back(scene.text); // its own names of groups, for instance; it is read only
        }
    }

    SceneRun run(scene_from_text(own_scene, "scene.json", folder), folder / "run", "0.1.0");
    run.begin();
    run.run();
    for (const auto& entry : fs::recursive_directory_iterator(folder / "run")) {
        if (!entry.is_regular_file()) continue;
        corpus.run[entry.path().lexically_relative(folder / "run").string()] = file_bytes(entry.path());
    }

    corpus.commands = {{"check", "scene.json"}, {"run", "scene.json", "--out", "out", "--threads", "1"},
        {"run", "scene.json", "--out", "out", "--dt", "1/100", "--duration", "0.02", "--integrator", "newmark"},
        {"run", "scene.json", "--out", "out", "--set", "bodies[0].material.young=1e6", "--no-frames"},
        {"mesh", "surface.obj", "-o", "out/mesh.msh", "--nodes", "50", "--no-picture"},
        {"mesh", "tets.msh", "-o", "out/mesh.vtu", "--repair", "--scene", "out/new.json"},
        {"mesh", "ball", "--set", "radius=0.2", "--edge", "0.2"}, {"resume", "out"}, {"report", "out"},
        {"export", "out", "--to", "obj,vtu", "--every", "2", "-o", "out/exported"}, {"list", "integrators"},
        {"thumbnail", "surface.obj", "-o", "out/picture.png", "--width", "64", "--height", "64"},
        {"rest", "scene.json", "--out", "out"}, {"scenes"}, {"--version"}, {"--help"},
        {"analyze", "stability", "--integrators", "bdf2"}};
    return corpus;
}

} // namespace rubato::fuzz
