#include "fields/broken_surfaces.hpp"
#include "fields/places.hpp"
#include "geometry/surface_check.hpp"

#include <gtest/gtest.h>

using namespace rubato;

namespace {

TriangleMesh mended(const TriangleMesh& mesh)
{
    std::vector<std::string> done;
    return mended(mesh, done);
}

std::optional<std::string> refusal(const TriangleMesh& mesh)
{
    return not_a_solid(SurfaceField(mesh), surface_report(mesh));
}

bool says(const std::vector<std::string>& sentences, const std::string& part)
{
    return std::any_of(
        sentences.begin(), sentences.end(), [&](const std::string& s) { return s.find(part) != std::string::npos; });
}

} // namespace

TEST(BrokenSurfaces, GiveTheRightVolumeOrARefusal)
{
    for (const BrokenSurface& broken : broken_surfaces()) {
        SCOPED_TRACE(broken.name);
        const TriangleMesh mesh = mended(broken.mesh);
        const auto reason = refusal(mesh);
        EXPECT_EQ(reason.has_value(), !broken.solid) << reason.value_or("");
        if (!broken.solid) continue;
        const double volume = sampled_volume(SurfaceField(mesh), 32);
        EXPECT_NEAR(volume, broken.volume, broken.tolerance * broken.volume);
    }
}

TEST(SurfaceReport, FindsNothingWrongWithASphere)
{
    const TriangleMesh ball = sphere_surface(1, 3);
    const SurfaceReport r = surface_report(ball);
    EXPECT_TRUE(r.closed());
    EXPECT_TRUE(r.clean());
    EXPECT_EQ(r.components, 1);
    EXPECT_NEAR(r.signed_volume, signed_volume(ball), 1e-12);
    EXPECT_EQ(lines(r).size(), 1U);
    EXPECT_FALSE(not_a_solid(SurfaceField(ball), r));
}

TEST(SurfaceReport, MeasuresEachHole)
{
    // Two caps are cut off at the parallels of the octahedron's second level.
    const TriangleMesh mesh = without(sphere_surface(1, 3), [](const Vec3& p) { return std::abs(p.y()) > 0.9; });
    const SurfaceReport r = surface_report(mesh);
    ASSERT_EQ(r.holes.size(), 2U);
    EXPECT_EQ(r.holes[0].edges + r.holes[1].edges, r.rim.count);
    EXPECT_NEAR(r.holes[0].length, r.holes[1].length, 1e-12);
    double rim = 0;
    std::map<std::pair<Index, Index>, int> uses;
    for (const Triangle& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) ++uses[std::minmax(t[k], t[(k + 1) % 3])];
    }
    for (const auto& [ends, count] : uses) {
        if (count == 1) rim += (mesh.nodes[ends.first] - mesh.nodes[ends.second]).norm();
    }
    EXPECT_NEAR(r.holes[0].length + r.holes[1].length, rim, 1e-12);
    EXPECT_FALSE(r.closed());
}

TEST(SurfaceReport, TellsHolesThatTouchInAVertexApart)
{
    // Two opposite triangles at a vertex of six are missing: two rims of three edges that meet there.
    TriangleMesh mesh = sphere_surface(1, 3);
    std::vector<std::size_t> around;
    Index vertex = 6; // a middle of the first subdivision: six triangles
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (std::count(mesh.triangles[i].begin(), mesh.triangles[i].end(), vertex) > 0) around.push_back(i);
    }
    ASSERT_EQ(around.size(), 6U);
    auto next = [&](std::size_t i) { // the triangle on the other side of the edge from `vertex` to its last neighbour
        const Triangle& t = mesh.triangles[i];
        const int k = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
        for (const std::size_t j : around) {
            const Triangle& s = mesh.triangles[j];
            const int l = s[0] == vertex ? 0 : s[1] == vertex ? 1 : 2;
            if (s[(l + 1) % 3] == t[(k + 2) % 3]) return j;
        }
        return i;
    };
    const std::size_t first = around[0];
    const std::size_t opposite = next(next(next(first)));
    mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(std::max(first, opposite)));
    mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(std::min(first, opposite)));
    const SurfaceReport r = surface_report(mesh);
    EXPECT_EQ(r.rim.count, 6);
    ASSERT_EQ(r.holes.size(), 2U);
    EXPECT_EQ(r.holes[0].edges, 3);
    EXPECT_EQ(r.holes[1].edges, 3);
    ASSERT_EQ(r.pinched.count, 1);
    EXPECT_EQ(r.pinched.first[0], vertex);
}

