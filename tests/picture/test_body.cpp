#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "picture/body.hpp"
#include "picture/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace rubato {
namespace {

TEST(CreaseNormals, OfABoxAreThoseOfItsFaces)
{
    const PictureBody box = picture_body(box_mesh(Vec3(1, 2, 3), {2, 3, 2}));
    for (const auto& corners : crease_normals(box.positions, box.triangles, 40)) {
        for (const Vec3& n : corners) {
            EXPECT_NEAR(n.cwiseAbs().maxCoeff(), 1, 1e-12);
            EXPECT_NEAR(n.norm(), 1, 1e-12);
        }
    }
}

TEST(CreaseNormals, OfABoxAreRoundedWhenTheCreaseIsBelowTheLimit)
{
    const PictureBody box = picture_body(box_mesh(Vec3(1, 1, 1), {1, 1, 1}));
    const auto normals = crease_normals(box.positions, box.triangles, 100);
    for (std::size_t t = 0; t < normals.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 outward = box.positions[static_cast<std::size_t>(box.triangles[t][k])].normalized();
            EXPECT_NEAR((normals[t][k] - outward).norm(), 0, 1e-12); // angle weights make it exact
        }
    }
}

TEST(CreaseNormals, OfABallPointOutward)
{
    const PictureBody b = ball(Vec3(1, 2, 3), 0.5, 3);
    const auto smooth = crease_normals(b.positions, b.triangles, 40),
               flat = crease_normals(b.positions, b.triangles, 0);
    double worst_smooth = 0, worst_flat = 0;
    for (std::size_t t = 0; t < b.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 outward = (b.positions[static_cast<std::size_t>(b.triangles[t][k])] - Vec3(1, 2, 3)) / 0.5;
            worst_smooth = std::max(worst_smooth, (smooth[t][k] - outward).norm());
            worst_flat = std::max(worst_flat, (flat[t][k] - outward).norm());
        }
    }
    EXPECT_LT(worst_smooth, 0.01);
    EXPECT_GT(worst_flat, 0.05);
}

TEST(CreaseNormals, OfATriangleWithoutAreaAreZeroAndSpoilNoNeighbour)
{
    const std::vector<Vec3> positions{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(2, 0, 0)};
    const auto normals = crease_normals(positions, {{0, 1, 2}, {0, 1, 3}, {1, 1, 1}}, 40);
    for (const Vec3& n : normals[0]) EXPECT_NEAR((n - Vec3::UnitZ()).norm(), 0, 1e-12);
    EXPECT_EQ(normals[2][0], Vec3::Zero());
}

TEST(PictureBody, OfAMeshIsItsBoundary)
{
    const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {3, 3, 3});
    const PictureBody body = picture_body(mesh);
    EXPECT_EQ(body.triangles, boundary_triangles(mesh.tets));
    EXPECT_EQ(std::count(body.inside.begin(), body.inside.end(), 1), 0);
}

TEST(PictureBody, CutOpenIsClosedAndShowsInnerFacesOnlyAtTheCut)
{
    const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {4, 4, 4});
    const PictureBody body = picture_body(mesh, CutPlane{.point = Vec3(0, 0, 0.001), .normal = Vec3(0, 0, 5)});
    double volume = 0, inner_area = 0;
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
        const auto x = [&](int k) { return body.positions[static_cast<std::size_t>(body.triangles[t][k])]; };
        volume += x(0).dot(x(1).cross(x(2))) / 6;
        if (!body.inside[t]) continue;
        inner_area += (x(1) - x(0)).cross(x(2) - x(0)).z() / 2;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(x(k).z(), 0, 1e-12); // layers of cells end at z = 0
    }
    EXPECT_NEAR(volume, 0.5, 1e-12);
    EXPECT_NEAR(inner_area, 1, 1e-12);
}

TEST(PictureBody, CutAwayAltogetherIsEmpty)
{
    EXPECT_TRUE(
        picture_body(box_mesh(Vec3(1, 1, 1), {2, 2, 2}), CutPlane{Vec3(0, 0, -9), Vec3::UnitZ()}).triangles.empty());
}

TEST(PictureBody, FacesTakeTheValuesOfTheirTetrahedra)
{
    const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {3, 2, 2}, CellSplit::five);
    std::vector<double> values(mesh.tets.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    const PictureBody body = picture_body(mesh, CutPlane{Vec3::Zero(), Vec3::UnitX()}, values);
    ASSERT_EQ(body.triangle_values.size(), body.triangles.size());
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
        const Tet& tet = mesh.tets[static_cast<std::size_t>(body.triangle_values[t])];
        const std::set<Index> corners(tet.begin(), tet.end());
        for (const Index corner : body.triangles[t]) EXPECT_TRUE(corners.contains(corner));
    }
    EXPECT_THROW(picture_body(mesh, {}, std::vector<double>{1, 2}), InputError);
}

TEST(PictureBody, ThatCannotBeDrawnIsRefusedByName)
{
    const PictureBody good = square(Vec3::Zero(), 1, {});
    const auto message = [](const PictureBody& body) -> std::string {
        try {
            require_drawable(body, "bodies[3]");
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(message(good), "");
    PictureBody bad = good;
    bad.positions[2].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message(bad).find("bodies[3].positions[2]"), std::string::npos) << message(bad);
    bad = good;
    bad.triangles[1][0] = 4;
    EXPECT_NE(message(bad).find("bodies[3].triangles[1] = 4"), std::string::npos) << message(bad);
    bad = good;
    bad.triangles[1][0] = -1;
    EXPECT_NE(message(bad), "");
    bad = good;
    bad.vertex_values = {1, 2, 3};
    EXPECT_NE(message(bad).find("vertex_values"), std::string::npos);
    bad = good;
    bad.inside = {1};
    EXPECT_NE(message(bad), "");
}

TEST(PictureBody, OfAMeshWithNodesThatAreNotThereIsRefused)
{
    TetMesh mesh = box_mesh(Vec3(1, 1, 1), {1, 1, 1});
    mesh.tets[2][1] = 99;
    EXPECT_THROW(picture_body(mesh, CutPlane{}), InputError);
}

} // namespace
} // namespace rubato
