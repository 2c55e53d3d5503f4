#include "geometry/generators.hpp"
#include "geometry/quality.hpp"

#include <gtest/gtest.h>

namespace rubato {

namespace {

TetMesh corner_tet()
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    return mesh;
}

} // namespace

TEST(MeshQuality, MeasuresTheCornerOfACube)
{
    const MeshQuality q = mesh_quality(corner_tet());
    EXPECT_NEAR(q.volume, 1.0 / 6, 1e-15);
    EXPECT_NEAR(q.smallest_dihedral, 54.7356103, 1e-6); // acos(1 / sqrt 3)
    EXPECT_NEAR(q.largest_dihedral, 90, 1e-10);
    EXPECT_EQ(q.dihedral_histogram[5], 3);
    EXPECT_DOUBLE_EQ(q.shortest_edge, 1);
    EXPECT_DOUBLE_EQ(q.longest_edge, std::sqrt(2.0));
    EXPECT_NEAR(q.mean_edge, (3 + 3 * std::sqrt(2.0)) / 6, 1e-15);
    EXPECT_EQ(q.boundary_triangles, 4);
    EXPECT_EQ(q.euler_number, 2);
    EXPECT_TRUE(q.boundary_closed);
    EXPECT_TRUE(q.boundary_manifold);
}

TEST(MeshQuality, SeesAFlatTetrahedronAndNamesIt)
{
    TetMesh mesh = box_mesh({1, 1, 1}, {2, 2, 2});
    const Index n = static_cast<Index>(mesh.nodes.size());
    for (const Vec3& x : {Vec3(3, 0, 0), Vec3(4, 0, 0), Vec3(3, 1, 0), Vec3(3.4, 0.3, 0.01)}) mesh.nodes.push_back(x);
    mesh.tets.push_back({n, n + 1, n + 2, n + 3});
    const MeshQuality q = mesh_quality(mesh);
    EXPECT_LT(q.smallest_dihedral, 5);
    EXPECT_GT(q.largest_dihedral, 170);
    EXPECT_EQ(q.smallest_dihedral_tet, q.tets - 1);
    EXPECT_EQ(q.largest_dihedral_tet, q.tets - 1);
    EXPECT_EQ(q.components, 2);
    EXPECT_EQ(q.euler_number, 4);
    EXPECT_TRUE(q.boundary_manifold);
}

TEST(MeshQuality, SeesPiecesThatTouchInANodeOrAnEdge)
{
    TetMesh node = corner_tet();
    node.nodes.insert(node.nodes.end(), {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}});
    node.tets.push_back({0, 5, 4, 6});
    EXPECT_TRUE(mesh_quality(node).boundary_closed);
    EXPECT_FALSE(mesh_quality(node).boundary_manifold);

    TetMesh edge = corner_tet();
    edge.nodes.insert(edge.nodes.end(), {{-1, 0, 0}, {0, -1, 0}});
    edge.tets.push_back({0, 4, 5, 3});
    EXPECT_TRUE(mesh_quality(edge).boundary_closed);
    EXPECT_FALSE(mesh_quality(edge).boundary_manifold);
    EXPECT_EQ(mesh_quality(edge).components, 1);
}

} // namespace rubato