TEST(SurfaceReport, NamesEveryKindOfDefect)
{
    const TriangleMesh ball = sphere_surface(1, 2);
    const auto n = static_cast<Index>(ball.triangles.size());

    TriangleMesh mesh = ball;
    mesh.triangles.push_back(mesh.triangles[3]);
    mesh.triangles.push_back(mesh.triangles[4]);
    flip(mesh.triangles.back());
    mesh.triangles.push_back({0, 0, 7});
    mesh.nodes.emplace_back(5, 5, 5);
    mesh.nodes.push_back(mesh.nodes[2]);
    SurfaceReport r = surface_report(mesh);
    EXPECT_EQ(r.duplicate.first, std::vector<Index>{n});
    EXPECT_EQ(r.opposite.first, std::vector<Index>{n + 1});
    EXPECT_EQ(r.degenerate.first, std::vector<Index>{n + 2});
    EXPECT_EQ(r.unreferenced.count, 2);
    EXPECT_EQ(r.coincident.first, std::vector<Index>{static_cast<Index>(mesh.nodes.size()) - 1});
    EXPECT_TRUE(r.closed());
    EXPECT_FALSE(r.clean());
    EXPECT_EQ(lines(r).size(), 6U);
    EXPECT_TRUE(says(lines(r), "triangles without area: 1 (" + std::to_string(n + 3) + ")"));

    mesh = ball;
    flip(mesh.triangles[0]);
    r = surface_report(mesh);
    EXPECT_EQ(r.inconsistent.count, 3);
    EXPECT_FALSE(r.closed());

    mesh = ball;
    mesh.nodes.emplace_back(0, 3, 0);
    mesh.triangles.push_back({mesh.triangles[0][0], mesh.triangles[0][1], static_cast<Index>(mesh.nodes.size()) - 1});
    r = surface_report(mesh);
    EXPECT_EQ(r.non_manifold.count, 1);
    EXPECT_EQ(r.rim.count, 2);
    EXPECT_EQ(r.holes.size(), 1U);
    EXPECT_EQ(r.components, 1);

    r = surface_report(flipped(ball));
    EXPECT_EQ(r.inside_out, 1);
    EXPECT_LT(r.signed_volume, 0);

    r = surface_report(together(ball, flipped(sphere_surface(0.5, 2))));
    EXPECT_EQ(r.inside_out, 0);
    EXPECT_EQ(r.cavities, 1);
    EXPECT_EQ(r.components, 2);
    EXPECT_TRUE(r.clean());
}

TEST(SurfaceReport, FindsShellsWithinTheSolidOfAnother)
{
    const TriangleMesh outer = sphere_surface(1, 2);
    const TriangleMesh inner = sphere_surface(0.5, 2);
    const TriangleMesh core = sphere_surface(0.2, 2);
    SurfaceReport r = surface_report(together(outer, inner));
    EXPECT_EQ(r.nested.first, std::vector<Index>{static_cast<Index>(outer.triangles.size())});
    EXPECT_TRUE(r.closed());
    EXPECT_FALSE(r.clean()); // its signed volume counts the inner shell twice
    EXPECT_TRUE(says(lines(r), "within the solid of another"));
    EXPECT_FALSE(refusal(together(outer, inner)));
    EXPECT_EQ(surface_report(together(together(outer, inner), core)).nested.count, 2);
    EXPECT_EQ(surface_report(together(together(outer, flipped(inner)), core)).nested.count, 0);
    EXPECT_EQ(surface_report(together(outer, sphere_surface(0.5, 2, Vec3(3, 0, 0)))).nested.count, 0);
}

