#include "base/errors.hpp"
#include "fields/broken_surfaces.hpp"
#include "geometry/mesher/gmsh.hpp"
#include "geometry/mesher/meshed_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace rubato {

TEST(MeshedBody, BrokenSurfacesGiveTheRightVolumeOrOneMessage)
{
    int refused = 0, filled = 0;
    for (const BrokenSurface& broken : broken_surfaces()) {
        SCOPED_TRACE(broken.name);
        try {
            const MeshedBody body = meshed(solid_within(broken.mesh, "broken.obj"), {.edge = 0.12});
            EXPECT_TRUE(broken.solid);
            // The mesh itself is a little smaller than a round body: up to 2 % at this edge length.
            EXPECT_NEAR(body.quality.volume, broken.volume, (0.02 + broken.tolerance) * broken.volume);
            EXPECT_TRUE(body.quality.boundary_closed && body.quality.boundary_manifold);
            EXPECT_GE(body.quality.smallest_dihedral, 15);
            EXPECT_LE(body.quality.largest_dihedral, 155);
            EXPECT_EQ(body.quality.components, 1);
            ++filled;
        } catch (const InputError& error) {
            EXPECT_FALSE(broken.solid) << error.what();
            ASSERT_EQ(error.mistakes().size(), 1u);
            EXPECT_EQ(error.mistakes()[0].file, "broken.obj");
            EXPECT_GT(error.mistakes()[0].message.size(), 20u);
            ++refused;
        }
    }
    EXPECT_GE(filled, 10);
    EXPECT_GE(refused, 3);
}

TEST(MeshedBody, TellsWhatWasMendedAndClosed)
{
    TriangleMesh ball = sphere_surface(1, 3);
    ball.triangles.push_back(ball.triangles.front());
    ball.triangles.erase(ball.triangles.begin() + 7);
    const MeshedBody body = meshed(solid_within(ball, "ball.obj"), {.edge = 0.25});
    const auto told = [&](const std::string& words) {
        for (const std::string& note : body.notes) {
            if (note.find(words) != std::string::npos) return true;
        }
        return false;
    };
    EXPECT_TRUE(told("closed 1 hole"));
    EXPECT_EQ(body.notes.size(), 2u) << "the doubled triangle, and the hole";
}

TEST(MeshedBody, PiecesThatDoNotTouchAreNoted)
{
    const TriangleMesh two = together(sphere_surface(1, 3), sphere_surface(1, 3, Vec3(5, 0, 0)));
    const MeshedBody body = meshed(solid_within(two, "two.obj"), {.edge = 0.25});
    EXPECT_EQ(body.quality.components, 2);
    ASSERT_EQ(body.notes.size(), 1u);
    EXPECT_NE(body.notes[0].find("2 pieces"), std::string::npos);
}

TEST(MeshedBody, BodiesFusedAcrossAGapAreNoted)
{
    const TriangleMesh two = together(sphere_surface(1, 3), sphere_surface(1, 3, Vec3(2.005, 0, 0)));
    const MeshedBody body = meshed(solid_within(two, "two.obj"), {.edge = 0.4, .refining = 1});
    ASSERT_EQ(body.quality.components, 1);
    ASSERT_FALSE(body.notes.empty());
    EXPECT_NE(body.notes[0].find("2 bodies"), std::string::npos);
}

TEST(MeshedBody, ASurfaceWithoutTrianglesIsRefused)
{
    EXPECT_THROW(solid_within({}, "none.obj"), InputError);
    EXPECT_THROW(solid_within({{Vec3(0, 0, 0), Vec3(1, 0, 0)}, {{0, 1, 1}}}, "flat.obj"), InputError);
}

TEST(Gmsh, KeepsTheSurfaceWhereItIsInstalled)
{
    if (!gmsh_program()) GTEST_SKIP() << "gmsh is not installed";
    const TriangleMesh ball = sphere_surface(1, 3);
    const TetMesh mesh = filled_by_gmsh(ball, "ball.obj");
    EXPECT_EQ(boundary_triangles(mesh.tets).size(), ball.triangles.size());
    EXPECT_EQ(mesh.groups.at("surface").size(), ball.nodes.size());
    EXPECT_NEAR(mesh_quality(mesh).volume, signed_volume(ball), 1e-12);
}

TEST(Gmsh, AnOpenSurfaceIsAMistake)
{
    if (!gmsh_program()) GTEST_SKIP() << "gmsh is not installed";
    TriangleMesh open = sphere_surface(1, 3);
    open.triangles.pop_back();
    EXPECT_THROW(filled_by_gmsh(open, "open.obj"), InputError);
}

TEST(Gmsh, IsNamedWhenItIsMissing)
{
    ASSERT_EQ(::setenv("RUBATO_GMSH", "/nowhere/gmsh", 1), 0);
    try {
        filled_by_gmsh(sphere_surface(1, 1), "ball.obj");
        ADD_FAILURE() << "there is no such program";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("gmsh"), std::string::npos);
    }
    ::unsetenv("RUBATO_GMSH");
}

} // namespace rubato
