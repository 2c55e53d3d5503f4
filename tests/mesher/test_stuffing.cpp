#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "geometry/check.hpp"
#include "geometry/fields/triangle_crossing.hpp"
#include "geometry/mesher/body_size.hpp"
#include "geometry/mesher/sound_boundary.hpp"
#include "geometry/mesher/stuffing.hpp"
#include "geometry/mesher/surface_distance.hpp"
#include "geometry/quality.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace rubato {

namespace {

/// A field from a formula.
class Formula final : public SignedField {
public:
    Formula(std::function<double(const Vec3&)> value, const Vec3& half_size)
        : value_(std::move(value))
        , half_size_(half_size)
    {
    }
    double value(const Vec3& p) const override { return value_(p); }
    Bounds bounds() const override { return {-half_size_, half_size_}; }

private:
    std::function<double(const Vec3&)> value_;
    Vec3 half_size_;
};

double box_distance(const Vec3& p, const Vec3& half)
{
    const Vec3 q = p.cwiseAbs() - half;
    return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

struct Body {
    std::string name;
    Formula field;
    double volume; ///< exact [m^3]
    double least_angle; ///< promised [deg]
    long euler;
};

std::vector<Body> bodies()
{
    const double pi = M_PI;
    std::vector<Body> all;
    all.push_back({"ball", Formula([](const Vec3& p) { return p.norm() - 1; }, Vec3::Ones()), 4 * pi / 3, 20, 2});
    all.push_back({"torus",
        Formula([](const Vec3& p) { return std::hypot(std::hypot(p[0], p[2]) - 0.7, p[1]) - 0.3; }, {1, 0.3, 1}),
        2 * pi * pi * 0.7 * 0.09, 20, 0});
    all.push_back({"cylinder", // sharp rims
        Formula(
            [](const Vec3& p) {
                const double r = std::hypot(p[0], p[2]) - 0.6, y = std::abs(p[1]) - 0.5;
                return std::hypot(std::max(r, 0.0), std::max(y, 0.0)) + std::min(std::max(r, y), 0.0);
            },
            {0.6, 0.5, 0.6}),
        pi * 0.36, 15, 2});
    all.push_back({"step", // sharp edges, one of them concave
        Formula(
            [](const Vec3& p) {
                return std::min(box_distance(p - Vec3(0, -0.25, 0), Vec3(1, 0.25, 0.5)),
                    box_distance(p - Vec3(0.5, 0, 0), Vec3(0.5, 0.5, 0.5)));
            },
            {1, 0.5, 0.5}),
        1.5, 15, 2});
    all.push_back({"bone", // a thin bar between two balls
        Formula(
            [](const Vec3& p) {
                const double t = std::clamp(p[0], -0.8, 0.8);
                const double ends = std::min((p - Vec3(0.8, 0, 0)).norm(), (p + Vec3(0.8, 0, 0)).norm()) - 0.3;
                return std::min(ends, (p - Vec3(t, 0, 0)).norm() - 0.08);
            },
            {1.1, 0.3, 0.3}),
        0, 15, 2});
    return all;
}

} // namespace

TEST(Stuffing, KeepsItsPromisesOnBodiesOfAllKinds)
{
    for (const Body& body : bodies()) {
        for (const double edge : {0.2, 0.09}) {
            SCOPED_TRACE(body.name + " with edges of " + std::to_string(edge));
            MesherReport report;
            const TetMesh mesh = stuffed(body.field, {.edge = edge}, &report);
            const MeshQuality q = mesh_quality(mesh);
            EXPECT_TRUE(mesh_mistakes(mesh, "mesh").empty());
            EXPECT_EQ(crossings({mesh.nodes, boundary_triangles(mesh.tets)}, 1).count, 0);
            EXPECT_EQ(report.crossings, 0);
            EXPECT_EQ(report.contacts, 0);
            EXPECT_GE(q.smallest_dihedral, body.least_angle);
            EXPECT_LE(q.largest_dihedral, 155);
            EXPECT_TRUE(q.boundary_closed);
            EXPECT_TRUE(q.boundary_manifold);
            EXPECT_EQ(q.components, 1);
            EXPECT_EQ(q.euler_number, body.euler);
            const SurfaceDistance d
                = surface_distance(mesh, body.field, surface_points(body.field, edge / 5), edge / 2);
            EXPECT_GT(d.surface_to_mesh, 0);
            EXPECT_LT(d.surface_to_mesh, edge / 2);
            EXPECT_LT(d.mesh_to_surface, edge / 2);
            EXPECT_EQ(d.left_out, 0);
            if (body.volume > 0 && edge < 0.1) {
                EXPECT_NEAR(q.volume, body.volume, 0.02 * body.volume);
            }
        }
    }
}

TEST(Stuffing, PutsNodesOnSharpEdgesAndCorners)
{
    const Formula box([](const Vec3& p) { return box_distance(p, Vec3(0.5, 0.4, 0.3)); }, {0.5, 0.4, 0.3});
    const TetMesh mesh = stuffed(box, {.edge = 0.12});
    EXPECT_NEAR(mesh_quality(mesh).volume, 8 * 0.5 * 0.4 * 0.3, 1e-3 * 8 * 0.5 * 0.4 * 0.3);
    int corners = 0;
    for (const Vec3& x : mesh.nodes) corners += (x.cwiseAbs() - Vec3(0.5, 0.4, 0.3)).norm() < 1e-6;
    EXPECT_EQ(corners, 8);
}

TEST(Stuffing, KeepsThePublishedBoundWithoutImprovement)
{
    const Formula lumps(
        [](const Vec3& p) {
            return 0.7 * (p.norm() - 1 + 0.08 * std::sin(7 * p[0]) + 0.05 * std::cos(9 * p[1] + 5 * p[2]));
        },
        Vec3::Constant(1.2));
    for (const double edge : {0.25, 0.11, 0.06}) {
        const TetMesh mesh = stuffed(lumps, {.edge = edge, .refining = 1, .improved = false});
        const MeshQuality q = mesh_quality(mesh);
        EXPECT_GT(q.smallest_dihedral, 10.7);
        EXPECT_LT(q.largest_dihedral, 164.8);
        EXPECT_LT(q.smallest_dihedral, 25) << "the improvement should have something to do";
    }
}

TEST(Stuffing, IsTheSameForOneAndTwoThreads)
{
    const auto body = bodies()[2];
    set_thread_count(1);
    const TetMesh one = stuffed(body.field, {.edge = 0.15});
    set_thread_count(2);
    const TetMesh two = stuffed(body.field, {.edge = 0.15});
    set_thread_count(0);
    ASSERT_EQ(one.nodes.size(), two.nodes.size());
    EXPECT_EQ(one.tets, two.tets);
    for (std::size_t i = 0; i < one.nodes.size(); ++i) EXPECT_EQ(one.nodes[i], two.nodes[i]);
}

TEST(Stuffing, MeetsANumberOfNodes)
{
    for (const int nodes : {400, 3000}) {
        const double found = static_cast<double>(stuffed(bodies()[1].field, {.nodes = nodes}).nodes.size());
        EXPECT_NEAR(found, nodes, 0.1 * nodes);
    }
}

TEST(Stuffing, GradesTheInsideWhereAsked)
{
    const auto body = bodies()[0];
    const MeshQuality even = mesh_quality(stuffed(body.field, {.edge = 0.06, .grading = 1}));
    const MeshQuality graded = mesh_quality(stuffed(body.field, {.edge = 0.06, .grading = 8}));
    EXPECT_LT(graded.tets, 0.75 * even.tets);
    EXPECT_GT(graded.longest_edge, 1.5 * even.longest_edge);
    EXPECT_NEAR(graded.mean_boundary_edge, even.mean_boundary_edge, 0.05 * even.mean_boundary_edge);
}

TEST(Stuffing, FindsThinPartsByRefiningThere)
{
    const auto bone = bodies()[4];
    const double edge = 0.2; // longer than the bar is thick
    MesherReport lost;
    const TetMesh plain = stuffed(bone.field, {.edge = edge, .refining = 1}, &lost);
    const TetMesh fine = stuffed(bone.field, {.edge = edge});
    const auto points = surface_points(bone.field, edge / 5);
    EXPECT_GT(surface_distance(plain, bone.field, points, edge / 2).left_out, 0.02);
    EXPECT_EQ(surface_distance(fine, bone.field, points, edge / 2).left_out, 0);
    EXPECT_EQ(mesh_quality(fine).components, 1);
}

TEST(Stuffing, FollowsTheSignWhereTheFieldJumps)
{
    // a ball with a lid missing: distance to the open shell, the sign of the whole ball
    const Formula open(
        [](const Vec3& p) {
            const Vec3 rim = Vec3(p[0], 0, p[2]).normalized() * 0.6 + Vec3(0, 0.8, 0);
            const bool under_hole = p.normalized()[1] > 0.8;
            const double d = under_hole ? (p - rim).norm() : std::abs(p.norm() - 1);
            const bool inside = p.norm() < 1 && p[1] < 0.8;
            return inside ? -d : d;
        },
        Vec3::Ones());
    const TetMesh mesh = stuffed(open, {.edge = 0.15});
    const MeshQuality q = mesh_quality(mesh);
    const double cap = M_PI * 0.04 * (3 - 0.2) / 3; // above y = 0.8
    // Round bodies lose about 2 % at this edge length; the cap is 2.8 % of the ball, and the lid is flat.
    const double whole = 4 * M_PI / 3 - cap;
    EXPECT_LT(q.volume, whole);
    EXPECT_GT(q.volume, 0.975 * whole);
    double top = -1;
    for (const Vec3& x : mesh.nodes) top = std::max(top, x[1]);
    EXPECT_NEAR(top, 0.8, 0.01);
    EXPECT_LT(surface_distance(mesh, open, surface_points(open, 0.03), 0.05).surface_to_mesh, 0.06);
    EXPECT_TRUE(q.boundary_manifold);
    EXPECT_EQ(q.components, 1);
}

TEST(Stuffing, TakesMoreNodesWhereFewerWouldLoseTheBody)
{
    const double radius = 0.5, wall = 0.04; // an open hemisphere
    const Formula bowl([=](const Vec3& p) { return std::max(std::abs(p.norm() - radius + wall / 2) - wall / 2, p[1]); },
        Vec3::Constant(radius));
    const double volume = 2 * M_PI / 3 * (std::pow(radius, 3) - std::pow(radius - wall, 3));
    MesherReport report;
    const TetMesh mesh = stuffed(bowl, {.nodes = 500}, &report);
    EXPECT_EQ(report.wanted_nodes, 500);
    EXPECT_FALSE(report.met);
    EXPECT_GT(mesh.nodes.size(), 600u);
    EXPECT_LT(mesh.nodes.size(), 25u * 500);
    EXPECT_EQ(mesh_quality(mesh).components, 1);
    EXPECT_GE(mesh_quality(mesh).euler_number, 2 - 2 * 3) << "three holes in the wall at most";
    EXPECT_NEAR(mesh_quality(mesh).volume, volume, 0.15 * volume);
    stuffed(bodies()[0].field, {.nodes = 500}, &report);
    EXPECT_TRUE(report.met);
}

TEST(Stuffing, RefusesBodiesTooThinForSoFewNodes)
{
    for (const double thickness : {1e-2, 1e-3, 1e-6}) {
        SCOPED_TRACE(thickness);
        const Vec3 half(0.5, 0.5, thickness / 2);
        const Formula plate([=](const Vec3& p) { return box_distance(p, half); }, half);
        try {
            stuffed(plate, {.nodes = 500});
            ADD_FAILURE() << "not refused";
        } catch (const InputError& error) {
            EXPECT_EQ(error.mistakes().at(0).key, "nodes");
            const bool named = error.mistakes()[0].message.find("try ") != std::string::npos;
            EXPECT_EQ(named, thickness > 1e-5) << error.what();
        }
    }
    EXPECT_THROW(stuffed(bodies()[0].field, {.nodes = 100'000'000}), InputError);
}

TEST(Stuffing, SeesPartsThinnerThanTheGridOfPoints)
{
    const auto bone = bodies()[4]; // its bar is 0.16 thick
    bool on_bar = false;
    for (const Vec3& p : surface_points(bone.field, 0.4)) on_bar = on_bar || (std::abs(p[0]) < 0.3);
    EXPECT_TRUE(on_bar);
}

TEST(BodySize, MeasuresBallsPlatesAndRods)
{
    const mesher::BodySize ball = mesher::body_size(bodies()[0].field);
    EXPECT_NEAR(ball.volume, 4 * M_PI / 3, 0.01 * 4.2);
    EXPECT_NEAR(ball.area, 4 * M_PI, 0.1 * 12.6);
    for (const Vec3& half : {Vec3(0.5, 0.5, 5e-4), Vec3(0.5, 5e-3, 5e-3)}) {
        const Formula box([=](const Vec3& p) { return box_distance(p, half); }, half);
        const mesher::BodySize size = mesher::body_size(box);
        EXPECT_NEAR(size.volume, 8 * half.prod(), 0.05 * 8 * half.prod());
        const double area = 8 * (half[0] * half[1] + half[1] * half[2] + half[2] * half[0]);
        EXPECT_NEAR(size.area, area, 0.3 * area);
    }
}

TEST(SoundBoundary, OpensARingOfTetrahedraAroundANode)
{
    // The tetrahedra at node 0 hang together, but the boundary passes through it twice: above and below.
    std::vector<Vec3> x = {Vec3::Zero()};
    std::vector<Tet> tets;
    constexpr int n = 8;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * M_PI * i / n;
        for (const double z : {0.4, -0.4}) x.push_back({std::cos(angle), std::sin(angle), z});
    }
    const auto add = [&](Index a, Index b, Index c) {
        Tet t = {0, a, b, c};
        if (det_of_edges(x[0], x[a], x[b], x[c]) < 0) std::swap(t[2], t[3]);
        tets.push_back(t);
    };
    for (int i = 0; i < n; ++i) {
        const Index up = 1 + 2 * i, next = 1 + 2 * ((i + 1) % n);
        add(up, up + 1, next);
        add(up + 1, next + 1, next);
    }
    ASSERT_FALSE(mesh_quality({x, tets, {}}).boundary_manifold);
    const mesher::Dropped dropped = mesher::make_boundary_sound(x, tets, 0.01);
    EXPECT_TRUE(mesh_quality({x, tets, {}}).boundary_manifold);
    EXPECT_LE(dropped.tets, 2);
    EXPECT_GE(tets.size(), 14u);
}

