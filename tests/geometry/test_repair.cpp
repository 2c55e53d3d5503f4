#include "geometry/check.hpp"
#include "geometry/generators.hpp"
#include "geometry/repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace rubato {
namespace {

using Lines = std::vector<std::string>;

TetMesh sound_box() { return box_mesh(Vec3::Ones(), {2, 2, 2}); }

double volume_of(const TetMesh& mesh)
{
    double sum = 0;
    for (const Tet& t : mesh.tets) {
        sum += det_of_edges(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]) / 6;
    }
    return sum;
}

TEST(Repair, LeavesASoundMeshAlone)
{
    const TetMesh mesh = sound_box();
    Lines log;
    const TetMesh same = repaired(mesh, log);
    EXPECT_TRUE(log.empty());
    EXPECT_EQ(same.nodes, mesh.nodes);
    EXPECT_EQ(same.tets, mesh.tets);
    EXPECT_EQ(same.groups, mesh.groups);
}

TEST(Repair, TurnsTetsOfNegativeVolume)
{
    for (const std::vector<int>& flipped : {std::vector<int>{3}, std::vector<int>{0, 1, 2, 3, 4, 20, 30}}) {
        TetMesh mesh = sound_box();
        for (const int e : flipped) std::swap(mesh.tets[e][0], mesh.tets[e][1]);
        Lines log;
        const TetMesh sound = repaired(mesh, log);
        EXPECT_TRUE(mesh_report(sound).findings.empty());
        EXPECT_NEAR(volume_of(sound), 1, 1e-14);
        ASSERT_EQ(log.size(), 1u);
        EXPECT_TRUE(log[0].starts_with("swapped two nodes of tetrahedr")) << log[0];
    }
    TetMesh mesh = sound_box();
    for (Tet& tet : mesh.tets) std::swap(tet[0], tet[1]);
    Lines log;
    EXPECT_TRUE(mesh_report(repaired(mesh, log)).findings.empty());
    EXPECT_EQ(log, Lines{"swapped two nodes of tetrahedra 1, 2, 3, 4, 5 and 43 more: the volume was negative"});
}

TEST(Repair, DoesNotTurnATetThatANodeWasPushedThrough)
{
    TetMesh mesh;
    // two tetrahedra on a common face; the tip of the second has been pushed through that face
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {0.2, 0.2, 0.3}};
    mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
    Lines log;
    const TetMesh same = repaired(mesh, log);
    EXPECT_EQ(same.tets, mesh.tets);
    EXPECT_EQ(
        log, Lines{"left: tetrahedron 2: inverted, and overlaps a neighbour: swapping two nodes would not mend it"});
}

TEST(Repair, DropsRepeatsAndTetsThatUseANodeTwice)
{
    TetMesh mesh = sound_box();
    const Tet t = mesh.tets[5];
    mesh.tets.insert(mesh.tets.begin() + 9, {{t[1], t[0], t[2], t[3]}, {t[0], t[0], t[1], t[2]}});
    Lines log;
    const TetMesh sound = repaired(mesh, log);
    EXPECT_EQ(sound.tets, sound_box().tets);
    EXPECT_EQ(log,
        (Lines{"dropped tetrahedron 11: a node twice", "dropped tetrahedron 10: the same nodes as an earlier one"}));
}

TEST(Repair, DropsUnusedNodesAndGroupsFollow)
{
    TetMesh mesh = sound_box();
    mesh.nodes.insert(mesh.nodes.begin() + 3, Vec3(9, 9, 9));
    for (Tet& tet : mesh.tets) {
        for (Index& i : tet) i += i >= 3;
    }
    mesh.groups = {{"a", {0, 3, 4, 27}}, {"b", {3}}};
    Lines log;
    const TetMesh sound = repaired(mesh, log);
    EXPECT_EQ(sound.nodes, sound_box().nodes);
    EXPECT_EQ(sound.tets, sound_box().tets);
    EXPECT_EQ(sound.groups, (std::map<std::string, std::vector<Index>>{{"a", {0, 3, 26}}, {"b", {}}}));
    EXPECT_EQ(log, Lines{"dropped node 4: no tetrahedron uses it"});
}

