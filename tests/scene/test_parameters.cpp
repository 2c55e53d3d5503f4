#include "scene/build.hpp"
#include "scene/sample.hpp"

namespace rubato {

namespace {

/// The small scene, tied to points at rest below it in two groups.
Scene tied_scene(const std::string& integrator = "implicit-euler")
{
    const std::string ties = R"("attachments": [
        {"nodes": {"type": "group", "name": "y_min"}, "stiffness": 20},
        {"nodes": {"type": "group", "name": "x_min"}, "stiffness": 30}],
      "integrator": {"type": ")"
        + integrator + R"("}, "fixed")";
    return scene_in(with(small_scene, "\"fixed\"", ties));
}

TEST(ChangedParameters, OfASceneGoByItsPaths)
{
    BuiltScene ready = built(tied_scene());
    Simulation simulation = ready.simulation();
    ASSERT_TRUE(simulation.advance(1).stepped);
    const auto energies = [&] { return ready.dynamics->potential_energy(simulation.state().t, simulation.state().x); };

    const double gravity = energies().gravity, ties = energies().other;
    EXPECT_EQ(simulation.change({"gravity[1]", -4.9}).before, -9.8);
    EXPECT_NEAR(energies().gravity, gravity / 2, 1e-12 * std::abs(gravity));
    EXPECT_EQ(energies().other, ties);

    EXPECT_EQ(simulation.change({"attachments[1].stiffness", 60}).before, 30);
    EXPECT_EQ(simulation.change({"attachments[1].stiffness", 30}).before, 60);
    EXPECT_EQ(energies().other, ties);
    EXPECT_EQ(simulation.change({"attachments[0].stiffness", 40}).before, 20);
    EXPECT_EQ(simulation.change({"attachments[1].stiffness", 60}).before, 30);
    EXPECT_NEAR(energies().other, 2 * ties, 1e-12 * ties);
    ASSERT_TRUE(simulation.advance(1).stepped);
}

TEST(ChangedParameters, OtherOnesAreRefusedWithTheirNames)
{
    BuiltScene ready = built(tied_scene());
    Simulation simulation = ready.simulation();
    const auto said = [&](const Edit& edit) {
        const std::vector<Mistake> mistakes = mistakes_of([&] { simulation.change(edit); });
        return mistakes.empty() ? "" : mistakes.front().text();
    };
    EXPECT_NE(said({"gravity", 1}).find("gravity[0], gravity[1], gravity[2]"), std::string::npos);
    EXPECT_NE(said({"attachments[2].stiffness", 1}).find("attachments[1].stiffness"), std::string::npos);
    EXPECT_NE(said({"attachments[1].stiffness", 0}).find("must be > 0"), std::string::npos);
    EXPECT_NE(said({"gravity[1]", std::nan("")}).find("must be finite"), std::string::npos);
    EXPECT_TRUE(simulation.journal().entries().empty());
}

TEST(ChangedParameters, TellHowTheSystemFalls)
{
    BuiltScene ready = built(scene_in(with(small_scene,
        "\"fixed\": [{\"nodes\": {\"type\": \"group\", \"name\": "
        "\"y_max\"}}]",
        "\"fixed\": []")));
    Simulation simulation = ready.simulation();
    EXPECT_NEAR(node(ready.dynamics->free_fall().g, 0).y(), -9.8, 1e-12);
    simulation.change({"gravity[1]", -1.6});
    simulation.change({"gravity[0]", 0.5});
    EXPECT_NEAR(node(ready.dynamics->free_fall().g, 0).y(), -1.6, 1e-12);
    EXPECT_NEAR(node(ready.dynamics->free_fall().g, 0).x(), 0.5, 1e-12);
}

TEST(ChangedParameters, AreMadeAgainByACheckpointBitForBit)
{
    for (const char* integrator : {"implicit-euler", "bdf2", "a-1", "trapezoidal"}) {
        BuiltScene one = built(tied_scene(integrator)), other = built(tied_scene(integrator));
        Simulation whole = one.simulation(), resumed = other.simulation();
        ASSERT_TRUE(whole.advance(1).stepped);
        whole.change({"gravity[0]", 3});
        whole.change({"attachments[0].stiffness", 500});
        ASSERT_TRUE(whole.advance(1).stepped);
        Archive loaded(whole.snapshot().bytes);
        resumed.serialize(loaded);
        for (int k = 0; k < 2; ++k) {
            ASSERT_TRUE(whole.advance(1).stepped);
            ASSERT_TRUE(resumed.advance(1).stepped);
        }
        EXPECT_EQ(whole.state().x, resumed.state().x) << integrator;
        EXPECT_EQ(whole.state().v, resumed.state().v) << integrator;
        EXPECT_EQ(whole.ledger().injected, resumed.ledger().injected) << integrator;
    }
}

} // namespace

} // namespace rubato