TEST(SurfaceReport, CallsNothingClosedWhereThereIsNoSurface)
{
    TriangleMesh point;
    point.nodes.assign(3, Vec3::Ones());
    point.triangles = {{0, 1, 2}};
    const SurfaceReport r = surface_report(point);
    EXPECT_FALSE(r.closed());
    EXPECT_EQ(lines(r).front(), "3 vertices, 1 triangle, 0 components, area 0 m^2, not closed");
}

TEST(SurfaceReport, TellsThatAKleinBottleHasOneSide)
{
    // a figure of eight that makes half a turn on its way round
    constexpr Index n = 40;
    constexpr Index m = 20;
    TriangleMesh bottle;
    for (Index i = 0; i < n; ++i) {
        const double u = 2 * std::numbers::pi * i / n;
        for (Index j = 0; j < m; ++j) {
            const double v = 2 * std::numbers::pi * j / m;
            const double r = 2 + std::cos(u / 2) * std::sin(v) - std::sin(u / 2) * std::sin(2 * v);
            bottle.nodes.emplace_back(
                r * std::cos(u), r * std::sin(u), std::sin(u / 2) * std::sin(v) + std::cos(u / 2) * std::sin(2 * v));
        }
    }
    auto at = [](Index i, Index j) { return i == n ? (m - j % m) % m : i * m + j % m; };
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) {
            bottle.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            bottle.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    const SurfaceReport r = surface_report(bottle);
    EXPECT_EQ(r.one_sided, 1);
    EXPECT_TRUE(says(lines(r), "one side only"));
    const auto reason = refusal(bottle);
    ASSERT_TRUE(reason);
    EXPECT_NE(reason->find("one side only"), std::string::npos) << *reason;
    EXPECT_EQ(reason->find("inside out"), std::string::npos) << *reason;
    EXPECT_EQ(surface_report(sphere_surface(1, 2)).one_sided, 0);
}

TEST(SurfaceReport, JudgesASoupByTheShapeOfItsTriangles)
{
    const SurfaceReport r = surface_report(unwelded(sphere_surface(1, 2)));
    EXPECT_TRUE(r.closed());
    EXPECT_EQ(r.components, 1);
    EXPECT_GT(r.coincident.count, 0);
    EXPECT_EQ(r.crossing, 0);
}

TEST(SurfaceReport, FindsTrianglesThatCross)
{
    // Two spheres that cross in a circle: as many pairs as brute force finds by edges that pierce triangles.
    const TriangleMesh mesh = together(sphere_surface(1, 2), sphere_surface(1, 2, Vec3(0.93, 0.21, 0.13)));
    auto pierces = [&](const Triangle& t, const Triangle& s) {
        for (int k = 0; k < 3; ++k) {
            const Vec3& p = mesh.nodes[t[k]];
            const Vec3& q = mesh.nodes[t[(k + 1) % 3]];
            const Vec3& a = mesh.nodes[s[0]];
            const Vec3& b = mesh.nodes[s[1]];
            const Vec3& c = mesh.nodes[s[2]];
            const bool both_sides = (det_of_edges(a, b, c, p) > 0) != (det_of_edges(a, b, c, q) > 0);
            const bool u = det_of_edges(p, q, a, b) > 0;
            if (both_sides && u == (det_of_edges(p, q, b, c) > 0) && u == (det_of_edges(p, q, c, a) > 0)) return true;
        }
        return false;
    };
    std::int64_t expected = 0;
    const std::size_t half = mesh.triangles.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        for (std::size_t j = half; j < mesh.triangles.size(); ++j) {
            expected += pierces(mesh.triangles[i], mesh.triangles[j]) || pierces(mesh.triangles[j], mesh.triangles[i]);
        }
    }
    const SurfaceReport r = surface_report(mesh);
    EXPECT_GT(expected, 20);
    EXPECT_EQ(r.crossing, expected);
    EXPECT_FALSE(r.crossing_is_a_lower_bound);
    EXPECT_FALSE(r.clean());
    EXPECT_TRUE(says(lines(r), "that cross"));
}

