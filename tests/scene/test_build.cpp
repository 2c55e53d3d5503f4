#include "potentials/tetrahedra.hpp"
#include "scene/build.hpp"
#include "scene/contact_scene.hpp"
#include "scene/sample.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>
#include <numbers>

namespace rubato {

namespace {

/// The small scene with its only body changed: `body` is put before its density.
std::string with_body(const std::string& body) { return with(small_scene, "\"density\"", body + ", \"density\""); }

Index node_count(const BuiltScene& scene) { return static_cast<Index>(scene.mesh.nodes.size()); }

Vec3 linear_momentum(const BuiltScene& scene)
{
    Vec3 p = Vec3::Zero();
    const Vector& m = scene.dynamics->system().mass.nodal();
    for (Index i = 0; i < m.size(); ++i) p += m[i] * node(scene.start.v, i);
    return p;
}

Vec3 angular_momentum(const BuiltScene& scene, const Vec3& about)
{
    Vec3 l = Vec3::Zero();
    const Vector& m = scene.dynamics->system().mass.nodal();
    for (Index i = 0; i < m.size(); ++i) {
        l += m[i] * (Vec3(node(scene.start.x, i)) - about).cross(Vec3(node(scene.start.v, i)));
    }
    return l;
}

/// Without its fixed nodes, which would change velocities.
std::string free_body(const std::string& body)
{
    return with(with_body(body), R"([{"nodes": {"type": "group", "name": "y_max"}}])", "[]");
}

} // namespace

TEST(Builder, MassIsDensityTimesVolume)
{
    const BuiltScene scene = built_text(small_scene);
    EXPECT_NEAR(scene.mass(), 1000 * 0.2 * 0.4 * 0.6, 1e-10);
    EXPECT_NEAR(scene.dynamics->system().mass.nodal().sum(), 48, 1e-10);
    EXPECT_NEAR(scene.bodies[0].volume, 0.048, 1e-14);
}

TEST(Builder, MassCanBeGivenInsteadOfDensity)
{
    EXPECT_NEAR(built_text(with(small_scene, "\"density\": 1000", "\"mass\": 7")).mass(), 7, 1e-12);
}

TEST(Builder, MeshIsScaledThenRotatedThenMoved)
{
    const BuiltScene scene
        = built_text(with_body(R"("translate": [10, 0, 0], "scale": 2, "rotate": {"axis": [0, 0, 3], "angle": 90})"));
    // The body of 0.2 x 0.4 x 0.6 becomes 0.8 x 0.4 x 1.2 around [10, 0, 0]; its y_max face is now at x = 9.6.
    Vec3 low = Vec3::Constant(1e9), high = -low;
    for (const Vec3& X : scene.mesh.nodes) {
        low = low.cwiseMin(X);
        high = high.cwiseMax(X);
    }
    EXPECT_NEAR((low - Vec3(9.6, -0.2, -0.6)).norm(), 0, 1e-14);
    EXPECT_NEAR((high - Vec3(10.4, 0.2, 0.6)).norm(), 0, 1e-14);
    for (const Index i : scene.bodies[0].groups.at("y_max")) EXPECT_NEAR(scene.mesh.nodes[i].x(), 9.6, 1e-14);
}

TEST(Builder, LinearVelocityGivesMassTimesVelocity)
{
    const BuiltScene scene = built_text(free_body(R"("velocity": [{"type": "linear", "velocity": [1, 2, 3]}])"));
    EXPECT_NEAR((linear_momentum(scene) - 48 * Vec3(1, 2, 3)).norm(), 0, 1e-10);
}

TEST(Builder, AngularVelocityTurnsAboutTheCentreOfMassUnlessTold)
{
    const BuiltScene scene = built_text(
        free_body(R"("translate": [3, 1, 2], "velocity": [{"type": "angular", "axis": [0, 0, 2], "rate": 5}])"));
    EXPECT_NEAR(linear_momentum(scene).norm(), 0, 1e-10);
    EXPECT_GT(angular_momentum(scene, Vec3(3, 1, 2)).z(), 0);
    for (Index i = 0; i < node_count(scene); ++i) {
        const Vec3 expected = Vec3(0, 0, 5).cross(scene.mesh.nodes[i] - Vec3(3, 1, 2));
        EXPECT_NEAR((node(scene.start.v, i) - expected).norm(), 0, 1e-12);
    }
    const BuiltScene about_origin = built_text(free_body(
        R"("translate": [3, 1, 2], "velocity": [{"type": "angular", "axis": [0, 0, 2], "rate": 5, "center": [0, 0, 0]}])"));
    EXPECT_NEAR((linear_momentum(about_origin) - 48 * Vec3(0, 0, 5).cross(Vec3(3, 1, 2))).norm(), 0, 1e-10);
}

TEST(Builder, RampGrowsFromNothingToTheFullVelocityAndVelocitiesAddUp)
{
    const BuiltScene scene = built_text(free_body(
        R"("velocity": [{"type": "ramp", "axis": [1, 0, 0], "velocity": [0, 4, 0]}, {"type": "linear", "velocity": [0, 1, 0]}])"));
    for (const Index i : scene.bodies[0].groups.at("x_min")) EXPECT_NEAR(node(scene.start.v, i).y(), 1, 1e-12);
    for (const Index i : scene.bodies[0].groups.at("x_max")) EXPECT_NEAR(node(scene.start.v, i).y(), 5, 1e-12);
}

TEST(Builder, StretchMovesTheStartAndNotTheRestShape)
{
    const BuiltScene scene = built_text(free_body(R"("deform": [{"type": "stretch", "factors": [1, 2, 1]}])"));
    for (Index i = 0; i < node_count(scene); ++i) {
        const Vec3 expected = Vec3(1, 2, 1).cwiseProduct(scene.mesh.nodes[i]);
        EXPECT_NEAR((node(scene.start.x, i) - expected).norm(), 0, 1e-14);
    }
    EXPECT_NEAR(scene.bodies[0].volume, 0.048, 1e-14);
    EXPECT_GT(scene.dynamics->potential_energy(0, scene.start.x).elastic, 1);
}

TEST(Builder, TwistTurnsOneEndAndLeavesTheOther)
{
    const BuiltScene scene = built_text(free_body(R"("deform": [{"type": "twist", "axis": [0, 1, 0], "angle": 90}])"));
    const auto place = [&](Index i) { return Vec3(node(scene.start.x, i)); };
    for (const Index i : scene.bodies[0].groups.at("y_min")) {
        EXPECT_NEAR((place(i) - scene.mesh.nodes[i]).norm(), 0, 1e-14);
    }
    for (const Index i : scene.bodies[0].groups.at("y_max")) {
        const Vec3& X = scene.mesh.nodes[i];
        EXPECT_NEAR((place(i) - Vec3(X.z(), X.y(), -X.x())).norm(), 0, 1e-14);
    }
}

TEST(Builder, BendKeepsTheLengthOfTheMiddleAndTurnsTheFarEnd)
{
    // A quarter of a circle: the far end of the middle line is at (R, R) from the near one, R = L / (pi/2).
    const std::string text
        = with(free_body(R"("deform": [{"type": "bend", "axis": [0, 0, 1], "toward": [1, 0, 0], "angle": 90}])"),
            "\"cells\": [1, 2, 3]", "\"cells\": [2, 2, 12]");
    const BuiltScene scene = built_text(text);
    const double R = 0.6 / (std::numbers::pi / 2);
    double length = 0;
    Vec3 last = Vec3::Zero();
    int count = 0;
    for (Index i = 0; i < node_count(scene); ++i) {
        const Vec3& X = scene.mesh.nodes[i];
        const Vec3 x = node(scene.start.x, i);
        if (std::abs(X.z() + 0.3) < 1e-12) {
            EXPECT_NEAR((x - X).norm(), 0, 1e-14); // the near end stays
        }
        if (std::abs(X.x()) > 1e-12 || std::abs(X.y()) > 1e-12) continue;
        if (count++ > 0) length += (x - last).norm();
        last = x;
    }
    EXPECT_EQ(count, 13);
    EXPECT_NEAR((last - Vec3(R, 0, -0.3 + R)).norm(), 0, 1e-12);
    EXPECT_NEAR(length, 0.6, 1e-3); // chords are a little shorter
}

TEST(Builder, DeformationsAreAppliedInOrder)
{
    const BuiltScene scene = built_text(free_body(
        R"("deform": [{"type": "translate", "by": [0, 1, 0]}, {"type": "rotate", "axis": [0, 0, 1], "angle": 90, "center": [0, 0, 0]}])"));
    const Vec3& X = scene.mesh.nodes[0];
    EXPECT_NEAR((node(scene.start.x, 0) - Vec3(-X.y() - 1, X.x(), X.z())).norm(), 0, 1e-14);
}

TEST(Builder, OnlyBarrierMaterialsRefuseAnInvertedStart)
{
    const std::string inverted
        = free_body(R"("name": "thing", "deform": [{"type": "stretch", "factors": [-1, 1, 1]}])");
    int refused = 0;
    for (const MaterialEntry& entry : tetrahedra_catalog()) {
        SCOPED_TRACE(entry.name);
        std::string material = "{\"type\": \"" + entry.name + "\"";
        for (const OptionSpec& o : entry.options) {
            if (std::holds_alternative<std::monostate>(o.fallback)) {
                material += ", \"" + o.name + "\": " + (o.name == "poisson" ? "0.3" : "1e5");
            }
        }
        const std::string text
            = with(inverted, R"({"type": "neo-hookean", "young": 1e5, "poisson": 0.4})", material + "}");
        const auto mistakes = build_mistakes(text);
        EXPECT_EQ(mistakes.size(), entry.is_barrier ? 1u : 0u);
        if (mistakes.empty()) continue;
        ++refused;
        EXPECT_EQ(mistakes[0].key, "bodies[0].material");
        EXPECT_NE(mistakes[0].message.find("'thing' has 30: tetrahedra 0, 1, 2, 3, 4, ..."), std::string::npos)
            << mistakes[0].text();
        EXPECT_NE(mistakes[0].message.find("the first around [0, -0.1, -0.2] m"), std::string::npos)
            << mistakes[0].text();
    }
    EXPECT_GT(refused, 0);
}

TEST(Builder, GravityIsZeroAtTheLowestPointOfTheRestShape)
{
    const BuiltScene scene = built_text(with_body(R"("translate": [0, 5, 0])"));
    EXPECT_NEAR(scene.gravity_zero.y(), 4.8, 1e-14);
    EXPECT_NEAR(scene.dynamics->potential_energy(0, scene.start.x).gravity, 48 * 9.8 * 0.2, 1e-9);
    const BuiltScene told = built_text(with(small_scene, "{", "{\"gravity_zero\": [0, -1, 0],"));
    EXPECT_NEAR(told.dynamics->potential_energy(0, told.start.x).gravity, 48 * 9.8, 1e-9);
    const BuiltScene sideways = built_text(with(small_scene, "{", "{\"gravity\": [3, 0, 0],"));
    EXPECT_NEAR(sideways.gravity_zero.x(), 0.1, 1e-14);
}

TEST(Builder, ForceIsSharedAsItsDistributionSays)
{
    const auto work_of_lifting = [](const std::string& distribution) {
        const BuiltScene scene = built_text(with(small_scene, "\"fixed\"",
            R"("gravity": [0, 0, 0], "forces": [{"nodes": {"type": "group", "name": "x_max"}, "force": [0, 0, 6], "distribution": ")"
                + distribution + R"("}], "fixed")"));
        Vector lifted = scene.start.x;
        for (Index i = 0; i < node_count(scene); ++i) lifted[3 * i + 2] += 1;
        return -scene.dynamics->potential_energy(0, lifted).other;
    };
    EXPECT_NEAR(work_of_lifting("total"), 6, 1e-12);
    EXPECT_NEAR(work_of_lifting("node"), 6 * 12, 1e-12); // the face has 3 x 4 nodes
    EXPECT_NEAR(work_of_lifting("mass"), 6 * 24, 1e-9); // half of the 48 kg, with one cell across
}

