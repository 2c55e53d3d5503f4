#include "geometry/bounds.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/surface_check.hpp"
#include "geometry/transforms.hpp"
#include "scene/contact_scene.hpp"
#include "scene/obstacle_shapes.hpp"

#include <filesystem>
#include <numbers>

namespace rubato {

namespace {

using std::numbers::pi;

std::string with_obstacles(const std::string& list) { return two_blocks("\"obstacles\": [" + list + "]"); }

/// A folder that is gone when the test ends.
class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "rubato-scene-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

} // namespace

TEST(ObstacleShapes, AreCleanSolidsOfTheRightSize)
{
    const Mat3 turn = rotation(Vec3(1, 2, 3), 0.7);
    const struct {
        const char* name;
        TriangleMesh mesh;
        double volume, tolerance;
    } shapes[] = {
        {"box", box_surface(Vec3(1, 2, 3), Vec3(0.1, 0.2, 0.3), turn), 0.006, 1e-12},
        {"cylinder", cylinder_surface(Vec3(1, 2, 3), Vec3(0.6, 0, 0.8), 0.5, 2, 48),
            48 * 0.125 * std::sin(2 * pi / 48) * 2, 1e-10},
        {"sphere", capsule_surface(Vec3(1, 2, 3), Vec3(1, 2, 3), 0.5), 4 * pi / 3 * 0.125, 0.02},
        {"capsule", capsule_surface(Vec3(1, 2, 3), Vec3(1, 4, 3), 0.5), 4 * pi / 3 * 0.125 + pi * 0.25 * 2, 0.04},
    };
    for (const auto& [name, mesh, volume, tolerance] : shapes) {
        SCOPED_TRACE(name);
        const SurfaceReport report = surface_report(mesh);
        EXPECT_TRUE(report.clean());
        EXPECT_EQ(report.components, 1);
        EXPECT_FALSE(report.unreferenced.any());
        EXPECT_NEAR(report.signed_volume, volume, tolerance * volume);
        EXPECT_NEAR(
            (bounds(mesh.nodes).center() - (name == std::string("capsule") ? Vec3(1, 3, 3) : Vec3(1, 2, 3))).norm(), 0,
            1e-12);
    }
}

TEST(ObstacleShapes, TheSurfaceOfACapsuleIsARadiusAwayFromItsSegment)
{
    const Vec3 a(0, 1, 0), b(2, 1, 1);
    for (const Vec3& x : capsule_surface(a, b, 0.3).nodes) {
        const double s = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
        EXPECT_NEAR((x - a - s * (b - a)).norm(), 0.3, 1e-12);
    }
}

TEST(ObstacleShapes, ASoupIsWeldedAndTrianglesWithoutAreaAreDropped)
{
    const TriangleMesh box = box_surface(Vec3::Zero(), Vec3::Ones(), Mat3::Identity());
    TriangleMesh soup;
    for (const Triangle& t : box.triangles) {
        const auto first = static_cast<Index>(soup.nodes.size());
        for (const Index i : t) soup.nodes.push_back(box.nodes[static_cast<std::size_t>(i)]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    soup.triangles.push_back({0, 1, 1});
    soup.nodes.emplace_back(9, 9, 9);
    const TriangleMesh mended = welded(soup);
    EXPECT_EQ(mended.nodes.size(), 8u);
    EXPECT_EQ(mended.triangles.size(), 12u);
    EXPECT_TRUE(surface_report(mended).closed());
}

TEST(Obstacles, ComeAfterAllBodiesAndHaveNoMass)
{
    const BuiltScene scene = built_text(with_obstacles(
        R"({"type": "half-space", "point": [0, -1, 0]}, {"type": "box", "center": [3, 0, 0], "size": [1, 1, 1]},
           {"type": "sphere", "center": [-3, 0, 0], "radius": 0.5})"));
    ASSERT_EQ(scene.obstacles.size(), 3u);
    EXPECT_EQ(scene.body_nodes, 54);
    const auto& [ground, box, sphere] = std::tie(scene.obstacles[0], scene.obstacles[1], scene.obstacles[2]);
    EXPECT_EQ(ground.nodes, 0);
    ASSERT_TRUE(ground.half_space);
    EXPECT_EQ(ground.half_space->point, Vec3(0, -1, 0));
    EXPECT_EQ(ground.half_space->normal, Vec3(0, 1, 0));
    EXPECT_EQ(box.first_node, 54);
    EXPECT_EQ(box.nodes, 8);
    EXPECT_EQ(box.faces.size(), 12u);
    EXPECT_EQ(sphere.first_node, 62);
    EXPECT_EQ(sphere.nodes, 1);
    EXPECT_EQ(sphere.radius, 0.5);
    EXPECT_GT(sphere.shown_nodes, 100);
    EXPECT_EQ(Vec3(node(scene.start.x, 62)), Vec3(-3, 0, 0));

    const System& system = scene.dynamics->system();
    const Index nodes = 63 + sphere.shown_nodes;
    EXPECT_EQ(system.mass.nodes(), nodes);
    EXPECT_EQ(scene.mesh.nodes.size(), static_cast<std::size_t>(nodes));
    for (Index i = 0; i < nodes; ++i) EXPECT_EQ(system.mass.nodal()[i] > 0, i < 54);
    for (Eigen::Index i = 0; i < 3 * nodes; ++i) EXPECT_EQ(system.prescription.holds(i), i >= 3 * 54);
    EXPECT_NEAR(scene.mass(), 16, 1e-10);
    EXPECT_EQ(scene.gravity_zero.y(), -1) << "on the ground";
    const BuiltScene without = built_text(with_obstacles(R"({"type": "box", "center": [3, 0, 0], "size": [1, 1, 1]})"));
    EXPECT_NEAR(without.gravity_zero.y(), -0.1, 1e-12) << "the lowest point of bodies, not of obstacles";
}

TEST(Obstacles, TheGroundIsAgainstGravityWhereverThatPoints)
{
    const std::string tilted = with(with_obstacles(R"({"type": "half-space", "point": [0, 0, -5]})"), "{\"time\"",
        "{\"gravity\": [0, 0, -4], \"time\"");
    EXPECT_EQ(built_text(tilted).obstacles[0].half_space->normal, Vec3(0, 0, 1));
    EXPECT_EQ(ground_height(scene_in(tilted)), -5.0);
    EXPECT_EQ(built_text(tilted).gravity_zero, Vec3(0, 0, -5));
    const std::string slope = with_obstacles(R"({"type": "half-space", "point": [0, -2, 0], "normal": [0, 3, 3]})");
    EXPECT_NEAR((built_text(slope).obstacles[0].half_space->normal - Vec3(0, 1, 1).normalized()).norm(), 0, 1e-15);
    EXPECT_FALSE(ground_height(scene_in(slope)));
    EXPECT_NEAR(built_text(slope).gravity_zero.y(), -0.1, 1e-12) << "a slope has no height";
}

TEST(Obstacles, GetNamesThatNothingElseHas)
{
    const auto names = [](const std::string& list) {
        std::vector<std::string> all;
        for (const PlacedObstacle& obstacle : built_text(with_obstacles(list)).obstacles) all.push_back(obstacle.name);
        return all;
    };
    const std::string plane = R"({"type": "half-space", "point": [0, -1, 0]})";
    const std::string ball = R"({"type": "sphere", "center": [4, 0, 0], "radius": 0.5})";
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(plane + "," + plane + "," + ball + "," + ball),
        (Names{"ground", "half-space-1", "sphere-1", "sphere-2"}));
    EXPECT_EQ(names(with(ball, "{", R"({"name": "ground", )") + "," + plane), (Names{"ground", "half-space-1"}));
    EXPECT_EQ(names(ball + "," + with(ball, "{", R"({"name": "sphere-1", )")), (Names{"sphere-2", "sphere-1"}));

    EXPECT_NE(only_mistake(with_obstacles(with(ball, "{", R"({"name": "low", )"))).find("has this name already"),
        std::string::npos);
    const std::string copy
        = two_blocks("\"obstacles\": [" + with(ball, "{", R"({"name": "high-2", )") + "]", three_high);
    const std::string said = only_mistake(copy);
    EXPECT_NE(said.find("obstacles[0].name = \"high-2\": a body, or a copy of one"), std::string::npos) << said;
}

TEST(Obstacles, FollowTheirMotionWithAllTheirNodes)
{
    BuiltScene scene = built_text(with_obstacles(
        R"({"type": "capsule", "from": [3, 0, 0], "to": [4, 0, 0], "radius": 0.1,
            "motion": {"type": "rotation", "axis": [0, 1, 0], "center": [3, 0, 0], "rate": 2}},
           {"type": "box", "center": [-3, 0, 0], "size": [1, 1, 1]})"));
    const PlacedObstacle& bar = scene.obstacles[0];
    State later = scene.start;
    later.t = pi / 4; // a quarter of a turn: x becomes -z
    scene.dynamics->prescribe(later);
    EXPECT_NEAR((node(later.x, bar.first_node) - Vec3(3, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((node(later.x, bar.first_node + 1) - Vec3(3, 0, -1)).norm(), 0, 1e-12);
    EXPECT_NEAR((node(later.v, bar.first_node + 1) - Vec3(-2, 0, 0)).norm(), 0, 1e-12);
    for (Index i = bar.first_node; i < bar.first_node + bar.nodes + bar.shown_nodes; ++i) {
        const Vec3 X = scene.mesh.nodes[static_cast<std::size_t>(i)];
        EXPECT_NEAR((node(later.x, i) - Vec3(3 + X.z(), X.y(), 3 - X.x())).norm(), 0, 1e-12);
    }
    for (Index i = scene.obstacles[1].first_node; i < scene.obstacles[1].first_node + 8; ++i) {
        EXPECT_EQ(Vec3(node(later.x, i)), scene.mesh.nodes[static_cast<std::size_t>(i)]);
    }
    EXPECT_TRUE(scene.dynamics->system().prescription.moving());
}

TEST(Obstacles, AreShownUnderTheirNames)
{
    const BuiltScene scene = built_text(with_obstacles(
        R"({"type": "half-space", "point": [0, -1, 0]}, {"type": "sphere", "center": [3, 0, 0], "radius": 0.5},
           {"type": "box", "name": "step", "center": [-3, 0, 0], "size": [1, 1, 1]})"));
    const Skin& skin = scene.skin;
    std::vector<std::string> names;
    for (const SurfacePart& part : skin.surface.parts) names.push_back(part.object);
    EXPECT_EQ(names, (std::vector<std::string>{"low", "high", "sphere-1", "step"}));
    std::vector<Vec3> shown;
    positions(skin.points, scene.start.x, shown);
    ASSERT_EQ(shown.size(), skin.surface.vertices.size());
    for (std::size_t i = 0; i < shown.size(); ++i) EXPECT_NEAR((shown[i] - skin.surface.vertices[i]).norm(), 0, 1e-14);
    EXPECT_TRUE(skin.embedded) << "frames of tetrahedra alone would not show them";
    EXPECT_FALSE(built_text(with_obstacles(R"({"type": "half-space", "point": [0, -1, 0]})")).skin.embedded);
}

TEST(Obstacles, AMeshIsScaledTurnedAndMovedLikeABody)
{
    const Folder folder;
    write_surface(folder.path / "wedge.stl", surface_of(box_surface(Vec3(1, 1, 1), Vec3(2, 1, 1), Mat3::Identity())));
    const std::string text = with_obstacles(R"({"type": "mesh", "path": "wedge.stl", "center": true, "size": 1,
        "rotate": {"axis": [0, 0, 1], "angle": 90}, "translate": [0, -3, 0]})");
    const Scene scene = scene_from_text(text, "test.json", folder.path);
    const BuiltScene once = built(scene);
    ASSERT_EQ(once.obstacles[0].nodes, 8) << "a soup of triangles is welded";
    std::vector<Vec3> corners(once.mesh.nodes.end() - 8, once.mesh.nodes.end());
    EXPECT_NEAR((bounds(corners).low - Vec3(-0.25, -3.5, -0.25)).norm(), 0, 1e-6);
    EXPECT_NEAR((bounds(corners).high - Vec3(0.25, -2.5, 0.25)).norm(), 0, 1e-6);
    // A run keeps a copy of the file.
    ASSERT_EQ(once.files.size(), 1u);
    EXPECT_EQ(once.files[0].copy, "meshes/0-wedge.stl");
    EXPECT_NE(resolved_scene(scene, once).text().find("\"path\": \"meshes/0-wedge.stl\""), std::string::npos);
}

TEST(Obstacles, RandomCopiesStayClearOfThem)
{
    // The region is all but full of the obstacle: bodies find room only above it.
    const std::string strewn
        = R"("copies": {"type": "random", "count": 8, "min": [-1, 0.2, -1], "max": [1, 2, 1], "gap": 0.01})";
    const BuiltScene scene = built_text(
        two_blocks(R"("obstacles": [{"type": "box", "center": [0, 0.9, 0], "size": [2.2, 1.2, 2.2]}])", strewn));
    for (Index i = scene.bodies[1].first_node; i < scene.body_nodes; ++i) EXPECT_GE(node(scene.start.x, i).y(), 1.51);
}

TEST(Obstacles, MistakesSayWhatIsWrong)
{
    const struct {
        const char *obstacle, *says;
    } cases[] = {
        {R"({"type": "half-space", "motion": {"type": "translation", "velocity": [1, 0, 0]}})",
            "obstacles[0].motion = translation: a half-space does not move"},
        {R"({"type": "half-space", "normal": [0, 0, 0]})", "obstacles[0].normal = [0,0,0]: must have a direction"},
        {R"({"type": "sphere", "radius": 0})", "obstacles[0].radius = 0: must be a number >= 1e-09 and <= 1e+09 [m]"},
        {R"({"type": "sphere"})", "obstacles[0].radius: is missing"},
        {R"({"type": "ball", "radius": 1})", "must be one of half-space, sphere, capsule, box, cylinder, mesh"},
        {R"({"type": "capsule", "from": [1, 1, 1], "to": [1, 1, 1], "radius": 1})", "obstacles[0].to: must differ"},
        {R"({"type": "box", "size": [1, 0, 1]})", "obstacles[0].size"},
        {R"({"type": "cylinder", "radius": 1, "height": 1, "axis": [0, 0, 0]})", "obstacles[0].axis"},
        {R"({"type": "cylinder", "radius": 1, "height": 1, "segments": 2})", "obstacles[0].segments = 2"},
        {R"({"type": "mesh", "path": "none.obj"})", "obstacles[0].path = \"none.obj\": there is no file"},
        {R"({"type": "box", "size": [1, 1, 1], "density": 3})", "obstacles[0].density = 3: unknown key"},
        {R"({"type": "box", "size": [1, 1, 1], "motion": {"type": "translation"}})", "obstacles[0].motion.velocity"},
    };
    for (const auto& [obstacle, says] : cases) {
        const std::string said = only_mistake(with_obstacles(obstacle));
        EXPECT_NE(said.find(says), std::string::npos) << said;
    }
}

} // namespace rubato
