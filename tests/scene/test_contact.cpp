#include "scene/contact_scene.hpp"

#include <algorithm>

namespace rubato {

namespace {

const std::string ground = R"("obstacles": [{"type": "half-space", "point": [0, -1, 0]}])";

std::string contact(const std::string& inside) { return "\"contact\": {" + inside + "}"; }

/// Contact of a scene as building it sees it.
SceneContact contact_of(const std::string& text)
{
    const Scene scene = scene_in(text);
    std::vector<Mistake> mistakes;
    const std::vector<ObstacleShape> shapes = obstacle_shapes(scene, mistakes);
    Bodies bodies = placed_bodies(scene, shapes, mistakes);
    add_obstacles(scene, shapes, bodies, mistakes);
    const Prescription script = prescription_of(scene, bodies, mistakes);
    std::optional<SceneContact> found = scene_contact(scene, bodies, script, mistakes);
    EXPECT_TRUE(found);
    EXPECT_TRUE(mistakes.empty()) << mistakes.front().text();
    return found ? std::move(*found) : SceneContact();
}

bool has_contact_term(const BuiltScene& scene)
{
    const auto& all = scene.dynamics->system().potentials;
    return std::any_of(all.begin(), all.end(), [](const auto& p) { return p->kind() == EnergyKind::contact; });
}

} // namespace

TEST(Contact, IsThereWithABlockOrAnObstacleAndNotOtherwise)
{
    const BuiltScene without = built_text(two_blocks());
    EXPECT_FALSE(without.contact);
    EXPECT_FALSE(has_contact_term(without));
    EXPECT_TRUE(without.collision_faces.empty());
    EXPECT_EQ(static_cast<Index>(without.mesh.nodes.size()), without.body_nodes);
    EXPECT_EQ(without.contact_line, "");

    for (const std::string& more : {contact(""), ground}) {
        const BuiltScene scene = built_text(two_blocks(more));
        ASSERT_TRUE(scene.contact) << more;
        EXPECT_TRUE(has_contact_term(scene));
        EXPECT_TRUE(scene.dynamics->system().dissipations.empty()) << "no friction unless it is asked for";
        EXPECT_EQ(scene.collision_faces.size(), 2u * 48);
    }
}

TEST(Contact, ASceneWithoutItIsAsItWasButForTheKeysItWritesOut)
{
    const Scene scene = scene_in(small_scene);
    const std::string text = resolved_scene(scene, built(scene)).text();
    EXPECT_EQ(text.find("\"contact\""), std::string::npos);
    EXPECT_NE(text.find("\"obstacles\": []"), std::string::npos);
}

TEST(Contact, PartsAreBodiesThenObstacles)
{
    const SceneContact all = contact_of(two_blocks(
        R"("obstacles": [{"type": "half-space", "point": [0, -1, 0]}, {"type": "sphere", "center": [3, 0, 0], "radius": 0.5},
            {"type": "capsule", "from": [3, 3, 0], "to": [4, 3, 0], "radius": 0.1},
            {"type": "box", "center": [-3, 0, 0], "size": [1, 1, 1]}],
           "fixed": [{"nodes": {"type": "all", "body": "high-2"}},
                     {"nodes": {"type": "all", "body": "high-3"}, "axes": "xy"}])",
        three_high));
    const CollisionSurface& surface = all.surface;
    ASSERT_EQ(surface.parts.size(), 8u);
    EXPECT_EQ(surface.parts[2].name, "high-2");
    EXPECT_EQ(surface.parts[2].family, "high");
    const bool kinematic[] = {false, false, true, false, true, true, true, true};
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(surface.parts[i].kinematic, kinematic[i]) << surface.parts[i].name;
    EXPECT_EQ(surface.parts[5].radius, 0.5);
    EXPECT_EQ(surface.faces.size(), 4u * 48 + 12);
    EXPECT_EQ(surface.points.size(), 4u * 26 + 1 + 2 + 8); // the middle of a block is no point of its surface
    ASSERT_EQ(surface.half_spaces.size(), 1u);
    EXPECT_EQ(surface.half_spaces[0].part, 4);
    EXPECT_EQ(std::count(surface.point_alone.begin(), surface.point_alone.end(), 1), 1); // the sphere
    EXPECT_EQ(std::count(surface.edge_alone.begin(), surface.edge_alone.end(), 1), 1); // the capsule
}

