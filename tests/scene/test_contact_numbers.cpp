#include "scene/contact_scene.hpp"

#include <fmt/format.h>

/// The numbers that a scene's contact block leaves open: dhat knows thin bodies and close starts.
namespace rubato {
namespace {

double contact_energy(BuiltScene& scene) { return scene.dynamics->potential_energy(0, scene.start.x).contact; }

/// The upper of two blocks of 0.2 m, 8 kg, starts `gap` [m] above the lower one. Without more words dhat is 1.7 mm.
std::string above_by(double gap, const std::string& inside = "", const std::string& more = "")
{
    return two_blocks("\"contact\": {" + inside + "}" + more, fmt::format("\"translate\": [0, {:.17g}, 0]", 0.2 + gap));
}

/// What the automatic dhat of two blocks may leave at the start [J]: 0.01 m g L, and the weight of both times dhat/3.
double little(double dhat) { return 0.01 * 8 * 9.8 * 0.2 * std::sqrt(3.0) + 2 * 8 * 9.8 * dhat / 3; }

TEST(ContactNumbers, AnAutomaticDhatGivesWayToAStartWithinIt)
{
    BuiltScene scene = built_text(above_by(0.0004));
    EXPECT_LT(scene.contact->dhat, 0.0017);
    EXPECT_GT(scene.contact->dhat, 0.0004) << "no smaller than it must be";
    EXPECT_LE(contact_energy(scene), little(scene.contact->dhat));
    ASSERT_EQ(scene.notes.size(), 1u);
    EXPECT_NE(scene.notes[0].find("'low' and 'high' are 0.4 mm apart at the start"), std::string::npos)
        << scene.notes[0];
    EXPECT_NE(scene.notes[0].find("would hold"), std::string::npos) << scene.notes[0];
    EXPECT_NE(scene.contact_line.find("(automatic), stiffness"), std::string::npos) << scene.contact_line;

    // The run's scene.json has it, so that a resumed run starts the same way and says nothing more.
    const Scene first = scene_in(above_by(0.0004));
    const BuiltScene again = built(scene_in(resolved_scene(first, scene).text()));
    EXPECT_EQ(again.contact->dhat, scene.contact->dhat);
    EXPECT_EQ(again.contact->stiffness, scene.contact->stiffness);
    EXPECT_TRUE(again.notes.empty());
}

TEST(ContactNumbers, WithoutWeightAndMotionNothingIsHeldAtTheStart)
{
    BuiltScene scene = built_text(above_by(0.0004, "", ", \"gravity\": [0, 0, 0]"));
    EXPECT_LE(scene.contact->dhat, 0.0004);
    EXPECT_EQ(contact_energy(scene), 0);
}

TEST(ContactNumbers, ABodyThatRestsOnAnotherMayStartWithinDhat)
{
    // At 0.97 dhat the barrier presses with kappa/dhat |b'| = 1e6 Pa * 0.00275, 1.4 times what carries the upper block.
    BuiltScene scene = built_text(above_by(0.97 * 0.0017));
    EXPECT_GT(contact_energy(scene), 0);
    EXPECT_EQ(scene.contact->dhat, 0.0017);
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ContactNumbers, AStartWithinADhatThatWasGivenIsTold)
{
    BuiltScene scene = built_text(above_by(0.0004, "\"dhat\": 0.0017"));
    EXPECT_EQ(scene.contact->dhat, 0.0017);
    ASSERT_EQ(scene.notes.size(), 1u);
    EXPECT_NE(scene.notes[0].find(fmt::format("holds {:.3g} J there", contact_energy(scene))), std::string::npos)
        << scene.notes[0] << " " << contact_energy(scene);
    EXPECT_NE(scene.notes[0].find("give a contact.dhat of at most "), std::string::npos) << scene.notes[0];
}

TEST(ContactNumbers, HalfSpacesCountToo)
{
    const BuiltScene scene
        = built_text(two_blocks(R"("obstacles": [{"type": "half-space", "point": [0, -0.1002, 0]}])"));
    EXPECT_LT(scene.contact->dhat, 0.0017);
    ASSERT_EQ(scene.notes.size(), 1u);
    EXPECT_NE(scene.notes[0].find("'low' and 'ground' are 0.2 mm apart"), std::string::npos) << scene.notes[0];
}

TEST(ContactNumbers, AThinSheetDoesNotFeelItsOtherSide)
{
    BuiltScene scene = built_text(R"({"time": {"step": 0.01, "duration": 0.1}, "contact": {}, "bodies": [
        {"name": "sheet", "mesh": {"type": "box", "size": [0.58, 0.004, 0.58], "cells": [29, 1, 29]},
         "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}}]})");
    EXPECT_EQ(scene.contact->dhat, 0.001); // a quarter of the thickness; 1/200 of the diagonal is 4.1 mm
    EXPECT_EQ(scene.dynamics->touching(scene.start.x).contacts, 0);
    EXPECT_TRUE(scene.notes.empty());
}

TEST(ContactNumbers, FineSurfacesGetASmallerDhat)
{
    const BuiltScene scene = built_text(R"({"time": {"step": 0.01, "duration": 0.1}, "contact": {}, "bodies": [
        {"name": "rod", "mesh": {"type": "box", "size": [4, 0.1, 0.1], "cells": [160, 4, 4]},
         "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}}]})");
    EXPECT_NEAR(scene.contact->dhat, 0.0125, 0.0006); // half of the edges of 2.5 cm; 1/200 of the diagonal is 2 cm
}

} // namespace
} // namespace rubato
