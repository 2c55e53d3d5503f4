#include "base/parallel.hpp"
#include "fields/broken_surfaces.hpp"
#include "fields/places.hpp"
#include "geometry/fields/surface_field.hpp"

#include <gtest/gtest.h>

using namespace rubato;

namespace {

/// Van Oosterom and Strackee's formula, one arc tangent per triangle.
double winding_by_solid_angles(const TriangleMesh& mesh, const Vec3& p)
{
    double sum = 0;
    for (const Triangle& t : mesh.triangles) {
        const Vec3 a = mesh.nodes[t[0]] - p;
        const Vec3 b = mesh.nodes[t[1]] - p;
        const Vec3 c = mesh.nodes[t[2]] - p;
        const double la = a.norm();
        const double lb = b.norm();
        const double lc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4 * std::numbers::pi);
}

/// Distance to a triangle by brute force: to its plane, if the foot is inside, or to its sides.
double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    double least = 1e9;
    auto to_segment = [&](const Vec3& u, const Vec3& v) {
        const double l2 = (v - u).squaredNorm();
        const double t = l2 > 0 ? std::clamp((p - u).dot(v - u) / l2, 0.0, 1.0) : 0;
        least = std::min(least, (p - u - t * (v - u)).norm());
    };
    to_segment(a, b);
    to_segment(b, c);
    to_segment(c, a);
    const Vec3 n = (b - a).cross(c - a);
    if (n.norm() < 1e-14) return least;
    const Vec3 foot = p - n * (n.dot(p - a) / n.squaredNorm());
    const bool inside = n.dot((b - a).cross(foot - a)) >= 0 && n.dot((c - b).cross(foot - b)) >= 0
        && n.dot((a - c).cross(foot - c)) >= 0;
    return inside ? std::min(least, (p - foot).norm()) : least;
}

TriangleMesh random_triangles(int count, double size)
{
    TriangleMesh mesh;
    const std::vector<Vec3> at = places({Vec3::Constant(-1), Vec3::Constant(1)}, 4 * count, 1, 9);
    for (Index i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) mesh.nodes.push_back(at[4 * i] + size * at[4 * i + 1 + k]);
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    for (Index i = 0; i < count; i += 10)
        mesh.nodes[3 * i + 2] = (mesh.nodes[3 * i] + mesh.nodes[3 * i + 1]) / 2; // no area
    for (Index i = 5; i < count; i += 10) mesh.nodes[3 * i + 2] = mesh.nodes[3 * i + 1] = mesh.nodes[3 * i]; // a point
    return mesh;
}

} // namespace

TEST(TriangleTree, FindsTheNearestPoint)
{
    for (const TriangleMesh& mesh : {random_triangles(300, 0.3), random_triangles(3, 1), sphere_surface(1, 3)}) {
        const TriangleTree tree(mesh);
        for (const Vec3& p : places({Vec3::Constant(-1.5), Vec3::Constant(1.5)}, 500)) {
            double least = 1e9;
            for (const auto& [a, b, c] : mesh.triangles) {
                least = std::min(least, distance_to_triangle(p, mesh.nodes[a], mesh.nodes[b], mesh.nodes[c]));
            }
            const auto found = tree.closest(p);
            EXPECT_NEAR(std::sqrt(found.d2), least, 1e-9);
            EXPECT_NEAR((found.point - p).norm(), std::sqrt(found.d2), 1e-12);
            EXPECT_GE(found.weights.minCoeff(), 0);
            EXPECT_NEAR(found.weights.sum(), 1, 1e-12);
            const auto& [a, b, c] = mesh.triangles[found.triangle];
            const Vec3 from_weights = found.weights[0] * mesh.nodes[a] + found.weights[1] * mesh.nodes[b]
                + found.weights[2] * mesh.nodes[c];
            EXPECT_LT((from_weights - found.point).norm(), 1e-12);

            EXPECT_EQ(tree.closest(p, least * 0.99).triangle, -1);
            EXPECT_NEAR(std::sqrt(tree.closest(p, least * 1.01 + 1e-9).d2), least, 1e-9);
        }
    }
    EXPECT_EQ(TriangleTree(TriangleMesh{}).closest(Vec3::Zero()).triangle, -1);
}

