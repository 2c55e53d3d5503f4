#pragma once

#include "contact/collision_surface.hpp"
#include "geometry/generators.hpp"

#include <random>
#include <vector>

namespace rubato::test {

/// The surface of a ball around the origin: a cube of n x n squares a side, blown up. 12 n^2 triangles.
inline TriangleMesh ball(int n, double radius = 1)
{
    const TetMesh cube = box_mesh(Vec3::Constant(2), {n, n, n}, CellSplit::five);
    const BoundarySurface boundary = boundary_surface(cube.tets);
    TriangleMesh mesh{{}, boundary.triangles};
    for (const Index i : boundary.nodes) mesh.nodes.push_back(radius * cube.nodes[i].normalized());
    return mesh;
}

/// Surfaces that are put together piece by piece, with the positions of their nodes.
struct SceneOfParts {
    CollisionSurface surface;
    Vector X;

    /// Adds nodes and returns the number of the first.
    Index add_nodes(const std::vector<Vec3>& nodes)
    {
        const auto first = static_cast<Index>(X.size() / 3);
        X.conservativeResize(X.size() + 3 * static_cast<Index>(nodes.size()));
        for (std::size_t i = 0; i < nodes.size(); ++i) node(X, first + static_cast<Index>(i)) = nodes[i];
        return first;
    }
    /// Adds a mesh as a part of its own and returns the part's number.
    Index add_mesh(const TriangleMesh& mesh, const Vec3& shift = Vec3::Zero(), CollisionPart part = {"mesh"})
    {
        std::vector<Vec3> nodes = mesh.nodes;
        for (Vec3& x : nodes) x += shift;
        const Index first = add_nodes(nodes);
        std::vector<Triangle> faces = mesh.triangles;
        for (Triangle& face : faces) {
            for (Index& i : face) i += first;
        }
        const Index number = surface.add_part(std::move(part));
        surface.add_faces(number, faces, X);
        return number;
    }
};

inline Vector random_vector(Index size, double largest, std::mt19937& random)
{
    std::uniform_real_distribution<double> number(-largest, largest);
    Vector v(size);
    for (double& x : v) x = number(random);
    return v;
}

} // namespace rubato::test
