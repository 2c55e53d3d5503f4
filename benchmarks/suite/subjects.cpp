#include "suite/subjects.hpp"

#include "base/errors.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <stdexcept>

namespace rubato {

std::string benchmark_scene(const std::string& name)
{
    const std::filesystem::path file = std::filesystem::path(RUBATO_BENCHMARK_SCENES) / (name + ".json");
    return std::filesystem::exists(file) ? file.string() : name;
}

Potential& Subject::elasticity() const
{
    for (const auto& potential : scene.dynamics->system().potentials) {
        if (potential->kind() == EnergyKind::elastic) return *potential;
    }
    throw std::logic_error("a scene without elastic bodies");
}

namespace {

/// The step that begins at x with velocity v.
Subject begun(BuiltScene scene, const Vector& x, const Vector& v)
{
    Subject out{.scene = std::move(scene), .E = {}, .x = x, .g = {}, .H = {}};
    System& system = out.scene.dynamics->system();
    const double h = out.scene.step;
    out.E = std::make_unique<IncrementalPotential>(system);
    out.E->set_stage({.x_tilde = x + h * v, .x_anchor = x, .tau = h, .scale = h * h, .t = h});
    out.E->prepare(x, h * largest_nodal_norm(v));
    const BlockMatrix root(system.pattern());
    BlockPattern touching(root.rows());
    out.E->pattern_at(x, touching);
    touching.sort();
    out.H = touching.pairs().empty() ? root : BlockMatrix::extended(root, touching);
    out.g.resize(x.size());
    out.E->all(x, out.g, out.H, true);
    return out;
}

} // namespace

Override cells_of_bar(std::array<int, 3> cells)
{
    return {"bodies[0].mesh.cells", fmt::format("[{}, {}, {}]", cells[0], cells[1], cells[2]), "cells"};
}

Subject strained_bar(std::array<int, 3> cells, const std::string& material, double young)
{
    BuiltScene scene = built(scene_named(benchmark_scene("clamped-bar"),
        {cells_of_bar(cells), {"bodies[0].material.type", material, "material"},
            {"bodies[0].material.young", fmt::format("{}", young), "young"}}));
    const double wave = 0.005, number = 20; // amplitude [m] and wave number [1/m] of a smooth strain of a tenth
    const double edge = 0.05 / cells[1]; // [m]
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> noise(-0.03 * edge, 0.03 * edge);
    const Vector& X = scene.start.x;
    Vector x = X;
    for (Index i = 0; i < scene.body_nodes; ++i) {
        const Vec3 at = node(X, i);
        for (int c = 0; c < 3; ++c) x[3 * i + c] += wave * std::sin(number * (at.sum() - at[c])) + noise(random);
    }
    return begun(std::move(scene), x, Vector::Zero(x.size()));
}

Subject after_steps(const std::string& name, int steps, const std::vector<Override>& overrides)
{
    BuiltScene scene = built(scene_named(benchmark_scene(name), overrides));
    Simulation simulation = scene.simulation();
    const RunResult result = simulation.run(steps * scene.step);
    if (!result.finished) throw InputError(Mistake{.file = name, .message = result.why});
    const State state = simulation.state();
    return begun(std::move(scene), state.x, state.v);
}

} // namespace rubato