TEST(TriangleTree, FindsTheTrianglesThatTouchABox)
{
    const TriangleMesh mesh = random_triangles(500, 0.2);
    const TriangleTree tree(mesh);
    const std::vector<Vec3> ends = places({Vec3::Constant(-1), Vec3::Constant(1)}, 200);
    for (std::size_t i = 0; i < ends.size(); i += 2) {
        const Bounds box{ends[i].cwiseMin(ends[i + 1]), ends[i].cwiseMax(ends[i + 1])};
        std::vector<Index> expected;
        for (Index t = 0; t < static_cast<Index>(mesh.triangles.size()); ++t) {
            const Bounds own = bounds({mesh.nodes[3 * t], mesh.nodes[3 * t + 1], mesh.nodes[3 * t + 2]});
            if ((own.low.array() <= box.high.array()).all() && (own.high.array() >= box.low.array()).all())
                expected.push_back(t);
        }
        std::vector<Index> found;
        tree.for_touching(box, [&](Index t) {
            found.push_back(t);
            return true;
        });
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
    }
}

TEST(WindingNumber, AgreesWithSolidAnglesToTheStatedAccuracy)
{
    const std::vector<TriangleMesh> meshes = {sphere_surface(1, 4), random_triangles(2000, 0.3), sheet_surface(30),
        overlapping_ring(), without(sphere_surface(1, 4), [](const Vec3& p) { return p.y() > 0.5; })};
    for (const auto& [beta, error] : {std::pair(1.5, 0.03), std::pair(2.0, 0.005), std::pair(4.0, 4e-4)}) {
        for (const TriangleMesh& mesh : meshes) {
            const TriangleTree tree(mesh);
            const WindingNumber winding(tree, beta);
            for (const Vec3& p : places({Vec3::Constant(-1.5), Vec3::Constant(1.5)}, 150)) {
                EXPECT_NEAR(winding.at(p), winding_by_solid_angles(mesh, p), error) << "beta " << beta;
            }
            for (const Vec3& p : places({Vec3::Constant(-1), Vec3::Constant(1)}, 50, 1, 8)) {
                const Vec3 near_surface
                    = mesh.nodes[static_cast<std::size_t>(1e3 * p.norm()) % mesh.nodes.size()] + 0.02 * p;
                EXPECT_NEAR(winding.at(near_surface), winding_by_solid_angles(mesh, near_surface), error);
            }
        }
    }
}

TEST(WindingNumber, AddsUpWithoutSeriesExactly)
{
    // beta so large that no node is far: the product of complex numbers counts its turns right
    TriangleMesh mesh;
    for (int shell = 0; shell < 5; ++shell) mesh = together(mesh, sphere_surface(1 + 0.1 * shell, 2));
    const TriangleTree tree(mesh);
    const WindingNumber winding(tree, 1e6);
    for (const Vec3& p : places(tree.bounds(), 300, 1.2))
        EXPECT_NEAR(winding.at(p), winding_by_solid_angles(mesh, p), 1e-12);
    EXPECT_NEAR(winding.at(Vec3(0.1, 0.2, 0.3)), 5, 1e-12);
    const TriangleMesh inverted = flipped(mesh);
    const TriangleTree inverted_tree(inverted);
    EXPECT_NEAR(WindingNumber(inverted_tree, 1e6).at(Vec3(0.1, 0.2, 0.3)), -5, 1e-12);
}

