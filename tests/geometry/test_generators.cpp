#include "base/errors.hpp"
#include "geometry/check.hpp"
#include "geometry/generators.hpp"
#include "geometry/transforms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <set>

namespace rubato {
namespace {

double volume(const TetMesh& mesh)
{
    double sum = 0;
    for (const Tet& t : mesh.tets) {
        sum += det_of_edges(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]) / 6;
    }
    return sum;
}

/// Volume enclosed by an outward surface, by the divergence theorem: an inward triangle makes it smaller.
double enclosed_volume(const std::vector<Vec3>& nodes, const std::vector<Triangle>& triangles)
{
    double sum = 0;
    for (const Triangle& t : triangles) sum += nodes[t[0]].dot(nodes[t[1]].cross(nodes[t[2]])) / 6;
    return sum;
}

/// Each directed edge of a closed oriented surface occurs once, and so does its opposite.
bool is_closed_manifold(const std::vector<Triangle>& triangles)
{
    std::set<std::pair<Index, Index>> edges;
    for (const Triangle& t : triangles) {
        for (int i = 0; i < 3; ++i) {
            if (!edges.insert({t[i], t[(i + 1) % 3]}).second) return false;
        }
    }
    return std::all_of(edges.begin(), edges.end(), [&](const auto& e) { return edges.contains({e.second, e.first}); });
}

long euler_characteristic(const std::vector<Triangle>& triangles)
{
    std::set<Index> nodes;
    std::set<std::pair<Index, Index>> edges;
    for (const Triangle& t : triangles) {
        for (int i = 0; i < 3; ++i) {
            nodes.insert(t[i]);
            edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
        }
    }
    return static_cast<long>(nodes.size()) - static_cast<long>(edges.size()) + static_cast<long>(triangles.size());
}

class Box : public testing::TestWithParam<std::tuple<CellSplit, std::array<int, 3>>> {
protected:
    CellSplit split = std::get<0>(GetParam());
    std::array<int, 3> cells = std::get<1>(GetParam());
    Vec3 size = {2.0, 0.3, 1.1};
    TetMesh mesh = box_mesh(size, cells, split);
};

INSTANTIATE_TEST_SUITE_P(AllSplits, Box,
    testing::Combine(testing::Values(CellSplit::kuhn, CellSplit::five),
        testing::Values(std::array{1, 1, 1}, std::array{2, 1, 1}, std::array{3, 4, 5}, std::array{8, 2, 3})));

TEST_P(Box, HasTheNumbersOfNodesAndTetsOfItsCells)
{
    const auto [nx, ny, nz] = cells;
    EXPECT_EQ(mesh.nodes.size(), static_cast<std::size_t>((nx + 1) * (ny + 1) * (nz + 1)));
    EXPECT_EQ(mesh.tets.size(), static_cast<std::size_t>((split == CellSplit::kuhn ? 6 : 5) * nx * ny * nz));
}

TEST_P(Box, IsFilledByPositiveVolumes)
{
    for (const Tet& t : mesh.tets) {
        EXPECT_GT(det_of_edges(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]), 0);
    }
    EXPECT_NEAR(volume(mesh), size.prod(), 1e-14);
    EXPECT_TRUE(mesh_mistakes(mesh, "box").empty());
}

TEST_P(Box, SharesEveryInteriorFaceBetweenExactlyTwoTets)
{
    std::map<Triangle, int> uses;
    for (const Tet& t : mesh.tets) {
        for (int f = 0; f < 4; ++f) {
            Triangle face = {t[(f + 1) % 4], t[(f + 2) % 4], t[(f + 3) % 4]};
            std::sort(face.begin(), face.end());
            ++uses[face];
        }
    }
    const auto on_one_side = [&](const Triangle& face) {
        for (int a = 0; a < 3; ++a) {
            for (const double side : {-0.5, 0.5}) {
                const auto there = [&](Index i) { return mesh.nodes[i][a] == side * size[a]; };
                if (std::all_of(face.begin(), face.end(), there)) return true;
            }
        }
        return false;
    };
    for (const auto& [face, count] : uses) EXPECT_EQ(count, on_one_side(face) ? 1 : 2);
}

TEST_P(Box, HasAClosedOutwardBoundaryOfTheTopologyOfASphere)
{
    const std::vector<Triangle> boundary = boundary_triangles(mesh.tets);
    const auto [nx, ny, nz] = cells;
    EXPECT_EQ(boundary.size(), static_cast<std::size_t>(4 * (nx * ny + ny * nz + nz * nx)));
    EXPECT_TRUE(is_closed_manifold(boundary));
    EXPECT_EQ(euler_characteristic(boundary), 2);
    EXPECT_NEAR(enclosed_volume(mesh.nodes, boundary), size.prod(), 1e-14);
}

