#include "base/errors.hpp"
#include "files/scratch_folder.hpp"
#include "geometry/check.hpp"
#include "geometry/files/read_msh.hpp"
#include "geometry/files/read_obj.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/generators.hpp"
#include "geometry/transforms.hpp"
#include "with.hpp"

#include <cstring>

namespace rubato {
namespace {

/// The message when `text` is refused.
std::string msh_refusal(const std::string& text)
{
    try {
        msh_from_bytes(text, "m.msh");
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

/// Two tetrahedra and all kinds of lower elements, tags with gaps and out of order, one unused node (tag 50).
const std::string text_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
0 1 "tip"
2 3 "base plate"
3 7 "body"
1 9 "nothing"
$EndPhysicalNames
$Comments
3 words $Nodes
$EndComments
$Nodes
6
10 0 0 0
40 0.1 0.2 1e0
20 +1 0 0
50 9 9 9
30 0 1 0
60 -0.5 0 -1.5
$EndNodes
$Elements
7
1 15 2 1 1 40
2 15 2 1 1 50
3 2 2 3 1 10 30 20
4 1 2 0 1 10 20
5 4 2 7 1 10 20 30 40
6 4 3 -7 1 0 10 30 20 60
7 2 2 5 1 10 30 20
$EndElements
)";

const std::string text_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 1 "tip"
2 3 "base plate"
3 7 "body"
$EndPhysicalNames
$Entities
2 1 1 1
5 0.1 0.2 1 1 1
6 9 9 9 1 1
1 0 0 0 1 1 1 0 2 5 -6
2 0 0 0 1 1 1 2 -3 5 1 1
1 -0.5 0 -1.5 1 1 1 1 7 1 2
$EndEntities
$Nodes
3 6 10 60
0 5 0 1
40
0.1 0.2 1e0
2 2 1 3
10
20
30
0 0 0 0.25 0.5
1 0 0 0.25 0.5
0 1 0 0.25 0.5
3 1 0 2
50
60
9 9 9
-0.5 0 -1.5
$EndNodes
$Elements
4 5 1 5
0 5 15 1
1 40
0 6 15 1
2 50
2 2 2 1
3 10 30 20
3 1 4 2
4 10 20 30 40
5 10 30 20 60
$EndElements
)";

TEST(ReadMsh, ReadsVersion2WithGapsInTagsAndAllKindsOfGroups)
{
    const TetMesh mesh = msh_from_bytes(text_2, "m.msh");
    const std::vector<Vec3> nodes = {{0, 0, 0}, {0.1, 0.2, 1}, {1, 0, 0}, {0, 1, 0}, {-0.5, 0, -1.5}};
    EXPECT_EQ(mesh.nodes, nodes); // tags 10 40 20 30 60; 50 is in no tetrahedron
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 2, 3, 1}, {0, 3, 2, 4}}));
    const std::map<std::string, std::vector<Index>> groups = {{"tip", {1}}, {"base plate", {0, 2, 3}},
        {"body", {0, 1, 2, 3, 4}}, {"nothing", {}}, {"physical_2_5", {0, 2, 3}}};
    EXPECT_EQ(mesh.groups, groups);
    EXPECT_TRUE(mesh_mistakes(mesh, "").empty());
}

TEST(ReadMsh, ReadsVersion4WithGapsInTagsAndAllKindsOfGroups)
{
    const TetMesh mesh = msh_from_bytes(text_4, "m.msh");
    const std::vector<Vec3> nodes = {{0.1, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.5, 0, -1.5}};
    EXPECT_EQ(mesh.nodes, nodes); // tags 40 10 20 30 60
    EXPECT_EQ(mesh.tets, (std::vector<Tet>{{1, 2, 3, 0}, {1, 3, 2, 4}}));
    const std::map<std::string, std::vector<Index>> groups
        = {{"tip", {0}}, {"base plate", {1, 2, 3}}, {"body", {0, 1, 2, 3, 4}}, {"physical_2_5", {1, 2, 3}}};
    EXPECT_EQ(mesh.groups, groups);
}

TEST(ReadMsh, ReadsLineEndsOfOtherSystems)
{
    std::string text;
    for (const char c : text_4) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(msh_from_bytes(text, "").tets, msh_from_bytes(text_4, "").tets);
    EXPECT_EQ(msh_from_bytes(text, "").groups, msh_from_bytes(text_4, "").groups);
}