TEST(SurfaceReport, DoesNotCallNeighboursThatTouchCrossing)
{
    const TriangleMesh sheet = sheet_surface(4);
    EXPECT_EQ(surface_report(sheet).crossing, 0);
    // folded over onto itself: a triangle beside another in the same plane overlaps it
    TriangleMesh folded;
    folded.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.9, 0}};
    folded.triangles = {{0, 1, 2}, {1, 0, 3}};
    EXPECT_EQ(surface_report(folded).crossing, 1);
    folded.nodes[3] = {0.2, -0.9, 0};
    EXPECT_EQ(surface_report(folded).crossing, 0);
    // a shared corner, and one goes through the other
    TriangleMesh corner;
    corner.nodes = {{0, 0, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {1, 0, -0.5}, {1, 0, 0.5}};
    corner.triangles = {{0, 1, 2}, {0, 3, 4}};
    EXPECT_EQ(surface_report(corner).crossing, 1);
    corner.nodes[3].z() = 0.1;
    EXPECT_EQ(surface_report(corner).crossing, 0);
}

TEST(SurfaceReport, StopsCountingWhenTooManyCross)
{
    TriangleMesh star; // all through one line
    for (Index i = 0; i < 200; ++i) {
        const double a = 3 * i / 200.0;
        const Vec3 u{std::cos(a), std::sin(a), 0};
        star.nodes.insert(star.nodes.end(), {u - Vec3::UnitZ(), -u - Vec3::UnitZ(), Vec3(0.1 * u + Vec3::UnitZ())});
        star.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const SurfaceReport r = surface_report(star);
    EXPECT_TRUE(r.crossing_is_a_lower_bound);
    EXPECT_EQ(r.crossing_pairs.size(), ElementFindings::most_listed);
    EXPECT_TRUE(says(lines(r), "at least"));
}

TEST(Mending, WeldsASoupBackToTheSurfaceItCameFrom)
{
    const TriangleMesh ball = sphere_surface(1, 2);
    std::vector<std::string> done;
    const TriangleMesh mesh = mended(unwelded(ball), done);
    EXPECT_EQ(mesh.nodes.size(), ball.nodes.size());
    EXPECT_EQ(mesh.triangles.size(), ball.triangles.size());
    EXPECT_DOUBLE_EQ(signed_volume(mesh), signed_volume(ball));
    ASSERT_EQ(done.size(), 1U);
    EXPECT_TRUE(says(done, "welded"));
}

TEST(Mending, LeavesAGoodSurfaceAsItIs)
{
    const TriangleMesh hollow = together(sphere_surface(1, 2), flipped(sphere_surface(0.5, 2)));
    std::vector<std::string> done;
    const TriangleMesh mesh = mended(hollow, done);
    EXPECT_TRUE(done.empty());
    EXPECT_EQ(mesh.triangles, hollow.triangles);
    EXPECT_EQ(mesh.nodes, hollow.nodes);
}

TEST(Mending, MovesNoVertex)
{
    for (const BrokenSurface& broken : broken_surfaces()) {
        SCOPED_TRACE(broken.name);
        auto less = [](const Vec3& a, const Vec3& b) {
            return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
        };
        std::vector<Vec3> before = broken.mesh.nodes;
        std::sort(before.begin(), before.end(), less);
        for (const Vec3& x : mended(broken.mesh).nodes) {
            ASSERT_TRUE(std::binary_search(before.begin(), before.end(), x, less));
        }
    }
}

TEST(Mending, MakesTrianglesFaceTheSameSideAndOutward)
{
    TriangleMesh mesh = sphere_surface(1, 3);
    const double full = signed_volume(mesh);
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (i % 3 != 0) flip(mesh.triangles[i]); // most of them
    }
    std::vector<std::string> done;
    mesh = mended(mesh, done);
    EXPECT_DOUBLE_EQ(signed_volume(mesh), full);
    EXPECT_TRUE(surface_report(mesh).clean());
    EXPECT_EQ(done.size(), 2U);
}

