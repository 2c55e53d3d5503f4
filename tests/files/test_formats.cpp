#include "base/errors.hpp"
#include "files/sample_surface.hpp"
#include "files/scratch_folder.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/files/off.hpp"
#include "geometry/files/ply.hpp"
#include "geometry/files/read_msh.hpp"
#include "geometry/files/stl.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/generators.hpp"
#include "geometry/transforms.hpp"

#include <set>

namespace rubato {
namespace {

template <class Read>
std::string refusal(Read read)
{
    try {
        read();
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

std::vector<std::string> names_of_polygons(const Surface& s)
{
    std::vector<std::string> names(s.polygon_count());
    for (const SurfacePart& part : s.parts) {
        for (std::size_t p = part.first_polygon; p < names.size(); ++p) names[p] = part.group;
    }
    return names;
}

class Formats : public ScratchFolder {
protected:
    Surface back(const Surface& s, const std::string& extension)
    {
        write_surface(folder / ("s" + extension), s);
        return read_surface(folder / ("s" + extension));
    }
};

/// Formats that keep a surface as it is.
TEST_F(Formats, ThatHoldPolygonsKeepEveryBitOfPositionsOrderAndNames)
{
    const Surface s = sample_surface();
    for (const char* extension : {".obj", ".ply", ".off", ".vtu"}) {
        const Surface b = back(s, extension);
        EXPECT_EQ(b.vertices, s.vertices) << extension;
        EXPECT_EQ(b.corners, s.corners) << extension;
        EXPECT_EQ(b.polygons, s.polygons) << extension;
        EXPECT_EQ(b.parts, s.parts) << extension;
        EXPECT_TRUE(b.texture.empty()) << extension;
    }
}

TEST_F(Formats, ThatHoldTextureCoordinatesGiveThemBackForEveryCorner)
{
    const auto uv_of_corners = [](const Surface& s) {
        std::vector<Eigen::Vector2d> uv;
        for (const Index i : s.corner_texture) uv.push_back(i < 0 ? Eigen::Vector2d(9, 9) : s.texture[i]);
        return uv;
    };
    const Surface rich = rich_surface(), plain = vertex_textured_surface();
    for (const char* extension : {".obj", ".ply", ".vtu"}) {
        const Surface b = back(rich, extension);
        EXPECT_EQ(uv_of_corners(b), uv_of_corners(rich)) << extension;
        EXPECT_EQ(b.parts, rich.parts) << extension;
        EXPECT_EQ(b.material_files, rich.material_files) << extension;
    }
    for (const char* extension : {".obj", ".ply", ".vtu", ".off"}) {
        const Surface b = back(plain, extension);
        EXPECT_EQ(b.texture, plain.texture) << extension;
        EXPECT_EQ(b.corner_texture, plain.corner_texture) << extension;
    }
}

TEST_F(Formats, MshKeepsTrianglesQuadranglesAndNamesInAllVersions)
{
    const Surface s = sample_surface();
    for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
        for (const MshEncoding encoding : {MshEncoding::text, MshEncoding::binary}) {
            const Surface b = msh_surface_from_bytes(msh_bytes("s.msh", s, version, encoding), "s.msh");
            EXPECT_EQ(b.vertices, s.vertices);
            EXPECT_EQ(b.polygons, (std::vector<Index>{0, 3, 7, 10, 13, 16})); // the pentagon is cut
            EXPECT_EQ(b.corners, (std::vector<Index>{0, 1, 2, 0, 2, 3, 5, 1, 2, 3, 1, 3, 5, 1, 5, 6}));
            EXPECT_EQ(b.parts, s.parts);
        }
    }
    EXPECT_EQ(back(s, ".msh").parts, s.parts);
}

TEST_F(Formats, StlKeepsTrianglesAndNames)
{
    const Surface s = sample_surface();
    const Surface b = back(s, ".stl");
    EXPECT_EQ(b.vertices,
        (std::vector<Vec3>{s.vertices[0], s.vertices[1], s.vertices[2], s.vertices[3], s.vertices[5],
            s.vertices[6]})); // vertex 4 is not used
    EXPECT_EQ(b.corners, (std::vector<Index>{0, 1, 2, 0, 2, 3, 0, 3, 4, 1, 2, 3, 1, 3, 4, 1, 4, 5}));
    EXPECT_EQ(names_of_polygons(b), (std::vector<std::string>{"", "left side", "left side", "lid", "lid", "lid"}));

    const Surface single = stl_from_bytes(stl_bytes("s.stl", s, StlEncoding::binary), "s.stl");
    EXPECT_EQ(single.corners, b.corners);
    ASSERT_EQ(single.vertices.size(), b.vertices.size());
    for (std::size_t i = 0; i < b.vertices.size(); ++i) {
        EXPECT_EQ(single.vertices[i], b.vertices[i].cast<float>().cast<double>());
    }
}

TEST_F(Formats, ThatHoldTrianglesCutConcavePolygonsWithinThemselves)
{
    Surface s;
    s.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    s.corners = {1, 2, 3, 4, 5, 0}; // from there a fan leaves the L
    s.polygons = {0, 6};
    for (const char* extension : {".stl", ".msh"}) {
        const Surface b = back(s, extension);
        ASSERT_EQ(b.polygon_count(), 4U) << extension;
        for (std::size_t p = 0; p < 4; ++p) {
            const Vec3& a = b.vertices[b.corners[3 * p]];
            const Vec3& c = b.vertices[b.corners[3 * p + 1]];
            const Vec3& d = b.vertices[b.corners[3 * p + 2]];
            EXPECT_GT((c - a).cross(d - a).z(), 0) << extension;
        }
    }
}

TEST_F(Formats, PlyIsTheSameInAllEncodings)
{
    const Surface s = rich_surface();
    const Surface text = ply_from_bytes(ply_bytes("s.ply", s, PlyEncoding::text), "s.ply");
    EXPECT_EQ(text.vertices, s.vertices);
    EXPECT_EQ(text.corner_texture, s.corner_texture);
    EXPECT_EQ(text.parts, s.parts);

    // big endian, by hand: two properties more, of which one is a list, and an element more
    std::string big = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty uchar red\nproperty float y\n"
                      "property float x\nproperty float z\nelement edge 1\nproperty short a\nelement face 1\n"
                      "property list uchar float extra\nproperty list ushort uint vertex_index\nend_header\n";
    const std::string one("\x3f\x80\0\0", 4), zero(4, '\0');
    big += "\x01" + zero + zero + zero;
    big += "\x02" + one + zero + zero;
    big += "\x03" + zero + one + zero;
    big += std::string("\0\7", 2);
    big += "\x01" + one + std::string("\0\3\0\0\0\0\0\0\0\2\0\0\0\1", 14);
    const Surface b = ply_from_bytes(big, "s.ply");
    EXPECT_EQ(b.vertices, (std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}));
    EXPECT_EQ(b.corners, (std::vector<Index>{0, 2, 1}));
}

TEST_F(Formats, PlyKeepsTextureByWholePolygons)
{
    Surface s = rich_surface();
    s.corner_texture.assign(s.corners.size(), 0);
    s.corner_texture[s.polygons[1] + 1] = -1;
    const Surface b = back(s, ".ply");
    for (std::size_t p = 0; p < s.polygon_count(); ++p) {
        for (Index c = s.polygons[p]; c < s.polygons[p + 1]; ++c) EXPECT_EQ(b.corner_texture[c] >= 0, p != 1);
    }
}

TEST_F(Formats, PlyFromOtherProgramsIsRead)
{
    const Surface s
        = ply_from_bytes("ply\r\nformat ascii 1.0\r\ncomment made by x\r\nobj_info y\r\nelement vertex 3\r\n"
                         "property float x\r\nproperty float y\r\nproperty float z\r\nproperty float nx\r\n"
                         "property float texture_u\r\nproperty float texture_v\r\nelement face 1\r\n"
                         "property list uint8 int32 vertex_indices\r\nproperty int flags\r\nend_header\r\n"
                         "0 0 0 nan 0.5 0.25\r\n1 0 0 1 1 0\r\n0 1 0 1 0 1\r\n3 2 1 0 7\r\n",
            "s.ply");
    EXPECT_EQ(s.corners, (std::vector<Index>{2, 1, 0}));
    EXPECT_EQ(s.texture, (std::vector<Eigen::Vector2d>{{0.5, 0.25}, {1, 0}, {0, 1}}));
    EXPECT_EQ(s.corner_texture, s.corners);
    EXPECT_TRUE(s.parts.empty());
}

TEST_F(Formats, PlyMistakesAreRefusedWithTheirPlace)
{
    const std::string head
        = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
          "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    const auto refused = [&](const std::string& text) { return refusal([&] { ply_from_bytes(text, "s.ply"); }); };
    const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(refused(head + vertices + "3 0 1 2\n"), "accepted");
    EXPECT_EQ(refused(head + vertices + "3 0 1 3\n"),
        "s.ply:13: corner of face 1 = 3: must be from 0 to 2, a number of a vertex");
    EXPECT_EQ(refused(head + vertices + "2 0 1\n"), "s.ply:13: number of corners of face 1 = 2: must be at least 3");
    EXPECT_EQ(
        refused(head + "0 0 0\n1 0\n0 1 0\n3 0 1 2\n"), "s.ply:11: z of vertex 2 = end of line: the line is too short");
    EXPECT_EQ(
        refused(head + "0 0 inf\n1 0 0\n0 1 0\n3 0 1 2\n"), "s.ply:10: z of vertex 1 = inf: must be a finite number");
    EXPECT_EQ(refused("ply\nformat ascii 2.0\n"), "s.ply:2: version of header = 2.0: must be 1.0");
    EXPECT_EQ(refused("ply\nformat ascii 1.0\nelement vertex 3\nproperty vec x\n"),
        "s.ply:4: type of header = vec: must be list or a type such as float or double");
    EXPECT_EQ(refused("off\n"), "s.ply:1: first line = off: a PLY file begins with ply");
    std::string many = head + vertices + "3 0 1 2\n";
    many.replace(many.find("vertex 3"), 8, "vertex 900000000");
    EXPECT_NE(refused(many).find("900000000: the file is too short for so many"), std::string::npos);
}

TEST_F(Formats, StlFromOtherProgramsIsRead)
{
    const std::string text = "SOLID  two words\n FACET NORMAL nan 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n   VERTEX 1 0 0\n"
                             "   VERTEX 0 1 -0\n  ENDLOOP\n ENDFACET\nENDSOLID two words\nsolid\nfacet normal 0 0 1\n"
                             "outer loop\nvertex 0 1 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid\n";
    const Surface s = stl_from_bytes(text, "s.stl");
    EXPECT_EQ(s.vertices.size(), 4u); // -0 and 0 are the same place
    EXPECT_EQ(s.corners, (std::vector<Index>{0, 1, 2, 2, 1, 3}));
    EXPECT_EQ(s.parts, (std::vector<SurfacePart>{{0, "", "two words", ""}, {1, "", "", ""}}));

    std::string binary = stl_bytes("s.stl", s, StlEncoding::binary);
    binary.replace(0, 5, "solid"); // as some programs begin their binary files
    EXPECT_EQ(stl_from_bytes(binary, "s.stl").corners, s.corners);
}

TEST_F(Formats, StlMistakesAreRefusedWithTheirPlace)
{
    const auto refused = [&](const std::string& text) { return refusal([&] { stl_from_bytes(text, "s.stl"); }); };
    EXPECT_EQ(refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"),
        "s.stl:4: z of triangle 1 = x: must be a finite number");
    EXPECT_EQ(refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
        "s.stl:5: word of triangle 1 = endloop: expected vertex here");
    EXPECT_EQ(refused("solid a\nendsolid a\n"), "s.stl:2: triangles = none: at least one is needed");
    EXPECT_EQ(refused(""), "s.stl:1: solid = nothing: the file is empty");
    const std::string good = stl_bytes("s.stl", sample_surface(), StlEncoding::binary);
    EXPECT_NE(
        refused(good.substr(0, good.size() - 1)).find("number of triangles at byte 80 = 6: the file is too short"),
        std::string::npos);
    EXPECT_NE(refused(good + "x").find("a file of so many has 384 bytes, this one has 385"), std::string::npos);
    std::string bad = good;
    bad.replace(84 + 12, 4, std::string("\0\0\x80\x7f", 4));
    EXPECT_EQ(refused(bad), "s.stl: x of triangle 1 at byte 96 = inf: must be a finite number");
}

TEST_F(Formats, OffIsReadWithCommentsColoursAndNormals)
{
    const Surface s = off_from_bytes("# a comment\nCNOFF # another\n# one more\n3 1\n0 0 0 0 0 1 255 0 0 1\n\n"
                                     "1 0 0 0 0 1 255 0 0 1 # here too\n0 1 0 0 0 1 255 0 0 1\n3 0 1 2 0.5 0.5 0.5\n",
        "s.off");
    EXPECT_EQ(s.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(s.corners, (std::vector<Index>{0, 1, 2}));
    const auto refused = [&](const std::string& text) { return refusal([&] { off_from_bytes(text, "s.off"); }); };
    EXPECT_EQ(refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
        "s.off:6: corner of face 1 = 3: must be less than 3, the number of vertices");
    EXPECT_NE(refused("4OFF\n3 1 0\n").find("must be OFF"), std::string::npos);
    EXPECT_NE(refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n").find("s.off:7: text behind the last face"),
        std::string::npos);
    EXPECT_NE(refused("OFF\n300000000 1 0\n").find("too short for so many"), std::string::npos);
    EXPECT_EQ(refused("STOFF\n3 1 0\n0 0 0 1\n1 0 0\n0 1 0\n3 0 1 2\n"),
        "s.off:3: texture coordinates of vertex 1 = end of line: a vertex of an STOFF file has two");
}

TEST_F(Formats, NamesThatNoLongerFitTheFacesAreForgotten)
{
    Surface s = sample_surface();
    std::string text = ply_bytes("s.ply", s, PlyEncoding::text);
    text.replace(text.find("rubato part 2"), 13, "rubato part 9");
    EXPECT_TRUE(ply_from_bytes(text, "s.ply").parts.empty());
}

TEST_F(Formats, KeepTetsWithEveryBitAndGroups)
{
    TetMesh mesh = rotated(box_mesh(Vec3(1, 2, 3), {2, 1, 1}), Vec3(1, 1, 0), 0.4);
    mesh.groups["two words & <more>"] = {1, 3};
    for (const char* name : {"m.msh", "m.VTU"}) {
        write_tets(folder / name, mesh);
        const TetMesh b = read_tets(folder / name);
        EXPECT_EQ(b.nodes, mesh.nodes) << name;
        EXPECT_EQ(b.tets, mesh.tets) << name;
        EXPECT_EQ(b.groups, mesh.groups) << name;
        EXPECT_TRUE(std::holds_alternative<TetMesh>(read_any(folder / name)));
        EXPECT_NE(refusal([&] { read_surface(folder / name); }).find("12 tetrahedra: a surface is needed here"),
            std::string::npos);
    }
}

TEST_F(Formats, ThatAreUnknownOrCannotHoldWhatIsAskedAreNamed)
{
    const TetMesh mesh = box_mesh(Vec3::Ones(), {1, 1, 1});
    const std::string file = (folder / "m.stp").string();
    EXPECT_EQ(refusal([&] { read_any(file); }),
        file + ": extension = .stp: unknown format of a mesh; known are .msh, .vtu, .obj, .ply, .stl, .off");
    EXPECT_NE(refusal([&] { write_tets(folder / "m", mesh); }).find("extension = none"), std::string::npos);
    EXPECT_NE(refusal([&] {
        write_tets(folder / "m.obj", mesh);
    }).find("this format holds surfaces only; tetrahedra are written to .msh, .vtu"),
        std::string::npos);
    EXPECT_NE(
        refusal([&] { read_tets(folder / "m.obj"); }).find("tetrahedra are read from .msh, .vtu"), std::string::npos);
    write_surface(folder / "m.msh", sample_surface());
    EXPECT_NE(refusal([&] { read_tets(folder / "m.msh"); }).find("mesh its volume first"), std::string::npos);
    EXPECT_EQ(file_count(), 1u);
}

} // namespace
} // namespace rubato