TEST(ReadMsh, MergesElementsThatVersion2WritesOncePerGroup)
{
    const std::string twice = with(with(text_2, "$Elements\n7", "$Elements\n8"), "7 2 2 5 1 10 30 20",
        "7 2 2 5 1 10 30 20\n8 4 2 8 1 10 20 30 40");
    const TetMesh mesh = msh_from_bytes(twice, "");
    EXPECT_EQ(mesh.tets.size(), 2u);
    EXPECT_EQ(mesh.groups.at("physical_3_8"), (std::vector<Index>{0, 1, 2, 3}));
    // within one group it is a mistake of the mesh
    const TetMesh same = msh_from_bytes(with(twice, "8 4 2 8 1", "8 4 2 7 1"), "");
    EXPECT_EQ(same.tets.size(), 3u);
    EXPECT_EQ(mesh_mistakes(same, "").size(), 1u);
}

class RoundTrip : public testing::TestWithParam<std::tuple<MshVersion, MshEncoding>> { };

INSTANTIATE_TEST_SUITE_P(AllFormats, RoundTrip,
    testing::Combine(
        testing::Values(MshVersion::v2_2, MshVersion::v4_1), testing::Values(MshEncoding::text, MshEncoding::binary)));

TEST_P(RoundTrip, KeepsEveryBitOfPositionsAndAllTetsAndGroups)
{
    TetMesh mesh = rotated(box_mesh(Vec3(1, 2, 3), {3, 2, 4}, CellSplit::five), Vec3(1, 2, 3), 0.3);
    mesh = scaled(mesh, Vec3(1e-7, 1.0 / 3, 1e12));
    mesh.groups["empty"] = {};
    mesh.groups["a \"quoted\" name, with äöü"] = {1, 5};
    const auto [version, encoding] = GetParam();
    const TetMesh back = msh_from_bytes(msh_bytes("m.msh", mesh, version, encoding), "m.msh");
    EXPECT_EQ(back.nodes, mesh.nodes);
    EXPECT_EQ(back.tets, mesh.tets);
    EXPECT_EQ(back.groups, mesh.groups);
}

TEST_P(RoundTrip, KeepsAMeshWithoutGroups)
{
    TetMesh mesh = box_mesh(Vec3(1, 2, 3), {1, 1, 1});
    mesh.groups.clear();
    const auto [version, encoding] = GetParam();
    const TetMesh back = msh_from_bytes(msh_bytes("m.msh", mesh, version, encoding), "m.msh");
    EXPECT_EQ(back.nodes, mesh.nodes);
    EXPECT_TRUE(back.groups.empty());
}