TEST(Mending, KeepsCavitiesAndBodiesWithinCavities)
{
    const TriangleMesh nested
        = together(together(sphere_surface(1, 2), flipped(sphere_surface(0.7, 2))), sphere_surface(0.4, 2));
    const double volume = signed_volume(nested);
    EXPECT_DOUBLE_EQ(signed_volume(mended(nested)), volume);
    EXPECT_NEAR(signed_volume(mended(flipped(nested))), volume, 1e-12);
    // the core alone turned: it would be a hole in nothing
    const TriangleMesh wrong
        = together(together(sphere_surface(1, 2), flipped(sphere_surface(0.7, 2))), flipped(sphere_surface(0.4, 2)));
    EXPECT_NEAR(signed_volume(mended(wrong)), volume, 1e-12);
}

TEST(Mending, TurnsTwoBodiesEachByItself)
{
    const TriangleMesh one = sphere_surface(1, 2);
    const TriangleMesh other = sphere_surface(0.5, 2, Vec3(3, 0, 0));
    const TriangleMesh mesh = mended(together(one, flipped(other)));
    EXPECT_NEAR(signed_volume(mesh), signed_volume(one) + signed_volume(other), 1e-12);
}

TEST(Mending, LeavesAMoebiusStripAlone)
{
    TriangleMesh strip;
    constexpr Index n = 24;
    for (Index i = 0; i < n; ++i) {
        const double a = 2 * std::numbers::pi * i / n;
        const Vec3 outward{std::cos(a), 0, std::sin(a)};
        const Vec3 across = std::cos(a / 2) * outward + std::sin(a / 2) * Vec3::UnitY();
        strip.nodes.push_back(outward - 0.3 * across);
        strip.nodes.push_back(outward + 0.3 * across);
    }
    for (Index i = 0; i < n; ++i) {
        const Index a = 2 * i;
        const bool last = i + 1 == n;
        const Index c = last ? 1 : a + 2;
        const Index d = last ? 0 : a + 3;
        strip.triangles.push_back({a, a + 1, c});
        strip.triangles.push_back({a + 1, d, c});
    }
    std::vector<std::string> done;
    mended(strip, done);
    EXPECT_TRUE(done.empty());
    mended(flipped(strip), done);
    EXPECT_TRUE(done.empty());
    const TriangleMesh mesh = mended(strip);
    EXPECT_EQ(mesh.triangles, strip.triangles);
    EXPECT_GT(surface_report(mesh).inconsistent.count, 0);
    EXPECT_EQ(surface_report(mesh).holes.size(), 1U);
    EXPECT_TRUE(refusal(mesh));
}

TEST(Mending, JoinsBodiesThatTouchInAWholeFace)
{
    const TriangleMesh box = box_surface(Vec3::Zero(), Vec3::Ones());
    // mirrored, so that the triangles of the common face coincide
    auto mirrored = [](TriangleMesh mesh, int axis) {
        for (Vec3& x : mesh.nodes) x[axis] = 2 - x[axis];
        return flipped(mesh);
    };
    std::vector<std::string> done;
    const TriangleMesh two = together(box, mirrored(box, 0));
    TriangleMesh mesh = mended(two, done);
    EXPECT_TRUE(says(done, "2 pairs of opposite triangles dropped"));
    EXPECT_EQ(mesh.triangles.size(), 20U);
    EXPECT_NEAR(signed_volume(mesh), 2, 1e-15);
    EXPECT_TRUE(surface_report(mesh).clean());
    EXPECT_EQ(surface_report(mesh).components, 1);
    EXPECT_FALSE(refusal(mesh));

    // four around a common edge: eight walls of which each edge has two or more
    mesh = mended(together(two, mirrored(two, 1)));
    EXPECT_EQ(mesh.triangles.size(), 32U);
    EXPECT_NEAR(signed_volume(mesh), 4, 1e-15);
    EXPECT_TRUE(surface_report(mesh).clean());

    // the file may give them in any order
    TriangleMesh backward = two;
    std::reverse(backward.triangles.begin(), backward.triangles.end());
    EXPECT_NEAR(signed_volume(mended(backward)), 2, 1e-15);
}

