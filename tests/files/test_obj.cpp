#include "base/errors.hpp"
#include "files/sample_surface.hpp"
#include "files/scratch_folder.hpp"
#include "geometry/files/read_obj.hpp"
#include "geometry/files/write_obj.hpp"
#include "geometry/generators.hpp"
#include "geometry/transforms.hpp"

#include <limits>

namespace rubato {

namespace {

std::string obj_refusal(const std::string& text)
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

TEST(ReadObj, KeepsVerticesPolygonsTextureAndNames)
{
    const Surface s = surface_from_obj("mtllib a b.mtl\nmtllib c.mtl # comment\nv 9 9 9\n" + four_vertices
            + "vt 0.25 0.5 0\nvt 1\nf 2 3 4\no left arm\nusemtl mat#1\nf 2/1 3/-1 4/2/7 5//3\ng\ng a\tb\nf 2/2 3/1 4\n"
              "g\nusemtl\nf 5 4 3 # done\n",
        "");
    EXPECT_EQ(s.vertices.size(), 5u);
    EXPECT_EQ(s.vertices[0], Vec3(9, 9, 9));
    EXPECT_EQ(s.polygons, (std::vector<Index>{0, 3, 7, 10, 13}));
    EXPECT_EQ(s.corners, (std::vector<Index>{1, 2, 3, 1, 2, 3, 4, 1, 2, 3, 4, 3, 2}));
    EXPECT_EQ(s.texture, (std::vector<Eigen::Vector2d>{{0.25, 0.5}, {1, 0}}));
    EXPECT_EQ(s.corner_texture, (std::vector<Index>{-1, -1, -1, 0, 1, 1, -1, 1, 0, -1, -1, -1, -1}));
    EXPECT_EQ(s.material_files, (std::vector<std::string>{"a b.mtl", "c.mtl"}));
    EXPECT_EQ(s.parts,
        (std::vector<SurfacePart>{
            {0, "", "", ""}, {1, "left arm", "", "mat#1"}, {2, "left arm", "a\tb", "mat#1"}, {3, "left arm", "", ""}}));
}

TEST(ReadObj, KeepsPolygonsThatUseAVertexTwice)
{
    EXPECT_EQ(surface_from_obj(four_vertices + "f 1 2 2\n", "").corners, (std::vector<Index>{0, 1, 1}));
}

TEST(ReadObj, RefusesMistakesWithTheirLine)
{
    EXPECT_EQ(obj_refusal(four_vertices + "f 1 2 5\n"),
        "s.obj:5: corner of face = 5: must be at most 4, the number of vertices");
    EXPECT_EQ(
        obj_refusal(four_vertices + "f 1 -5 2\n"), "s.obj:5: corner of face = -5: there are only 4 vertices before it");
    EXPECT_NE(
        obj_refusal(four_vertices + "f 0 1 2\n").find("s.obj:5: corner of face = 0: must be the number of a vertex"),
        std::string::npos);
    EXPECT_NE(obj_refusal(four_vertices + "f 1 2 3x\n").find("3x: must be the number of a vertex"), std::string::npos);
    EXPECT_NE(
        obj_refusal(four_vertices + "f 1 2 99999999999999999999\n").find("must be the number"), std::string::npos);
    EXPECT_EQ(obj_refusal(four_vertices + "f 1 2\n"), "s.obj:5: number of corners of face = 2: must be at least 3");
    EXPECT_EQ(obj_refusal(four_vertices + "vt 0 0\nf 1 2/2 3\n"),
        "s.obj:6: texture of corner = 2: must be at most 1, the number of texture coordinates");
    EXPECT_NE(obj_refusal(four_vertices + "f 1 2/-1 3\n").find("2/-1: there are only 0 texture coordinates before it"),
        std::string::npos);
    EXPECT_NE(obj_refusal(four_vertices + "f 1 2/x 3\n").find("must be the number of a texture coordinate"),
        std::string::npos);
    EXPECT_EQ(obj_refusal("vt nan 0\n"), "s.obj:1: u of texture coordinate 1 = nan: must be a finite number");
    EXPECT_EQ(obj_refusal("v 0 0\n"), "s.obj:1: z of vertex 1 = end of line: the line is too short");
    EXPECT_EQ(obj_refusal("v 0 0 0\nv 0 nan 0\n"), "s.obj:2: y of vertex 2 = nan: must be a finite number");
    EXPECT_NE(obj_refusal("ply\n").find("s.obj:1: keyword = ply: unknown"), std::string::npos);
    EXPECT_EQ(obj_refusal(four_vertices), "s.obj: faces = none: at least one is needed (lines that begin with f)");
    EXPECT_NE(obj_refusal("").find("at least one is needed"), std::string::npos);
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

TEST_F(ObjFiles, GiveBackTheSurfaceTheyWereMadeFrom)
{
    const std::string text = "mtllib my colours.mtl\nv 0.1 -1e-300 12345678.9\nv 1 0 0\nv 0 1 0\nv 7 7 7\nv 0 0 1\n"
                             "vt 0.3333333333333333 1\nvt -2 0.7\nf 1 2 3\no body\ng skin\nusemtl red\n"
                             "f 1/1 2/2 3/1 5\ng\nf 5 3 2\no\ng skin\nf 1 5 2\n";
    const Surface s = surface_from_obj(text, "");
    EXPECT_EQ(obj_bytes("s.obj", s, {s.vertices[0].data(), 3 * s.vertices.size()}), text);

    write_obj(folder / "s.obj", s);
    const Surface back = read_obj_surface(folder / "s.obj");
    EXPECT_EQ(back.vertices, s.vertices);
    EXPECT_EQ(back.parts, s.parts);

    std::vector<double> moved(15, 0.0);
    moved[3] = 2.5;
    EXPECT_TRUE(obj_bytes("s.obj", s, moved).starts_with("mtllib my colours.mtl\nv 0 0 0\nv 2.5 0 0\n"));
    moved.pop_back();
    EXPECT_THROW(obj_bytes("s.obj", s, moved), WriteError);
}

TEST_F(ObjFiles, RefuseSurfacesThatWouldNotComeBack)
{
    const Surface good = surface_from_obj(four_vertices + "vt 0 0\no a\nf 1/1 2 3\n", "");
    const auto refused = [&](auto change) {
        Surface s = good;
        change(s);
        try {
            write_obj(folder / "s.obj", s);
        } catch (const WriteError&) {
            return true;
        }
        return false;
    };
    EXPECT_FALSE(refused([](Surface&) {}));
    std::filesystem::remove(folder / "s.obj");
    EXPECT_TRUE(refused([](Surface& s) { s.texture[0][1] = std::numeric_limits<double>::infinity(); }));
    EXPECT_TRUE(refused([](Surface& s) { s.corners[1] = 4; }));
    EXPECT_TRUE(refused([](Surface& s) { s.corners.push_back(1); }));
    EXPECT_TRUE(refused([](Surface& s) { s.polygons = {0, 1, 3}; }));
    EXPECT_TRUE(refused([](Surface& s) { s.corner_texture[2] = 1; }));
    EXPECT_TRUE(refused([](Surface& s) { s.corner_texture.pop_back(); }));
    EXPECT_TRUE(refused([](Surface& s) { s.parts[0].first_polygon = 2; }));
    for (const char* name : {"two\nlines", " blank", "blank ", "a #b", "#a", "back\\"}) {
        EXPECT_TRUE(refused([&](Surface& s) { s.parts[0].group = name; })) << name;
    }
    EXPECT_EQ(file_count(), 0u);
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