TEST_P(Box, GroupsAreTheNodesOfItsFaces)
{
    ASSERT_EQ(mesh.groups.size(), 7u);
    std::vector<Index> surface;
    for (Index i = 0; i < static_cast<Index>(mesh.nodes.size()); ++i) {
        if ((mesh.nodes[i].cwiseAbs().array() == (size / 2).array()).any()) surface.push_back(i);
    }
    EXPECT_EQ(mesh.groups.at("surface"), surface);
    const std::string axes = "xyz";
    for (int a = 0; a < 3; ++a) {
        for (const auto& [end, side] : {std::pair("_min", -0.5), std::pair("_max", 0.5)}) {
            std::vector<Index> expected;
            for (Index i = 0; i < static_cast<Index>(mesh.nodes.size()); ++i) {
                if (mesh.nodes[i][a] == side * size[a]) expected.push_back(i);
            }
            EXPECT_EQ(mesh.groups.at(axes[a] + std::string(end)), expected);
        }
    }
}

TEST(BoxMesh, HasTheSizesOfThePublishedScenes)
{
    const TetMesh cube = box_mesh(Vec3::Ones(), {10, 10, 10});
    EXPECT_EQ(cube.nodes.size(), 1331u);
    EXPECT_EQ(cube.tets.size(), 6000u);
    const TetMesh bar = box_mesh(Vec3(4, 1, 1), {40, 10, 10});
    EXPECT_EQ(bar.nodes.size(), 4961u);
    EXPECT_EQ(bar.tets.size(), 24000u);
}

TEST(BoxMesh, IsItsOwnMirrorImageToTheLastBit)
{
    const TetMesh mesh = box_mesh(Vec3(1, 0.1, 0.7), {7, 3, 1});
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        EXPECT_EQ(mesh.nodes[i], Vec3(-mesh.nodes[mesh.nodes.size() - 1 - i]));
    }
}

TEST(BoxMesh, RefusesWrongSizesAndCounts)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_THROW(box_mesh(Vec3(1, 0, 1), {1, 1, 1}), InputError);
    EXPECT_THROW(box_mesh(Vec3(1, nan, 1), {1, 1, 1}), InputError);
    EXPECT_THROW(box_mesh(Vec3(1, inf, 1), {1, 1, 1}), InputError);
    EXPECT_THROW(box_mesh(Vec3(1, 1, 1), {1, 1, 0}), InputError);
    EXPECT_THROW(box_mesh(Vec3(1, 1, 1), {2000000000, 2000000000, 2000000000}), InputError);
    try {
        box_mesh(Vec3(-1, 1, nan), {0, 1, -3});
        FAIL();
    } catch (const InputError& e) {
        EXPECT_EQ(e.mistakes().size(), 4u); // all of them at once
        EXPECT_EQ(e.mistakes()[0].text(), "size[0] = -1: must be > 0 [m]");
    }
}

TEST(BoxMesh, KnowsItsSplitsByName)
{
    for (const std::string& name : cell_split_names()) EXPECT_NO_THROW(cell_split(name));
    EXPECT_EQ(cell_split("five"), CellSplit::five);
    EXPECT_THROW(cell_split("six"), InputError);
}

TEST(BoundarySurface, NumbersOnlyTheNodesOnTheBoundary)
{
    const TetMesh mesh = box_mesh(Vec3::Ones(), {3, 3, 3});
    const BoundarySurface surface = boundary_surface(mesh.tets);
    EXPECT_EQ(surface.nodes, mesh.groups.at("surface"));
    std::vector<Triangle> back = surface.triangles;
    for (Triangle& t : back) {
        for (Index& i : t) i = surface.nodes[i];
    }
    EXPECT_EQ(back, boundary_triangles(mesh.tets));
}

TEST(Transforms, KeepVolumesPositiveWhenMirrored)
{
    const TetMesh mesh = scaled(box_mesh(Vec3::Ones(), {2, 2, 2}), Vec3(-2, 3, 0.5));
    EXPECT_TRUE(mesh_mistakes(mesh, "").empty());
    EXPECT_NEAR(volume(mesh), 3, 1e-14);
    TriangleMesh surface{mesh.nodes, boundary_triangles(mesh.tets)};
    surface = transformed(surface, -Mat3::Identity(), Vec3(1, 2, 3));
    EXPECT_NEAR(enclosed_volume(surface.nodes, surface.triangles), 3, 1e-13);
}

TEST(Transforms, RotateCounterClockwiseAboutTheAxis)
{
    const TetMesh mesh = rotated(box_mesh(Vec3(4, 2, 1), {1, 1, 1}), Vec3(0, 0, 10), std::numbers::pi / 2);
    const Bounds box = bounds(translated(mesh, Vec3(1, 2, 3)).nodes);
    EXPECT_NEAR((box.low - Vec3(0, 0, 2.5)).norm(), 0, 1e-15);
    EXPECT_NEAR((box.high - Vec3(2, 4, 3.5)).norm(), 0, 1e-15);
    EXPECT_NEAR((rotation(Vec3::UnitZ(), std::numbers::pi / 2) * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-15);
    EXPECT_THROW(rotation(Vec3::Zero(), 1), InputError);
}

} // namespace
} // namespace rubato