TEST(Mending, DropsAFinWithTwoSidesAndKeepsASurfaceThatIsDoubled)
{
    const TriangleMesh box = box_surface(Vec3::Zero(), Vec3::Ones());
    EXPECT_EQ(mended(together(box, flipped(box))).triangles.size(), 12U);
    TriangleMesh part = box;
    for (std::size_t i = 0; i < 3; ++i) {
        part.triangles.push_back(box.triangles[i]);
        flip(part.triangles.back());
    }
    EXPECT_EQ(mended(part).triangles, box.triangles);

    TriangleMesh fin = box;
    fin.nodes.emplace_back(0.5, 2, 0);
    const auto tip = static_cast<Index>(fin.nodes.size()) - 1;
    const Triangle& side = box.triangles[0];
    fin.triangles.push_back({side[0], side[1], tip});
    fin.triangles.push_back({side[1], side[0], tip});
    EXPECT_EQ(mended(fin).triangles, box.triangles);
    EXPECT_EQ(mended(fin).nodes, box.nodes);
}

TEST(NotASolid, SaysWhatIsOpen)
{
    const auto sheet = refusal(sheet_surface());
    ASSERT_TRUE(sheet);
    EXPECT_NE(sheet->find("the rim of its hole is 8 m long (80 edges)"), std::string::npos) << *sheet;
    const auto inverted = refusal(flipped(sphere_surface(1, 2)));
    ASSERT_TRUE(inverted);
    EXPECT_NE(inverted->find("inside out"), std::string::npos) << *inverted;
    EXPECT_TRUE(refusal(TriangleMesh{}));
}

TEST(NotASolid, TakesBodiesThatFillLittleOfTheirBox)
{
    // two small balls far apart: a volume of 1e-7 of the box
    const TriangleMesh mesh = together(sphere_surface(0.01, 2), sphere_surface(0.01, 2, Vec3(4, 4, 4)));
    EXPECT_FALSE(refusal(mesh));
}

TEST(NotASolid, TakesBodiesThatAreSmallAgainstTheDistanceBetweenThem)
{
    const Vec3 far{1e6, 0, 0};
    EXPECT_FALSE(
        refusal(together(box_surface(Vec3::Zero(), Vec3::Ones()), box_surface(far, Vec3(far + Vec3::Ones())))));
    EXPECT_FALSE(refusal(box_surface(Vec3::Zero(), Vec3(1, 1, 1e-6))));
    EXPECT_FALSE(refusal(box_surface(Vec3::Constant(1e9), Vec3::Constant(1e9 + 1))));
}

TEST(NotASolid, SaysWhatDoublePrecisionCannotHold)
{
    auto reason = [](const Vec3& low, const Vec3& high) { return refusal(box_surface(low, high)).value_or(""); };
    EXPECT_NE(reason(Vec3::Zero(), Vec3::Constant(1e150)).find("too large for double"), std::string::npos);
    EXPECT_NE(reason(Vec3::Zero(), Vec3::Constant(1e200)).find("too large for double"), std::string::npos);
    EXPECT_NE(reason(Vec3::Zero(), Vec3::Constant(1e-150)).find("too small for double"), std::string::npos);
    EXPECT_NE(
        reason(Vec3::Constant(1e13), Vec3::Constant(1e13 + 1)).find("too far from the origin"), std::string::npos);
    EXPECT_EQ(reason(Vec3::Zero(), Vec3::Constant(1e30)), "");
    EXPECT_EQ(reason(Vec3::Zero(), Vec3::Constant(1e-30)), "");
}

TEST(NotASolid, NeverBlamesWhatWasNotFound)
{
    for (const BrokenSurface& broken : broken_surfaces()) {
        const std::string reason = refusal(broken.mesh).value_or("");
        EXPECT_EQ(reason.find(" 0 "), std::string::npos) << broken.name << ": " << reason;
    }
    TriangleMesh flat = box_surface(Vec3::Zero(), Vec3(1, 1, 0));
    const auto reason = refusal(flat);
    ASSERT_TRUE(reason);
    EXPECT_EQ(reason->find(" 0 "), std::string::npos) << *reason;
}
