#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "geometry/files/read_obj.hpp"
#include "files/scratch_folder.hpp"
#include "geometry/transforms.hpp"
#include "geometry/files/write_obj.hpp"

#include <limits>

namespace rubato {
namespace {

std::string refusal(const std::string& text)
{
    try {
        obj_from_bytes(text, "s.obj");
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

const std::string four_vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(ReadObj, CutsPolygonsIntoAFan)
{
    const TriangleMesh mesh = obj_from_bytes(four_vertices + "f 1 2 3 4\n", "");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(mesh.nodes[2], Vec3(1, 1, 0));
}

TEST(ReadObj, ReadsAllFormsOfCornersAndIgnoresTheRest)
{
    const std::string text = "# a comment\nmtllib x.mtl\no thing\n" + four_vertices
        + "vt 0 0\nvn 0 0 1\r\n  f 1/1/1 2//1 3/1 # behind\n\nusemtl red\ns off\nf -4 -2 \\\n -1\nl 1 2\n";
    const TriangleMesh mesh = obj_from_bytes(text, "");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(ReadObj, CountsNegativeNumbersBackFromTheFace)
{
    const TriangleMesh mesh = obj_from_bytes("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -3 -1\n", "");
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}));
}

TEST(ReadObj, LeavesOutVerticesThatNoFaceUses)
{
    const TriangleMesh mesh = obj_from_bytes("v 9 9 9\n" + four_vertices + "f 2 3 5\n", "");
    EXPECT_EQ(mesh.nodes, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(ReadObj, AcceptsWeightsAndColoursBehindVertices)
{
    EXPECT_EQ(obj_from_bytes("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nf 1 2 3", "").nodes.size(), 3u);
}

TEST(ReadObj, RefusesMistakesWithTheirLine)
{
    EXPECT_EQ(
        refusal(four_vertices + "f 1 2 5\n"), "s.obj:5: corner of face = 5: must be at most 4, the number of vertices");
    EXPECT_EQ(
        refusal(four_vertices + "f 1 -5 2\n"), "s.obj:5: corner of face = -5: there are only 4 vertices before it");
    EXPECT_NE(refusal(four_vertices + "f 0 1 2\n").find("s.obj:5: corner of face = 0: must be the number of a vertex"),
        std::string::npos);
    EXPECT_NE(refusal(four_vertices + "f 1 2 3x\n").find("3x: must be the number of a vertex"), std::string::npos);
    EXPECT_NE(refusal(four_vertices + "f 1 2 99999999999999999999\n").find("must be the number"), std::string::npos);
    EXPECT_EQ(refusal(four_vertices + "f 1 2\n"), "s.obj:5: number of corners of face = 2: must be at least 3");
    EXPECT_NE(refusal(four_vertices + "f 1 2 2\n").find("a vertex occurs twice"), std::string::npos);
    EXPECT_EQ(refusal("v 0 0\n"), "s.obj:1: z of vertex 1 = end of line: the line is too short");
    EXPECT_EQ(refusal("v 0 0 0\nv 0 nan 0\n"), "s.obj:2: y of vertex 2 = nan: must be a finite number");
    EXPECT_NE(refusal("ply\n").find("s.obj:1: keyword = ply: unknown"), std::string::npos);
    EXPECT_EQ(refusal(four_vertices), "s.obj: faces = none: at least one is needed (lines that begin with f)");
    EXPECT_NE(refusal("").find("at least one is needed"), std::string::npos);
}

class ObjFiles : public ScratchFolder { };

TEST_F(ObjFiles, KeepEveryBitOnTheWayThroughAFile)
{
    const TetMesh box = rotated(box_mesh(Vec3(1, 2, 3), {2, 3, 2}), Vec3(1, 1, 0), 0.4);
    const BoundarySurface surface = boundary_surface(box.tets);
    Vector x(3 * box.nodes.size());
    for (Index i = 0; i < static_cast<Index>(box.nodes.size()); ++i) node(x, i) = box.nodes[i];
    write_obj(folder / "s.obj", surface, x);
    const TriangleMesh back = read_obj(folder / "s.obj");
    EXPECT_EQ(back.triangles, surface.triangles);
    ASSERT_EQ(back.nodes.size(), surface.nodes.size());
    for (std::size_t i = 0; i < back.nodes.size(); ++i) EXPECT_EQ(back.nodes[i], box.nodes[surface.nodes[i]]);
}

TEST_F(ObjFiles, NeverHoldNumbersThatAreNotFinite)
{
    TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    mesh.nodes[1][0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(write_obj(folder / "s.obj", mesh), WriteError);
    EXPECT_EQ(file_count(), 0u);
}

} // namespace
} // namespace rubato