/// The two halves of a box with nodes of their own on the plane between them.
TetMesh cracked()
{
    TetMesh mesh = sound_box();
    const std::vector<Vec3> nodes = mesh.nodes;
    std::vector<Index> copy(nodes.size(), -1);
    for (Tet& tet : mesh.tets) {
        Vec3 center = Vec3::Zero();
        for (const Index i : tet) center += nodes[i] / 4;
        if (center[0] < 0) continue;
        for (Index& i : tet) {
            if (std::abs(nodes[i][0]) > 1e-12) continue;
            if (copy[i] < 0) {
                copy[i] = static_cast<Index>(mesh.nodes.size());
                mesh.nodes.push_back(nodes[i]);
            }
            i = copy[i];
        }
    }
    mesh.groups["copies"] = {27, 30};
    return mesh;
}

TEST(Repair, MergesNodesOfACrack)
{
    ASSERT_EQ(cracked().nodes.size(), 36u);
    Lines log;
    const TetMesh sound = repaired(cracked(), log);
    EXPECT_EQ(sound.nodes, sound_box().nodes);
    EXPECT_EQ(sound.tets, sound_box().tets);
    EXPECT_EQ(sound.groups.at("copies").size(), 2u);
    EXPECT_TRUE(mesh_report(sound).findings.empty());
    EXPECT_EQ(log, Lines{"merged nodes 28, 29, 30, 31, 32 and 4 more with the earlier node at the same place"});
}

TEST(Repair, DoesNotMergeNodesOfBodiesThatTouchAtAPoint)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {-1, 0, 0}, {0, 0, -1}, {0, -1, 0}};
    mesh.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    Lines log;
    EXPECT_EQ(repaired(mesh, log).tets, mesh.tets);
    ASSERT_EQ(log.size(), 1u);
    EXPECT_TRUE(log[0].starts_with("left: node 5: at the place of an earlier node")) << log[0];
}

TEST(Repair, DropsFlatTetsAtTheBoundaryOnly)
{
    // a flat tetrahedron on top of two triangles of the box
    TetMesh mesh = sound_box();
    const std::vector<Triangle> boundary = boundary_triangles(mesh.tets);
    Triangle first{}, second{};
    for (const Triangle& t : boundary) { // two triangles of one plane with a common edge
        for (const Triangle& u : boundary) {
            int common = 0, on_top = 0;
            for (const Index i : t) common += std::find(u.begin(), u.end(), i) != u.end();
            for (const Index i : t) on_top += mesh.nodes[i][2] > 0.49;
            for (const Index i : u) on_top += mesh.nodes[i][2] > 0.49;
            if (common == 2 && on_top == 6) first = t, second = u;
        }
    }
    ASSERT_NE(first, second);
    Tet flat = {first[0], first[1], first[2], -1};
    for (const Index i : second) {
        if (std::find(first.begin(), first.end(), i) == first.end()) flat[3] = i;
    }
    const TetMesh good = mesh;
    mesh.tets.push_back(flat);
    ASSERT_EQ(mesh_mistakes(mesh, "").size(), 1u);
    Lines log;
    EXPECT_EQ(repaired(mesh, log).tets, good.tets);
    EXPECT_EQ(log, Lines{"dropped tetrahedron 49: flat, at the boundary"});
}

TEST(Repair, KeepsAFlatTetInside)
{
    // A square of four nodes at mid height; its two diagonals are edges of the halves above and below, so that a flat
    // tetrahedron fills the gap of no volume between them.
    TetMesh mesh;
    mesh.nodes = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.tets = {{0, 1, 2, 4}, {0, 2, 3, 4}, {1, 0, 3, 5}, {1, 3, 2, 5}, {0, 1, 2, 3}};
    Lines log;
    const TetMesh same = repaired(mesh, log);
    EXPECT_EQ(same.tets, mesh.tets);
    EXPECT_EQ(
        log, Lines{"left: tetrahedron 5: flat, and dropping it would open a crack or make the boundary touch itself"});
}

