#pragma once

#include "dynamics/incremental_potential.hpp"
#include "scene/build.hpp"

#include <array>
#include <memory>
#include <string>

/// Bodies and matrices that the suite measures.
namespace rubato {

/// A scene of benchmarks/scenes by name, or a built-in one.
std::string benchmark_scene(const std::string& name);

/// A scene at some moment of its life, and the objective and matrix of the time step that begins there.
struct Subject {
    BuiltScene scene;
    std::unique_ptr<IncrementalPotential> E; ///< of an implicit Euler step
    Vector x, g; ///< positions [m], gradient [kg m]
    BlockMatrix H; ///< projected Hessian at x [kg]

    const Prescription& prescription() const { return scene.dynamics->system().prescription; }
    double tets() const { return static_cast<double>(scene.mesh.tets.size()); }
    double nodes() const { return static_cast<double>(scene.body_nodes); }
    Potential& elasticity() const; ///< of its first body
};

/// The clamped bar, strained by some ten per cent everywhere.
Subject strained_bar(std::array<int, 3> cells, const std::string& material = "neo-hookean", double young = 1e5);

/// A scene, with some of its values changed, after so many steps.
Subject after_steps(const std::string& scene, int steps, const std::vector<Override>& overrides = {});

/// The override that cuts the bar into so many cells, six tetrahedra each.
Override cells_of_bar(std::array<int, 3> cells);

} // namespace rubato