TEST(Builder, SpringsHaveTheLengthTheyStartWith)
{
    const std::string text = with(small_scene, "\"fixed\"",
        R"("gravity": [0, 0, 0], "springs": [{"a": {"type": "node", "index": 0}, "b": {"type": "group", "name": "x_max"}, "stiffness": 50}], "fixed")");
    const BuiltScene scene = built_text(text);
    EXPECT_EQ(scene.dynamics->potential_energy(0, scene.start.x).elastic, 0);
    const BuiltScene tense = built_text(with(text, "\"stiffness\": 50", "\"stiffness\": 50, \"rest_length\": 0"));
    double expected = 0;
    for (const Index i : tense.bodies[0].groups.at("x_max")) {
        expected += 0.5 * 50 * (tense.mesh.nodes[i] - tense.mesh.nodes[0]).squaredNorm();
    }
    EXPECT_NEAR(tense.dynamics->potential_energy(0, tense.start.x).elastic, expected, 1e-12);
}

TEST(Builder, SpringsNeedEqualNumbersOrOneNode)
{
    const auto springs = [](const std::string& a, const std::string& b) {
        return build_mistakes(with(small_scene, "\"fixed\"",
            "\"springs\": [{\"a\": " + a + ", \"b\": " + b + ", \"stiffness\": 1}], \"fixed\""));
    };
    EXPECT_EQ(springs(R"({"type": "group", "name": "x_min"})", R"({"type": "group", "name": "x_max"})").size(), 0u);
    EXPECT_EQ(springs(R"({"type": "group", "name": "x_min"})", R"({"type": "group", "name": "y_max"})").size(), 1u);
    EXPECT_EQ(springs(R"({"type": "node", "index": 3})", R"({"type": "node", "index": 3})").size(), 1u);
}