TEST(Repair, LeavesWhatItCannotReadAlone)
{
    TetMesh mesh = sound_box();
    mesh.tets[3][1] = 99;
    Lines log;
    EXPECT_EQ(repaired(mesh, log).tets, mesh.tets);
    EXPECT_EQ(log.size(), 1u);
    mesh = sound_box();
    mesh.nodes[3][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(repaired(mesh, log).tets, mesh.tets);
    EXPECT_EQ(log.size(), 2u);
    mesh = sound_box();
    mesh.groups["a"] = {-1};
    EXPECT_EQ(repaired(mesh, log).groups, mesh.groups);
    EXPECT_EQ(log.size(), 3u);
    log.clear();
    EXPECT_TRUE(repaired(TetMesh{}, log).tets.empty());
    EXPECT_TRUE(log.empty());
}

TEST(Repair, MendsAllKindsAtOnce)
{
    TetMesh mesh = cracked();
    for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
    mesh.tets.push_back(mesh.tets[7]);
    mesh.nodes.emplace_back(5, 5, 5);
    Lines log;
    const TetMesh sound = repaired(mesh, log);
    EXPECT_EQ(log.size(), 4u);
    EXPECT_TRUE(mesh_report(sound).findings.empty());
    EXPECT_NEAR(volume_of(sound), 1, 1e-14);
}

TEST(Repair, NamesFacesOfTooManyTets)
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 2}, {0, 0, -1}};
    mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 2, 1, 5}};
    Lines log;
    EXPECT_EQ(repaired(mesh, log).tets, mesh.tets);
    EXPECT_EQ(
        log, Lines{"left: face 1-2-3 of the repaired mesh: belongs to more than two tetrahedra, which must overlap"});
}

/// Many meshes with random damage: what is not named as left is mended, and a second repair finds nothing to do.
TEST(Repair, NamesWhateverItDoesNotMend)
{
    std::mt19937 random(5);
    int mended = 0, left_some = 0;
    for (int trial = 0; trial < 300; ++trial) {
        TetMesh mesh = trial % 3 == 0 ? cracked() : sound_box();
        const auto any = [&](std::size_t count) { return static_cast<Index>(random() % count); };
        const unsigned changes = random() % 4;
        for (unsigned i = 0; i < changes; ++i) {
            Tet& tet = mesh.tets[any(mesh.tets.size())];
            switch (random() % 6) {
            case 0: std::swap(tet[0], tet[3]); break;
            case 1: mesh.tets.push_back(Tet(tet)); break;
            case 2: tet[1] = tet[2]; break;
            case 3: mesh.nodes[tet[0]] = mesh.nodes[tet[1]]; break;
            case 4: mesh.nodes[tet[0]] += Vec3(0.7, 0.1, -0.3) * (random() % 2); break;
            default: mesh.tets.push_back({tet[0], tet[1], any(mesh.nodes.size()), any(mesh.nodes.size())});
            }
        }
        Lines log, again;
        const TetMesh result = repaired(mesh, log);
        const bool left
            = std::any_of(log.begin(), log.end(), [](const std::string& line) { return line.starts_with("left:"); });
        EXPECT_TRUE(left || mesh_mistakes(result, "").empty()) << trial;
        mended += !left && !log.empty();
        left_some += left;
        const TetMesh twice = repaired(result, again);
        EXPECT_EQ(twice.tets, result.tets) << trial;
        EXPECT_EQ(twice.nodes, result.nodes) << trial;
    }
    EXPECT_GT(mended, 50);
    EXPECT_GT(left_some, 50);
}

} // namespace
} // namespace rubato