TEST(Contact, NumbersAreChosenFromTheBodiesUnlessGiven)
{
    const double diagonal = 0.2 * std::sqrt(3.0), mass_per_area = 8 / 0.04;
    const SceneContact chosen = contact_of(two_blocks(ground));
    EXPECT_EQ(chosen.options.dhat, 0.0017) << diagonal / 200;
    EXPECT_DOUBLE_EQ(chosen.options.stiffness, automatic_stiffness(0.0017, 1e5, mass_per_area, 9.8, 0.01));
    EXPECT_TRUE(chosen.automatic_dhat && chosen.automatic_stiffness);
    EXPECT_EQ(chosen.options.friction_speed, 1e-3);
    EXPECT_EQ(chosen.options.friction_iterations, 1);

    const SceneContact given
        = contact_of(two_blocks(contact(R"("dhat": 1e-2, "friction_speed": 2e-3, "friction_iterations": 3)")));
    EXPECT_EQ(given.options.dhat, 1e-2);
    EXPECT_DOUBLE_EQ(given.options.stiffness, automatic_stiffness(1e-2, 1e5, mass_per_area, 9.8, 0.01));
    EXPECT_EQ(given.options.friction_speed, 2e-3);
    EXPECT_EQ(given.options.friction_iterations, 3);
    EXPECT_EQ(contact_of(two_blocks(contact(R"("stiffness": 123)"))).options.stiffness, 123);
    // The stiffest and the smallest body decide.
    const std::string other = with(two_blocks(ground, "\"scale\": 0.5, \"translate\": [0, 1, 0]"), "1e5", "3e5");
    EXPECT_EQ(contact_of(other).options.dhat, 8.7e-4);
    EXPECT_DOUBLE_EQ(contact_of(other).options.stiffness, automatic_stiffness(8.7e-4, 3e5, mass_per_area, 9.8, 0.01));
}

TEST(Contact, RulesOfPairsAreByNameAndTheLastOneCounts)
{
    const SceneContact all = contact_of(two_blocks(ground + ", " + contact(R"("friction": 0.1, "pairs": [
        {"between": ["high", "ground"], "friction": 0.5},
        {"between": ["high-2", "ground"], "friction": 0},
        {"between": ["high", "high"], "touch": false},
        {"between": ["high-1", "high-3"], "touch": true, "friction": 0.7},
        {"between": ["ground", "low"], "touch": false},
        {"between": ["low", "ground"], "friction": 0.9}])"),
        three_high));
    enum { low, high_1, high_2, high_3, floor };
    const auto rule = [&](Index a, Index b) {
        EXPECT_EQ(all.rules.at(a, b).touch, all.rules.at(b, a).touch);
        EXPECT_EQ(all.rules.at(a, b).friction, all.rules.at(b, a).friction);
        return std::pair(all.rules.at(a, b).touch, all.rules.at(a, b).friction);
    };
    EXPECT_EQ(rule(low, high_1), std::pair(true, 0.1));
    EXPECT_EQ(rule(low, low), std::pair(true, 0.1));
    EXPECT_EQ(rule(high_1, floor), std::pair(true, 0.5));
    EXPECT_EQ(rule(high_2, floor), std::pair(true, 0.0));
    EXPECT_EQ(rule(high_2, high_2), std::pair(false, 0.1));
    EXPECT_EQ(rule(high_1, high_2), std::pair(false, 0.1));
    EXPECT_EQ(rule(high_1, high_3), std::pair(true, 0.7));
    EXPECT_EQ(rule(low, floor), std::pair(false, 0.9)) << "an entry changes only what it speaks of";
}

TEST(Contact, SelfContactCanBeTurnedOffForAllBodiesOrForOne)
{
    const SceneContact off = contact_of(two_blocks(contact("\"self\": false")));
    EXPECT_FALSE(off.rules.at(0, 0).touch);
    EXPECT_FALSE(off.rules.at(1, 1).touch);
    EXPECT_TRUE(off.rules.at(0, 1).touch);
    const SceneContact one
        = contact_of(two_blocks(contact(R"("self": false, "pairs": [{"between": ["low", "low"], "touch": true}])")));
    EXPECT_TRUE(one.rules.at(0, 0).touch);
    EXPECT_FALSE(one.rules.at(1, 1).touch);
}

TEST(Contact, FrictionBecomesADissipation)
{
    const BuiltScene everywhere = built_text(two_blocks(contact("\"friction\": 0.3")));
    EXPECT_EQ(everywhere.dynamics->system().dissipations.size(), 1u);
    const BuiltScene somewhere
        = built_text(two_blocks(contact(R"("pairs": [{"between": ["low", "high"], "friction": 0.3}])")));
    EXPECT_EQ(somewhere.dynamics->system().dissipations.size(), 1u);
}

