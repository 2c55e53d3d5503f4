#pragma once

#include "geometry/tet_mesh.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

/// Surfaces as people bring them: closed ones to start from, and broken ones with what must come out of them.
namespace rubato {

/// A sphere of 8 * 4^levels triangles, outward: an octahedron, each triangle cut into four, pushed to the radius.
inline TriangleMesh sphere_surface(double radius = 1, int levels = 4, const Vec3& center = Vec3::Zero())
{
    TriangleMesh mesh;
    mesh.nodes = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
    mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<Index, Index>, Index> middles;
        auto middle = [&](Index a, Index b) {
            const auto [it, is_new] = middles.try_emplace({std::min(a, b), std::max(a, b)}, mesh.nodes.size());
            if (is_new) mesh.nodes.push_back((mesh.nodes[a] + mesh.nodes[b]).normalized());
            return it->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const Index ab = middle(a, b);
            const Index bc = middle(b, c);
            const Index ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = finer;
    }
    for (Vec3& x : mesh.nodes) x = center + radius * x;
    return mesh;
}

/// A box of 12 triangles, outward.
inline TriangleMesh box_surface(const Vec3& low, const Vec3& high)
{
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i) {
        mesh.nodes.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
    }
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2},
        {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

inline void flip(Triangle& t) { std::swap(t[1], t[2]); }

inline TriangleMesh flipped(TriangleMesh mesh)
{
    for (Triangle& t : mesh.triangles) flip(t);
    return mesh;
}

inline TriangleMesh together(TriangleMesh a, const TriangleMesh& b)
{
    const auto offset = static_cast<Index>(a.nodes.size());
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    for (const auto& [i, j, k] : b.triangles) a.triangles.push_back({i + offset, j + offset, k + offset});
    return a;
}

/// Every triangle with three vertices of its own, as in an .stl file.
inline TriangleMesh unwelded(const TriangleMesh& mesh)
{
    TriangleMesh soup;
    for (const Triangle& t : mesh.triangles) {
        const auto first = static_cast<Index>(soup.nodes.size());
        for (const Index v : t) soup.nodes.push_back(mesh.nodes[v]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

inline double signed_volume(const TriangleMesh& mesh)
{
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) sum += mesh.nodes[a].dot(mesh.nodes[b].cross(mesh.nodes[c])) / 6;
    return sum;
}

/// Without the triangles whose middle satisfies a condition.
template <class Condition>
TriangleMesh without(TriangleMesh mesh, const Condition& condition)
{
    std::erase_if(mesh.triangles, [&](const Triangle& t) {
        return condition(Vec3((mesh.nodes[t[0]] + mesh.nodes[t[1]] + mesh.nodes[t[2]]) / 3));
    });
    return mesh;
}

/// A sheet of n x n squares in the plane y = 0, side 2.
inline TriangleMesh sheet_surface(int n = 20)
{
    TriangleMesh mesh;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) mesh.nodes.emplace_back(2.0 * i / n - 1, 0, 2.0 * j / n - 1);
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const Index a = i * (n + 1) + j;
            const Index b = a + n + 1;
            mesh.triangles.push_back({a, a + 1, b});
            mesh.triangles.push_back({b, a + 1, b + 1});
        }
    }
    return mesh;
}

/// A tube of radius r with round ends whose middle line is an arc of the unit circle, longer than the circle: its two
/// ends lie in each other. The solid is then the whole ring, of volume 2 pi^2 r^2.
inline TriangleMesh overlapping_ring(double r = 0.3)
{
    constexpr double turn = 2 * std::numbers::pi;
    constexpr int around = 32;
    constexpr int along = 96;
    constexpr int cap = 6;
    TriangleMesh mesh;
    auto ring = [&](double angle, double offset, double radius) { // offset: along the tangent
        const Vec3 outward{std::cos(angle), 0, std::sin(angle)};
        const Vec3 tangent{-std::sin(angle), 0, std::cos(angle)};
        for (int k = 0; k < around; ++k) {
            const double a = turn * k / around;
            mesh.nodes.push_back(
                outward + offset * tangent + radius * (std::cos(a) * outward + std::sin(a) * Vec3::UnitY()));
        }
    };
    const double first = -0.25;
    const double last = turn + 0.25;
    for (int i = 1; i <= cap; ++i) {
        const double a = turn / 4 * i / cap;
        ring(first, -r * std::cos(a), r * std::sin(a));
    }
    for (int i = 1; i < along; ++i) ring(first + (last - first) * i / along, 0, r);
    for (int i = cap; i >= 1; --i) {
        const double a = turn / 4 * i / cap;
        ring(last, r * std::cos(a), r * std::sin(a));
    }
    const auto rings = static_cast<Index>(mesh.nodes.size()) / around;
    for (Index i = 0; i + 1 < rings; ++i) {
        for (Index k = 0; k < around; ++k) {
            const Index a = i * around + k;
            const Index b = i * around + (k + 1) % around;
            mesh.triangles.push_back({a, b, a + around});
            mesh.triangles.push_back({b, b + around, a + around});
        }
    }
    for (const bool start : {true, false}) {
        const double angle = start ? first : last;
        const Vec3 tangent{-std::sin(angle), 0, std::cos(angle)};
        const auto tip = static_cast<Index>(mesh.nodes.size());
        mesh.nodes.push_back(Vec3(std::cos(angle), 0, std::sin(angle)) + (start ? -r : r) * tangent);
        const Index base = start ? 0 : (rings - 1) * around;
        for (Index k = 0; k < around; ++k) {
            const Index a = base + k;
            const Index b = base + (k + 1) % around;
            mesh.triangles.push_back(start ? Triangle{tip, b, a} : Triangle{tip, a, b});
        }
    }
    return signed_volume(mesh) < 0 ? flipped(mesh) : mesh;
}

