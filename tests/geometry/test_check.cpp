#include "geometry/check.hpp"
#include "geometry/generators.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rubato {
namespace {

/// The text of the only mistake.
std::string only_mistake(const TetMesh& mesh)
{
    const std::vector<Mistake> mistakes = mesh_mistakes(mesh, "m.msh");
    EXPECT_EQ(mistakes.size(), 1u);
    return mistakes.empty() ? "" : mistakes.front().text();
}

TetMesh box() { return box_mesh(Vec3::Ones(), {2, 2, 2}); }

TEST(MeshMistakes, NameInvertedTetsAndTheirNumber)
{
    TetMesh mesh = box();
    for (const int e : {2, 5, 6, 7, 8, 9, 20}) std::swap(mesh.tets[e][0], mesh.tets[e][1]);
    EXPECT_EQ(only_mistake(mesh),
        "m.msh: tetrahedra 3, 6, 7, 8, 9 and 2 more: inverted: 7 of 48 have negative volume; all must have positive "
        "volume");
}

TEST(MeshMistakes, SayThatTheOrientationIsFlippedWhenAllAreInverted)
{
    TetMesh mesh = box();
    for (Tet& tet : mesh.tets) std::swap(tet[0], tet[1]);
    EXPECT_NE(only_mistake(mesh).find("orientation is flipped"), std::string::npos);
}

TEST(MeshMistakes, NameFlatTetsDespiteRounding)
{
    TetMesh mesh;
    mesh.nodes = {{0.1, 0.2, 0.3}, {1.1, 0.2, 0.3}, {0.1, 1.2, 0.3}, {0.1 + 1.0 / 3, 0.2 + 1.0 / 7, 0.3}};
    for (Vec3& x : mesh.nodes) x = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()) * x; // no zero is exact now
    mesh.tets = {{0, 1, 2, 3}};
    EXPECT_NE(only_mistake(mesh).find("tetrahedron 1: flat"), std::string::npos);
}

TEST(MeshMistakes, AcceptThinTetsAndAnyUnitOfLength)
{
    for (const double unit : {1e-30, 1e-6, 1.0, 1e6, 1e30}) {
        TetMesh mesh;
        mesh.nodes = {{0, 0, 0}, {unit, 0, 0}, {0, unit, 0}, {0, 0, 1e-9 * unit}};
        mesh.tets = {{0, 1, 2, 3}};
        EXPECT_TRUE(mesh_mistakes(mesh, "").empty()) << unit;
    }
}

TEST(MeshMistakes, NameVolumesBeyondTheRangeOfNumbers)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1e200}};
    mesh.tets = {{0, 1, 2, 3}};
    EXPECT_NE(only_mistake(mesh).find("range of numbers"), std::string::npos);
}

TEST(MeshMistakes, NameNodesThatAreNotFinite)
{
    TetMesh mesh = box();
    mesh.nodes[4][1] = std::numeric_limits<double>::quiet_NaN();
    mesh.nodes[7][2] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(only_mistake(mesh), "m.msh: nodes 5, 8: coordinates must be finite numbers");
}

TEST(MeshMistakes, NameNodeNumbersOutOfRange)
{
    TetMesh mesh = box();
    mesh.tets[3][2] = 27;
    EXPECT_EQ(only_mistake(mesh), "m.msh: tetrahedron 4: node number out of range; the mesh has 27 nodes");
    mesh.tets[3][2] = -1;
    EXPECT_EQ(only_mistake(mesh), "m.msh: tetrahedron 4: node number out of range; the mesh has 27 nodes");
    mesh = box();
    mesh.groups["lid"] = {3, 30};
    EXPECT_EQ(only_mistake(mesh), "m.msh: group 'lid': node number out of range; the mesh has 27 nodes");
}

TEST(MeshMistakes, NameTetsThatUseANodeTwice)
{
    TetMesh mesh = box();
    mesh.tets[0][1] = mesh.tets[0][3];
    EXPECT_NE(only_mistake(mesh).find("tetrahedron 1: uses a node twice"), std::string::npos);
}

TEST(MeshMistakes, NameTetsThatOccurTwice)
{
    TetMesh mesh = box();
    const Tet t = mesh.tets[5];
    mesh.tets.push_back({t[1], t[2], t[0], t[3]});
    EXPECT_NE(only_mistake(mesh).find("tetrahedron 49: uses the same nodes"), std::string::npos);
}

TEST(MeshMistakes, NameNodesWithoutMass)
{
    TetMesh mesh = box();
    mesh.nodes.emplace_back(0, 0, 0);
    EXPECT_NE(only_mistake(mesh).find("node 28: belongs to no tetrahedron"), std::string::npos);
}