TEST(Builder, CountsTheNodesThatEachBlockGot)
{
    const BuiltScene scene = built(scene_in(with(small_scene, "\"fixed\"",
        R"("forces": [{"nodes": {"type": "all"}, "force": [1, 0, 0]}],
           "attachments": [{"nodes": {"type": "node", "index": 0}, "stiffness": 1}], "fixed")")));
    ASSERT_EQ(scene.selections.size(), 3u);
    EXPECT_EQ(scene.selections[0].key, "fixed[0]");
    EXPECT_EQ(scene.selections[0].nodes, 8u);
    EXPECT_EQ(scene.selections[1].key, "forces[0]");
    EXPECT_EQ(scene.selections[1].nodes, 24u);
    EXPECT_EQ(scene.selections[2].key, "attachments[0]");
    EXPECT_EQ(scene.selections[2].nodes, 1u);
}

TEST(Builder, APulseShorterThanAStepIsNoted)
{
    const auto notes = [](const std::string& profile) {
        const std::string forces = R"("forces": [{"nodes": {"type": "all"}, "force": [1, 0, 0], "profile": )" + profile;
        return built(scene_in(with(small_scene, "\"fixed\"", forces + "}], \"fixed\""), {{"time.step", "0.1", "--dt"}}))
            .notes;
    };
    const auto noted = notes(R"({"type": "pulse", "begin": 0.2, "end": 0.25})");
    ASSERT_EQ(noted.size(), 1u);
    EXPECT_NE(noted[0].find("forces[0].profile changes within 0.05 s"), std::string::npos) << noted[0];
    EXPECT_TRUE(notes(R"({"type": "pulse", "begin": 0.2, "end": 0.3})").empty()) << "one step but for round-off";
    EXPECT_TRUE(notes(R"({"type": "pulse", "begin": 0.2})").empty()) << "without end";
    EXPECT_TRUE(notes(R"("constant")").empty());
    EXPECT_EQ(notes(R"({"type": "keyframes", "times": [0, 0.2, 0.25, 0.5], "factors": [0, 0, 1, 0]})").size(), 1u);
}

/// A script is seen at the ends of steps; one that goes and comes back in between is not.
TEST(Builder, AScriptThatTurnsWithinAStepIsNoted)
{
    const auto notes = [](const std::string& motion) {
        const std::string scripted
            = R"("scripted": [{"nodes": {"type": "group", "name": "y_min"}, "motion": )" + motion;
        return built(
            scene_in(with(small_scene, "\"fixed\"", scripted + "}], \"fixed\""), {{"time.step", "0.1", "--dt"}}))
            .notes;
    };
    const auto noted = notes(R"({"type": "oscillation", "amplitude": [0, 0.01, 0], "frequency": 10})");
    ASSERT_EQ(noted.size(), 1u);
    EXPECT_NE(noted[0].find("scripted[0].motion turns within 0.05 s"), std::string::npos) << noted[0];
    EXPECT_TRUE(notes(R"({"type": "oscillation", "amplitude": [0, 0.01, 0], "frequency": 4})").empty());
    EXPECT_EQ(notes(R"({"type": "rotation", "axis": [0, 1, 0], "rate": 40})").size(), 1u);
    EXPECT_TRUE(notes(R"({"type": "rotation", "axis": [0, 1, 0], "rate": 0})").empty());
    const std::string bump = R"("displacements": [[0, 0, 0], [0, 0.01, 0], [0, 0, 0]]})";
    EXPECT_EQ(notes(R"({"type": "keyframes", "times": [0, 0.02, 0.04], )" + bump).size(), 1u);
    EXPECT_TRUE(notes(R"({"type": "keyframes", "times": [0, 0.2, 0.4], )" + bump).empty());
    EXPECT_TRUE(notes(R"({"type": "translation", "velocity": [0, 0.1, 0], "end": 0.01})").empty()) << "it stays there";
}

TEST(Builder, TheLastStepIsShorterWhenTheDurationIsNoMultiple)
{
    const auto scene = [](const char* step) { return built(scene_in(small_scene, {{"time.step", step, "--dt"}})); };
    EXPECT_EQ(scene("1/30").expected_last_step(), scene("1/30").step); // 0.1 s
    EXPECT_NEAR(scene("0.04").expected_last_step(), 0.02, 1e-12);
    EXPECT_EQ(scene("7").expected_last_step(), 0.1);
}

TEST(Builder, TwoScriptsMayNotClaimTheSameUnknown)
{
    const std::string scripted = with(small_scene, "\"fixed\"",
        R"("scripted": [{"nodes": {"type": "group", "name": "x_max"}, "axes": "x", "motion": {"type": "translation", "velocity": [1, 0, 0]}}], "fixed")");
    const auto mistakes = build_mistakes(scripted);
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0].key, "scripted[0]");
    EXPECT_NE(mistakes[0].message.find("along x by fixed[0] already"), std::string::npos) << mistakes[0].text();
    // Other coordinates of the same nodes are free to take.
    EXPECT_EQ(build_mistakes(with(scripted, R"("name": "y_max"})", R"("name": "y_max"}, "axes": "yz")")).size(), 0u);
}