TEST(ReadMsh, RefusesTextWithLineValueAndWhatIsAllowed)
{
    const auto refused_2
        = [](const std::string& from, const std::string& to) { return msh_refusal(with(text_2, from, to)); };
    const auto refused_4
        = [](const std::string& from, const std::string& to) { return msh_refusal(with(text_4, from, to)); };
    EXPECT_EQ(refused_2("2.2 0 8", "3.0 0 8"),
        "m.msh:2: version of $MeshFormat = 3: versions 2.2 and 4.1 are read; save again as one of them");
    EXPECT_EQ(refused_2("40 0.1 0.2 1e0", "40 0.1 0.2 abc"), "m.msh:17: z of node 2 = abc: must be a finite number");
    EXPECT_EQ(refused_2("40 0.1 0.2 1e0", "40 0.1 nan 1e0"), "m.msh:17: y of node 2 = nan: must be a finite number");
    EXPECT_EQ(refused_2("40 0.1 0.2 1e0", "40 0.1 -inf 1e0"), "m.msh:17: y of node 2 = -inf: must be a finite number");
    EXPECT_EQ(
        refused_2("40 0.1 0.2 1e0", "40 0.1 0.2 1e999"), "m.msh:17: z of node 2 = 1e999: must be a finite number");
    EXPECT_EQ(refused_2("40 0.1 0.2 1e0", "40 0.1 0.2"), "m.msh:17: z of node 2 = end of line: the line is too short");
    EXPECT_EQ(refused_2("20 +1 0 0", "10 +1 0 0"),
        "m.msh:21: node tag of node 6 = 10: occurs twice; node tags must be different");
    EXPECT_EQ(refused_2("5 4 2 7 1 10 20 30 40", "5 4 2 7 1 10 20 30 41"),
        "m.msh:29: node tag of element 5 = 41: there is no node with this tag in $Nodes");
    EXPECT_EQ(refused_2("$Nodes\n6", "$Nodes\n5"),
        "m.msh:21: $EndNodes = 60: expected $EndNodes here; a count before it may be wrong");
    EXPECT_EQ(refused_2("$Nodes\n6", "$Nodes\n7"),
        "m.msh:22: node tag of node 7 = $EndNodes: must be an integer of at most 32 bits");
    EXPECT_NE(refused_2("$Nodes\n6", "$Nodes\n600000000").find("the file is too short for so many"), std::string::npos);
    EXPECT_NE(refused_2("$Elements\n7", "$Elements\n400000000").find("the file is too short"), std::string::npos);
    EXPECT_NE(refused_2("$Nodes\n6", "$Nodes\n-6").find("integer >= 0"), std::string::npos);
    EXPECT_EQ(refused_2("\"base plate\"", "base plate"),
        "m.msh:7: text of physical name 2 = base plate: must be a name of at least one letter between double quotes");
    EXPECT_EQ(
        refused_2("$EndComments", "$EndComment"), "m.msh:11: $Comments = end of file: is not closed by $EndComments");

    EXPECT_NE(refused_4("3 6 10 60", "3 7 10 60").find("nodes in all blocks of $Nodes = 6: the section announces 7"),
        std::string::npos);
    EXPECT_NE(refused_4("4 5 1 5", "4 4 1 5").find("must be at most 1, what the section announces"), std::string::npos);
    EXPECT_NE(refused_4("4 5 1 5", "3 5 1 5").find("elements in all blocks of $Elements = 3"), std::string::npos);
    EXPECT_EQ(refused_4("4.1 0 8", "4.1 0 4"), "m.msh:2: data size of $MeshFormat = 4: must be 8");
    EXPECT_EQ(refused_4("4.1 0 8", "4.1 2 8"), "m.msh:2: file type of $MeshFormat = 2: must be 0 (text) or 1 (binary)");
    EXPECT_NE(refused_4("3 1 0 2", "4 1 0 2").find("must be 0, 1, 2 or 3"), std::string::npos);
    EXPECT_NE(refused_4("2 2 2 1\n3 10 30 20", "2 2 4 1\n3 10 30 20 60").find("does not fit the dimension 2"),
        std::string::npos);
    EXPECT_NE(refused_4("3 6 10 60", "3 18446744073709551615 10 60").find("is too large"), std::string::npos);
    EXPECT_NE(
        refused_4("5 0.1 0.2 1 1 1", "5 0.1 0.2 1 999999999999 1").find("must be at most 100"), std::string::npos);
    EXPECT_NE(refused_4("$Entities", "$PartitionedEntities").find("save the mesh unpartitioned"), std::string::npos);
}

TEST(ReadMsh, RefusesOtherFilesAndMissingSections)
{
    EXPECT_EQ(msh_refusal(""), "m.msh:1: $MeshFormat = nothing: the file is empty");
    EXPECT_EQ(msh_refusal("solid cube\n"), "m.msh:1: first word = solid: a Gmsh mesh begins with $MeshFormat");
    EXPECT_NE(msh_refusal(std::string(1000, '\0')).find("a Gmsh mesh begins with"), std::string::npos);
    EXPECT_NE(msh_refusal("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n").find("this section is missing"), std::string::npos);
    const std::size_t elements = text_2.find("$Elements");
    EXPECT_NE(msh_refusal(text_2.substr(0, elements)).find("$Elements = nothing: this section is missing"),
        std::string::npos);
    EXPECT_NE(msh_refusal(text_2 + text_2.substr(elements)).find("occurs twice"), std::string::npos);
    EXPECT_NE(msh_refusal(with(text_2, "$Nodes\n6", "$Other\n6")).find("not closed by $EndOther"), std::string::npos);
}

TEST(ReadMsh, RefusesElementsOfHigherOrderByName)
{
    const std::string message
        = msh_refusal(with(text_2, "5 4 2 7 1 10 20 30 40", "5 11 2 7 1 10 20 30 40 1 1 1 1 1 1"));
    EXPECT_NE(message.find("11 (10-node tetrahedron)"), std::string::npos) << message;
    EXPECT_NE(message.find("Mesh.ElementOrder = 1"), std::string::npos) << message;
    EXPECT_NE(msh_refusal(with(text_2, "5 4 2", "5 5 2")).find("5 (8-node hexahedron)"), std::string::npos);
    EXPECT_NE(msh_refusal(with(text_2, "5 4 2", "5 777 2")).find("unknown"), std::string::npos);
}