TEST(WindingNumber, AddsUpExactlyThroughHalfATurn)
{
    // Seen from the origin the first two each cover exactly a quarter of the sphere; the third takes some away.
    TriangleMesh mesh;
    mesh.nodes = {{1, 0, 0}, {0, 1, 0}, {-2, -1, 2}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}};
    const Triangle quarter{0, 1, 2};
    for (const bool backward : {false, true}) {
        std::array<Triangle, 3> order{quarter, quarter, Triangle{3, 5, 4}};
        double expected = 0;
        for (Triangle& t : order) {
            if (backward) std::swap(t[1], t[2]);
            expected += winding_of_triangle(Vec3::Zero(), mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]]);
        }
        for (int turn = 0; turn < 3; ++turn) {
            std::rotate(order.begin(), order.begin() + 1, order.end());
            mesh.triangles.assign(order.begin(), order.end());
            const TriangleTree tree(mesh);
            EXPECT_NEAR(WindingNumber(tree, 1e6).at(Vec3::Zero()), expected, 1e-14);
        }
    }
}

TEST(WindingNumber, CountsShellsAndCavities)
{
    const TriangleMesh mesh = together(
        together(sphere_surface(1, 4), flipped(sphere_surface(0.6, 4))), sphere_surface(1, 4, Vec3(1.5, 0, 0)));
    const TriangleTree tree(mesh);
    const WindingNumber winding(tree);
    EXPECT_NEAR(winding.at({0, 0, 0}), 0, 0.03); // in the cavity
    EXPECT_NEAR(winding.at({0, 0.8, 0}), 1, 0.03);
    EXPECT_NEAR(winding.at({0.75, 0, 0}), 2, 0.03); // in both balls
    EXPECT_NEAR(winding.at({2, 0, 0}), 1, 0.03);
    EXPECT_NEAR(winding.at({0, 0, 3}), 0, 0.03);
}

TEST(WindingNumber, IsHalfInTheMiddleOfTheRimOfHalfASphere)
{
    const TriangleMesh half = without(sphere_surface(1, 5), [](const Vec3& p) { return p.y() > 0; });
    const TriangleTree tree(half);
    EXPECT_NEAR(WindingNumber(tree).at(Vec3::Zero()), 0.5, 0.02);
}

TEST(SurfaceField, IsTheDistanceToASphere)
{
    const SurfaceField field(sphere_surface(1, 5));
    for (const Vec3& p : places(field.bounds(), 2000, 1.5)) EXPECT_NEAR(field.value(p), p.norm() - 1, 2e-3);
    EXPECT_LT((field.bounds().size() - Vec3::Constant(2)).norm(), 1e-12);
}

TEST(SurfaceField, KeepsItsSteepness)
{
    const SurfaceField field(overlapping_ring());
    const std::vector<Vec3> points = places(field.bounds(), 4000, 1.3);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const double d = std::abs(field.value(points[i]) - field.value(points[i + 1]));
        ASSERT_LE(d, field.steepness() * (points[i] - points[i + 1]).norm() + 1e-12);
    }
}

TEST(SurfaceField, CallsAWallInsideTheBodyInside)
{
    const SurfaceField field(together(sphere_surface(1, 3), sphere_surface(1, 3, Vec3::UnitX())));
    EXPECT_LT(field.value(Vec3::UnitX()), 0); // a vertex of the first sphere, in the second
    EXPECT_LT(field.value({0.5, 0.5, 0}), 0);
    EXPECT_GT(field.value({0.5, 0.95, 0}), 0);
}

TEST(SurfaceField, GivesTheSameOnEveryCallAndAfterAMove)
{
    SurfaceField field(random_triangles(1000, 0.3));
    const std::vector<Vec3> points = places(field.bounds(), 500);
    std::vector<double> first(points.size());
    std::vector<double> second(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) first[i] = field.value(points[i]);
    const SurfaceField moved = std::move(field);
    parallel_for(
        static_cast<Index>(points.size()), [&](Index i) { second[i] = moved.value(points[i]); }, 8);
    EXPECT_EQ(first, second);
}
