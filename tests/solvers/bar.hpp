#pragma once

#include "dynamics/system.hpp"
#include "geometry/generators.hpp"
#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/random_state.hpp"
#include "potentials/tetrahedra.hpp"

namespace rubato {

/// A 40 x 10 x 10 cm bar; nodes at x_min follow `left`, those at x_max follow `right` (null: free).
struct Bar {
    TetMesh mesh;
    Vector X;
    System system;

    explicit Bar(const std::string& material, double gravity = -9.8,
        std::shared_ptr<Motion> left = std::make_shared<Rest>(), std::shared_ptr<Motion> right = nullptr,
        double young = 1e5, TetMesh shape = box_mesh(Vec3(0.4, 0.1, 0.1), {4, 1, 1}))
        : mesh(std::move(shape))
        , X(stacked(mesh.nodes))
    {
        system.X = X;
        const TetBatches table(mesh.tets, X);
        Vector mass = Vector::Zero(X.size() / 3);
        add_lumped_mass(table, 1000, mass);
        system.mass = Mass(mass);
        for (const MaterialEntry& entry : tetrahedra_catalog()) {
            if (entry.name != material) continue;
            Options options = defaults(entry.options);
            options.set("young", young);
            system.potentials.push_back(entry.make(options, table));
        }
        system.potentials.push_back(std::make_unique<Gravity>(mass, Vec3(0, gravity, 0), node(X, 0)));
        for (const auto& [group, motion] : {std::pair{"x_min", left}, std::pair{"x_max", right}}) {
            if (!motion) continue;
            for (const Index i : mesh.groups.at(group)) system.prescription.add(i, node(X, i), motion);
        }
        system.prescription.finish(X.size());
    }
};

} // namespace rubato