TEST(Builder, FixedSelectionsMayOverlap)
{
    const BuiltScene scene
        = built_text(with(small_scene, "\"fixed\": [", R"("fixed": [{"nodes": {"type": "group", "name": "x_max"}}, )"));
    EXPECT_EQ(scene.dynamics->system().prescription.unknowns().size(), 3u * (12 + 8 - 4));
}

TEST(Builder, ScriptedNodesStartWithTheVelocityOfTheirScript)
{
    const BuiltScene scene = built_text(with(small_scene, "\"fixed\"",
        R"("scripted": [{"nodes": {"type": "group", "name": "y_min"}, "motion": {"type": "translation", "velocity": [1, 2, 3]}}], "fixed")"));
    for (const Index i : scene.bodies[0].groups.at("y_min")) {
        EXPECT_EQ(Vec3(node(scene.start.v, i)), Vec3(1, 2, 3));
    }
}

TEST(Builder, EverythingTogetherBuilds)
{
    const BuiltScene scene = built_text(full_scene);
    EXPECT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.obstacles.size(), 5u);
    EXPECT_EQ(scene.dynamics->system().potentials.size(), 7u);
    EXPECT_EQ(scene.dynamics->system().dissipations.size(), 3u);
    EXPECT_EQ(scene.expected_steps(), 16);
    EXPECT_NEAR(scene.mass(), 500 * 4 * 0.5 * 0.1 * 0.1 * 2 + 2, 1e-10);
    EXPECT_TRUE(scene.start.finite());
}