/// A broken surface and what must come out once it is mended.
struct BrokenSurface {
    std::string name;
    TriangleMesh mesh;
    bool solid = true; ///< false: it must be refused
    double volume = 0; ///< of the solid [m^3]
    double tolerance = 0; ///< relative error of the enclosed volume that is allowed
};

inline std::vector<BrokenSurface> broken_surfaces()
{
    const TriangleMesh ball = sphere_surface();
    const double full = signed_volume(ball);
    constexpr double pi = std::numbers::pi;
    std::mt19937 random(7);
    auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    std::vector<BrokenSurface> all;

    all.push_back({"small hole", without(ball, [](const Vec3& p) { return p.y() > 0.98; }), true, full, 0.01});
    all.push_back({"half a sphere", without(ball, [](const Vec3& p) { return p.y() > 0; }), false});

    TriangleMesh mesh = ball;
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 5) flip(mesh.triangles[i]);
    all.push_back({"some faces flipped", mesh, true, full, 0.01});
    all.push_back({"all faces flipped", flipped(ball), true, full, 0.01});

    mesh = ball;
    for (std::size_t i = 0; i < ball.triangles.size(); i += 7) {
        mesh.triangles.push_back(ball.triangles[i]);
        if (i % 2 == 0) flip(mesh.triangles.back());
    }
    all.push_back({"duplicated faces", mesh, true, full, 0.01});

    all.push_back({"ring that overlaps itself", overlapping_ring(), true, 2 * pi * pi * 0.3 * 0.3, 0.03});

    // Two balls of radius 1 at distance 1 have a lens of 5 pi / 12 in common.
    all.push_back({"two overlapping shells", together(ball, sphere_surface(1, 4, Vec3::UnitX())), true,
        8 * pi / 3 - 5 * pi / 12, 0.02});

    mesh = unwelded(ball);
    for (Vec3& x : mesh.nodes) x += 2e-3 * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    all.push_back({"jittered soup of a ball", mesh, true, full, 0.02});
    all.push_back({"jittered soup of a ball, flipped", flipped(mesh), true, full, 0.02});

    mesh = {};
    for (Index i = 0; i < 1000; ++i) {
        const Vec3 at{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        for (int k = 0; k < 3; ++k)
            mesh.nodes.push_back(at + 0.3 * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)));
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    all.push_back({"random soup", mesh, false});
    all.push_back({"flat sheet", sheet_surface(), false});

    mesh = ball;
    mesh.triangles.push_back({0, 0, 1});
    mesh.nodes.push_back(mesh.nodes[3]);
    mesh.triangles.push_back({3, 5, static_cast<Index>(mesh.nodes.size()) - 1});
    mesh.nodes.push_back((mesh.nodes[0] + mesh.nodes[2]) / 2);
    mesh.triangles.push_back({0, static_cast<Index>(mesh.nodes.size()) - 1, 2});
    all.push_back({"triangles without area", mesh, true, full, 0.01});

    const TriangleMesh hollow = together(ball, flipped(sphere_surface(0.7)));
    all.push_back({"hollow ball, flipped", flipped(hollow), true, signed_volume(hollow), 0.015});

    // A dent so deep that it comes out on the other side: what sticks out is inside out.
    mesh = ball;
    for (Vec3& x : mesh.nodes) {
        if (x.y() > 0.6) x.y() = 0.6 - 5 * (x.y() - 0.6);
    }
    all.push_back({"dent through the far side", mesh, false});
    return all;
}

} // namespace rubato