TEST(Contact, IsToldInOneLine)
{
    EXPECT_EQ(built_text(two_blocks(contact("\"dhat\": 1e-3, \"stiffness\": 1e5"))).contact_line,
        "dhat 1 mm, stiffness 1e+05 N/m, no friction");
    const std::string chosen = built_text(two_blocks(ground)).contact_line;
    EXPECT_NE(chosen.find("dhat 1.7 mm (automatic), stiffness "), std::string::npos) << chosen;
    EXPECT_NE(chosen.find(" N/m (automatic), no friction"), std::string::npos) << chosen;
    const std::string rubbing = built_text(
        two_blocks(ground + ", " + contact(R"("friction": 0.3, "pairs": [{"between": ["low", "low"], "touch": false},
              {"between": ["high", "ground"], "friction": 0.5}])")))
                                    .contact_line;
    EXPECT_NE(rubbing.find("friction 0.3 to 0.5 on 4 pairs"), std::string::npos) << rubbing;
}

TEST(Contact, SettledSceneHasTheNumbersInUse)
{
    for (const std::string& more : {ground, ground + ", " + contact("\"friction\": 0.4"), contact("")}) {
        const Scene scene = scene_in(two_blocks(more));
        const BuiltScene once = built(scene);
        const std::string text = resolved_scene(scene, once).text();
        // Another step would choose another stiffness; what was written out stays.
        const Scene again = scene_in(text, {{"time.step", "0.001", "--dt"}});
        const BuiltScene twice = built(again);
        EXPECT_EQ(twice.contact->dhat, once.contact->dhat);
        EXPECT_EQ(twice.contact->stiffness, once.contact->stiffness);
        EXPECT_EQ(twice.start.x, once.start.x);
        EXPECT_EQ(scene_in(text).text(), text);
        EXPECT_EQ(resolved_scene(scene_in(text), built(scene_in(text))).text(), text);
        EXPECT_EQ(text.find("\"name\": \"ground\"") != std::string::npos, more != contact(""));
    }
}

TEST(Contact, EdgesShorterThanDhatAreNoted)
{
    EXPECT_TRUE(built_text(two_blocks(contact("\"dhat\": 0.09"))).notes.empty()); // edges of 0.1 m
    const auto notes = built_text(two_blocks(contact("\"dhat\": 0.11"))).notes;
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("has edges as short as 0.1 m"), std::string::npos) << notes[0];
    EXPECT_NE(notes[0].find("at most 5.0e-02 m"), std::string::npos) << notes[0];
    EXPECT_TRUE(built_text(two_blocks(contact("\"dhat\": 0.11, \"self\": false"))).notes.empty());
}

TEST(Contact, MistakesSayWhatIsWrong)
{
    const struct {
        const char *inside, *says;
    } cases[] = {
        {R"("dhat": 0)", "contact.dhat = 0: must be a number >= 1e-09 and <= 1e+09 [m]"},
        {R"("stiffness": -1)", "contact.stiffness = -1: must be a number >= 1e-12 and <= 1e+18 [N/m]"},
        {R"("friction": -0.1)", "contact.friction = -0.1: must be a number >= 0 and <= 10000"},
        {R"("friction_speed": 0)", "contact.friction_speed = 0: must be a number >= 1e-12 and <= 1e+09 [m/s]"},
        {R"("friction_iterations": 0)", "contact.friction_iterations = 0: must be a whole number >= 1"},
        {R"("self": 1)", "contact.self = 1: must be true or false"},
        {R"("frction": 1)", "did you mean 'friction'?"},
        {R"("pairs": [{"between": ["low", "hihg"], "friction": 1}])",
            "contact.pairs[0].between = \"hihg\": there is no such body or obstacle; there are low, high (high-1 to "
            "high-3), "
            "ground; did you mean 'high'?"},
        {R"("pairs": [{"between": ["low"], "friction": 1}])", "contact.pairs[0].between = 1 name: must be two names"},
        {R"("pairs": [{"between": "low", "friction": 1}])",
            "contact.pairs[0].between = \"low\": must be a list of texts"},
        {R"("pairs": [{"between": ["low", 3], "friction": 1}])",
            "contact.pairs[0].between = [\"low\",3]: must be a list of texts"},
        {R"("pairs": [{"between": ["low", "high"]}])", "contact.pairs[0]: says nothing; give touch or friction"},
        {R"("pairs": [{"between": ["low", "high"], "friction": -1}])",
            "contact.pairs[0].friction = -1: must be a number >= 0 and <= 10000"},
    };
    for (const auto& [inside, says] : cases) {
        const std::string said = only_mistake(two_blocks(ground + ", " + contact(inside), three_high));
        EXPECT_NE(said.find(says), std::string::npos) << said;
    }
}

} // namespace rubato