TEST(Builder, SettledSceneBuildsTheSame)
{
    const Scene scene = scene_in(full_scene);
    const BuiltScene once = built(scene);
    const Scene again = scene_in(resolved_scene(scene, once).text());
    const BuiltScene twice = built(again);
    EXPECT_EQ(once.start.x, twice.start.x);
    EXPECT_EQ(once.start.v, twice.start.v);
    EXPECT_EQ(once.gravity_zero, twice.gravity_zero);
    EXPECT_EQ(once.dynamics->potential_energy(0, once.start.x).total(),
        twice.dynamics->potential_energy(0, twice.start.x).total());
    EXPECT_EQ(resolved_scene(again, twice).text(), again.text());
}

TEST(Builder, ReportsMistakesOfSeveralPartsAtOnce)
{
    std::string text = with(small_scene, "y_max", "top");
    text = with(text, "\"fixed\"",
        R"("forces": [{"nodes": {"type": "sphere", "center": [9, 9, 9], "radius": 1}, "force": [0, 0, 1]}],
  "attachments": [{"nodes": {"type": "all", "body": "nobody"}, "stiffness": 1}], "fixed")");
    const auto mistakes = build_mistakes(text);
    ASSERT_EQ(mistakes.size(), 3u);
    EXPECT_EQ(mistakes[0].key, "fixed[0].nodes.name");
    EXPECT_EQ(mistakes[1].key, "forces[0].nodes");
    EXPECT_NE(mistakes[1].message.find("selects no node"), std::string::npos);
    EXPECT_EQ(mistakes[2].key, "attachments[0].nodes.body");
}