TEST(MeshMistakes, NameAMeshWithoutTets)
{
    EXPECT_EQ(only_mistake(TetMesh{}), "m.msh: holds no tetrahedra; at least one is needed");
}

TEST(MeshMistakes, ReportAllKindsAtOnce)
{
    TetMesh mesh = box();
    std::swap(mesh.tets[0][0], mesh.tets[0][1]);
    mesh.tets[1][0] = 99;
    mesh.tets[2][1] = mesh.tets[2][0];
    EXPECT_EQ(mesh_mistakes(mesh, "").size(), 3u);
}

TEST(MeshMistakes, NameFacesOfMoreThanTwoTets)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 2}, {0, 0, -1}};
    mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 2, 1, 5}};
    EXPECT_EQ(only_mistake(mesh), "m.msh: face 1-2-3: belongs to more than two tetrahedra, which must overlap");
}

/// The findings that are not errors, as text.
std::vector<std::string> remarks(const TetMesh& mesh)
{
    std::vector<std::string> texts;
    const MeshReport report = mesh_report(mesh);
    EXPECT_TRUE(report.sound());
    for (const MeshFinding& f : report.findings) texts.push_back(f.text());
    return texts;
}

TEST(MeshReport, HasNothingToSayAboutASoundMesh) { EXPECT_TRUE(remarks(box()).empty()); }

TEST(MeshReport, NamesErrorsWithAllTheirPlacesAndThePositionOfTheFirst)
{
    TetMesh mesh = box();
    for (const int e : {2, 5, 6, 7, 8, 9, 20}) std::swap(mesh.tets[e][0], mesh.tets[e][1]);
    const MeshReport report = mesh_report(mesh);
    EXPECT_FALSE(report.sound());
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, "inverted");
    EXPECT_EQ(report.findings[0].tets, (std::vector<std::size_t>{2, 5, 6, 7, 8, 9, 20}));
    Vec3 center = Vec3::Zero();
    for (const Index i : mesh.tets[2]) center += mesh.nodes[i] / 4;
    EXPECT_LT((report.findings[0].positions[0] - center).norm(), 1e-15);
    EXPECT_NE(
        report.findings[0].text().find("error: tetrahedra 3, 6, 7, 8, 9 and 2 more: inverted"), std::string::npos);
    EXPECT_NE(report.findings[0].text().find("; the first at ("), std::string::npos);
}

TEST(MeshReport, WarnsOfNearlyFlatTets)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1e-5}};
    mesh.tets = {{0, 1, 2, 3}}; // sqrt(2) 1e-5 / 2^1.5 = 0.5e-5
    const std::vector<std::string> texts = remarks(mesh);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_TRUE(texts[0].starts_with("warning: tetrahedron 1: nearly flat: 1 of 1 have less than 1e-05")) << texts[0];
    mesh.nodes[3][2] = 3e-5;
    EXPECT_TRUE(remarks(mesh).empty());
}

TEST(MeshReport, WarnsOfBoundariesThatTouchAlongAnEdgeOrAtANode)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}};
    mesh.tets = {{0, 1, 2, 3}, {0, 1, 4, 5}};
    EXPECT_EQ(remarks(mesh),
        std::vector<std::string>{
            "warning: edge 1-2: the boundary touches itself along it without a common face; at (0.5, 0, 0)"});
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    mesh.tets = {{0, 1, 2, 3}, {0, 4, 6, 5}};
    for (const Tet& tet : mesh.tets) {
        ASSERT_GT(det_of_edges(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]), 0);
    }
    EXPECT_EQ(remarks(mesh),
        std::vector<std::string>{
            "warning: node 1: the boundary touches itself there without a common face; at (0, 0, 0)"});
}

TEST(MeshReport, WarnsOfTetsOnTheSameSideOfAFace)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 2}};
    mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 4}};
    const std::vector<std::string> texts = remarks(mesh);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_TRUE(texts[0].starts_with("warning: tetrahedra 1, 2: overlaps a neighbour")) << texts[0];
}

TEST(MeshReport, NotesPartsAndWarnsOfNodesAtTheSamePlace)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}};
    mesh.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    EXPECT_EQ(remarks(mesh),
        (std::vector<std::string>{
            "warning: node 5: lies exactly where an earlier node does: there may be a crack; at (0, 0, 0)",
            "note: 2 parts without a common node, of 1, 1 tetrahedra"}));
}

} // namespace
} // namespace rubato