namespace {

std::string message_of(const SignedField& field, const MesherOptions& options)
{
    try {
        stuffed(field, options);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

} // namespace

TEST(Stuffing, SaysWhatIsWrong)
{
    const auto ball = bodies()[0].field;
    EXPECT_NE(message_of(ball, {}).find("either an edge length or a number of nodes"), std::string::npos);
    EXPECT_NE(message_of(ball, {.edge = -1}).find("must be > 0"), std::string::npos);
    EXPECT_NE(message_of(ball, {.nodes = 2}).find("must be >= 4"), std::string::npos);
    EXPECT_NE(message_of(ball, {.edge = 1, .grading = 0.5}).find("must be >= 1"), std::string::npos);
    EXPECT_NE(message_of(ball, {.edge = 1e-9}).find("too short"), std::string::npos);
    EXPECT_NE(message_of(ball, {.edge = 1e-4}).find("too short"), std::string::npos); // 10^9 tetrahedra
    const Formula nothing([](const Vec3& p) { return p.norm() + 0.1; }, Vec3::Ones());
    EXPECT_NE(message_of(nothing, {.edge = 0.2}).find("nothing of the body"), std::string::npos);
    const Formula speck([](const Vec3& p) { return (p - Vec3(0.31, 0.22, 0.13)).norm() - 0.1; }, Vec3::Ones());
    EXPECT_NE(message_of(speck, {.edge = 1.5, .refining = 1}).find("try "), std::string::npos);
    const Formula broken([](const Vec3&) { return std::numeric_limits<double>::quiet_NaN(); }, Vec3::Ones());
    EXPECT_NE(message_of(broken, {.edge = 0.2}).find("must be finite"), std::string::npos);
}

} // namespace rubato