TEST(BuiltinScenes, AllOfThemBuildAndHaveASummary)
{
    ASSERT_FALSE(builtin_scenes().empty());
    for (const BuiltinScene& builtin : builtin_scenes()) {
        SCOPED_TRACE(builtin.name);
        const Scene scene = scene_named(std::string(builtin.name));
        EXPECT_EQ(scene.name(), builtin.name);
        EXPECT_FALSE(scene.root.options.text("summary").empty());
        EXPECT_NO_THROW(built(scene));
    }
}

TEST(BuiltinScenes, EveryFileInScenesIsOne)
{
    std::size_t files = 0;
    for (const auto& entry :
        std::filesystem::recursive_directory_iterator(std::filesystem::path(RUBATO_SOURCE_DIR) / "scenes")) {
        if (entry.path().extension() == ".json") ++files;
    }
    EXPECT_EQ(builtin_scenes().size(), files);
}

TEST(BuiltinScenes, UnknownNameGivesASuggestion)
{
    const auto mistakes = mistakes_of([] { scene_named("hangin-bar"); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_NE(mistakes[0].message.find("did you mean 'hanging-bar'?"), std::string::npos);
    EXPECT_EQ(mistakes_of([] { scene_named("hanging-bar.json"); }).at(0).message, "there is no such file");
}

} // namespace rubato
