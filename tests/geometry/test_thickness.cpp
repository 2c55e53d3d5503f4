#include "geometry/generators.hpp"
#include "geometry/thickness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rubato {
namespace {

TriangleMesh surface_of_box(const Vec3& size, const std::array<int, 3>& cells)
{
    const TetMesh mesh = box_mesh(size, cells);
    return {.nodes = mesh.nodes, .triangles = boundary_triangles(mesh.tets)};
}

TEST(Thickness, OfASheetIsItsOwnAndNotThatOfItsEdges)
{
    const TriangleMesh sheet = surface_of_box(Vec3(0.5, 0.004, 0.4), {20, 1, 16});
    const std::vector<double> thick = thicknesses(sheet);
    double least = 1, most = 0;
    for (const double t : thick) {
        least = std::min(least, t);
        most = std::max(most, t);
    }
    EXPECT_NEAR(least, 0.004, 1e-12);
    EXPECT_NEAR(most, 0.5, 1e-12); // from one narrow side to the other
    EXPECT_NEAR(thinnest(sheet, 0.01), 0.004, 1e-12);
}

TEST(Thickness, OfATurnedAndMovedBoxIsTheSame)
{
    TriangleMesh box = surface_of_box(Vec3(0.3, 0.2, 0.1), {3, 2, 2});
    const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
    for (Vec3& x : box.nodes) x = R * x + Vec3(10, -3, 5);
    for (const double t : thicknesses(box)) {
        EXPECT_TRUE(std::abs(t - 0.3) < 1e-12 || std::abs(t - 0.2) < 1e-12 || std::abs(t - 0.1) < 1e-12) << t;
    }
    EXPECT_NEAR(thinnest(box, 0.01), 0.1, 1e-12);
}

TEST(Thickness, IsNotDecidedByFewTriangles)
{
    TriangleMesh box = surface_of_box(Vec3(1, 1, 1), {10, 10, 10});
    const auto first = static_cast<Index>(box.nodes.size()); // a flake of 1 cm beside it
    for (const Vec3& x : {Vec3(2, 0, 0), Vec3(2.01, 0, 0), Vec3(2, 0.01, 0), Vec3(2, 0, 1e-5), Vec3(2.01, 0, 1e-5),
             Vec3(2, 0.01, 1e-5)}) {
        box.nodes.push_back(x);
    }
    box.triangles.push_back({first, first + 2, first + 1});
    box.triangles.push_back({first + 3, first + 4, first + 5});
    const std::vector<double> thick = thicknesses(box);
    EXPECT_NEAR(*std::min_element(thick.begin(), thick.end()), 1e-5, 1e-12);
    EXPECT_NEAR(thinnest(box, 0.01), 1, 1e-12);
}

TEST(Thickness, OfAnOpenSurfaceHasNoEnd)
{
    const TriangleMesh sheet{
        .nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(2, 2, 2)}, .triangles = {{0, 1, 2}, {1, 1, 3}}};
    for (const double t : thicknesses(sheet)) EXPECT_TRUE(std::isinf(t));
}

} // namespace
} // namespace rubato