TEST(ReadMsh, RefusesAMeshOfTrianglesOnly)
{
    const std::string message
        = msh_refusal(with(with(with(text_2, "$Elements\n7", "$Elements\n5"), "5 4 2 7 1 10 20 30 40\n", ""),
            "6 4 3 -7 1 0 10 30 20 60\n", ""));
    EXPECT_NE(message.find("there are 5 other elements; mesh the volume first"), std::string::npos) << message;
}

TEST(ReadMsh, RefusesBinaryDamageWithTheByte)
{
    TetMesh mesh = box_mesh(Vec3::Ones(), {1, 1, 1});
    mesh.groups.clear();
    for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
        const std::string good = msh_bytes("m.msh", mesh, version, MshEncoding::binary);
        std::string bad = good;
        const std::size_t mark = bad.find(" 1 8\n") + 5;
        std::swap(bad[mark], bad[mark + 3]);
        EXPECT_NE(
            msh_refusal(bad).find("byte order mark of $MeshFormat at byte " + std::to_string(mark)), std::string::npos);
        EXPECT_NE(msh_refusal(bad).find("other byte order"), std::string::npos);

        bad = good;
        const std::size_t end = bad.find("\n$EndNodes");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        std::memcpy(&bad[end - 8], &nan, 8);
        EXPECT_EQ(msh_refusal(bad),
            "m.msh: z of node 8 at byte " + std::to_string(end - 8) + " = nan: must be a finite number");

        EXPECT_NE(msh_refusal(good.substr(0, end - 3)).find(" short"), std::string::npos);
    }
    // version 4.1: an absurd number of nodes, which must not be reserved
    std::string bad = msh_bytes("m.msh", mesh, MshVersion::v4_1, MshEncoding::binary);
    const std::uint64_t absurd = 600'000'000;
    std::memcpy(&bad[bad.find("$Nodes\n") + 7 + 8], &absurd, 8);
    EXPECT_NE(msh_refusal(bad).find("600000000: the file is too short for so many"), std::string::npos);
}

class MeshFiles : public ScratchFolder { };

TEST_F(MeshFiles, AreReadBackFromDisk)
{
    const TetMesh mesh = box_mesh(Vec3::Ones(), {2, 2, 2});
    write_msh(folder / "box.msh", mesh);
    EXPECT_EQ(read_msh(folder / "box.msh").nodes, mesh.nodes);
}

TEST_F(MeshFiles, ThatAreMissingOrNotFilesAreInputErrors)
{
    try {
        read_msh(folder / "none.msh");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_EQ(e.what(), (folder / "none.msh").string() + ": there is no such file");
    }
    EXPECT_THROW(read_msh(folder), InputError);
    EXPECT_THROW(read_msh("/dev/zero"), InputError);
    EXPECT_THROW(read_obj(folder / "none.obj"), InputError);
}

/// With RUBATO_EXTRA_MESHES set to a folder, every mesh under it must be read and be fit to simulate.
TEST(ExtraMeshes, AreReadAndSound)
{
    const char* root = std::getenv("RUBATO_EXTRA_MESHES");
    if (root == nullptr) GTEST_SKIP() << "RUBATO_EXTRA_MESHES is not set";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        const std::string file = entry.path().string();
        if (entry.path().extension() == ".msh") {
            const TetMesh mesh = read_msh(entry.path());
            for (const Mistake& m : mesh_mistakes(mesh, file)) ADD_FAILURE() << m.text();
            EXPECT_FALSE(boundary_triangles(mesh.tets).empty()) << file;
            for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
                for (const MshEncoding encoding : {MshEncoding::text, MshEncoding::binary}) {
                    const TetMesh back = msh_from_bytes(msh_bytes(file, mesh, version, encoding), file);
                    EXPECT_EQ(back.nodes, mesh.nodes) << file;
                    EXPECT_EQ(back.tets, mesh.tets) << file;
                }
            }
        } else if (entry.path().extension() == ".obj") {
            EXPECT_FALSE(read_obj(entry.path()).triangles.empty()) << file;
        }
    }
}

} // namespace
} // namespace rubato
