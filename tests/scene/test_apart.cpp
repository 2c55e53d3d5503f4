#include "geometry/bounds.hpp"
#include "geometry/files/formats.hpp"
#include "scene/contact_scene.hpp"
#include "scene/obstacle_shapes.hpp"

#include <filesystem>

namespace rubato {

namespace {

const std::string on = "\"contact\": {}";

/// The error that this scene gives; fails if it gives none.
IntersectionError error_of(const std::string& text, const std::filesystem::path& folder = "")
{
    try {
        built(scene_from_text(text, "test.json", folder));
    } catch (const IntersectionError& error) {
        return error;
    } catch (const InputError& error) {
        ADD_FAILURE() << error.what();
    }
    ADD_FAILURE() << "no intersection was found";
    return {{Mistake{}}, {}, ""};
}

std::string high_at(const std::string& place) { return "\"translate\": " + place; }

} // namespace

TEST(Apart, BodiesThatCrossAreNamedWithElementsAndPlace)
{
    const IntersectionError error = error_of(two_blocks(on, high_at("[0.13, 0.14, 0.15]")));
    ASSERT_EQ(error.mistakes().size(), 1u);
    const Mistake& mistake = error.mistakes()[0];
    EXPECT_EQ(mistake.key, "bodies[0]");
    EXPECT_EQ(mistake.file, "test.json");
    EXPECT_GT(mistake.line, 0);
    for (const char* says : {"body 'low'", "body 'high'", "edge ", "triangle ", "] m", "such places in all"}) {
        EXPECT_NE(mistake.message.find(says), std::string::npos) << says << " in " << mistake.text();
    }
    EXPECT_EQ(error.scene, "test");
    // The triangles concerned are whole triangles of the two bodies where they overlap.
    ASSERT_FALSE(error.where.triangles.empty());
    EXPECT_LT(error.where.triangles.size(), 96u);
    const Bounds box = bounds(error.where.nodes);
    EXPECT_GE(box.low.minCoeff(), -0.1 - 1e-12);
    EXPECT_LE(box.high.maxCoeff(), 0.25 + 1e-12);
}

TEST(Apart, NodesBehindAHalfSpaceAreNamedAndCounted)
{
    const IntersectionError error
        = error_of(two_blocks(R"("obstacles": [{"type": "half-space", "point": [0, -0.05, 0]}])"));
    ASSERT_EQ(error.mistakes().size(), 1u);
    const std::string& said = error.mistakes()[0].message;
    for (const char* says :
        {"body 'low'", "obstacle 'ground'", "node ", "0.05 m below the plane", "9 such places in all"}) {
        EXPECT_NE(said.find(says), std::string::npos) << says << " in " << said;
    }
    EXPECT_FALSE(error.where.triangles.empty());
}

TEST(Apart, TouchingExactlyIsTooClose)
{
    const IntersectionError error
        = error_of(two_blocks(R"("obstacles": [{"type": "half-space", "point": [0, -0.1, 0]}])"));
    EXPECT_NE(error.mistakes()[0].message.find("lies on the plane"), std::string::npos) << error.what();
    EXPECT_EQ(build_mistakes(two_blocks(on, high_at("[0, 0.2, 0]"))).size(), 1u) << "face on face";
    EXPECT_EQ(build_mistakes(two_blocks(on, high_at("[0, 0.2001, 0]"))).size(), 0u);
}

TEST(Apart, ABodyOnItsOwnIsFoundInsideOfAnother)
{
    const IntersectionError error = error_of(two_blocks(on, "\"scale\": 0.3, \"translate\": [0.01, 0.02, 0.03]"));
    ASSERT_EQ(error.mistakes().size(), 1u);
    const std::string& said = error.mistakes()[0].message;
    EXPECT_NE(said.find("'high' lies inside of 'low', with its node "), std::string::npos) << said;
    EXPECT_EQ(error.where.triangles.size(), 48u);
}

TEST(Apart, ABodyMayStandInARoomAndNotInASolid)
{
    std::string name = (std::filesystem::temp_directory_path() / "rubato-scene-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    TriangleMesh room = box_surface(Vec3::Zero(), Vec3(5, 5, 5), Mat3::Identity());
    write_surface(folder / "solid.obj", surface_of(room));
    for (Triangle& t : room.triangles) std::swap(t[1], t[2]);
    write_surface(folder / "room.obj", surface_of(room));
    room.triangles.pop_back(); // open: no inside
    for (Triangle& t : room.triangles) std::swap(t[1], t[2]);
    write_surface(folder / "open.obj", surface_of(room));
    const auto text = [](const std::string& file) {
        return two_blocks(R"("obstacles": [{"type": "mesh", "name": "walls", "path": ")" + file + "\"}]");
    };
    for (const char* fine : {"room.obj", "open.obj"}) {
        EXPECT_NO_THROW(built(scene_from_text(text(fine), "test.json", folder))) << fine;
    }
    const IntersectionError error = error_of(text("solid.obj"), folder);
    EXPECT_EQ(error.mistakes().size(), 2u);
    EXPECT_NE(error.mistakes()[0].message.find("'low' lies inside of 'walls'"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(Apart, SpheresAndCapsulesCountTheirRadius)
{
    const auto text = [](const std::string& radius) {
        return two_blocks(R"("obstacles": [{"type": "sphere", "center": [0, -0.5, 0], "radius": )" + radius + "}]");
    };
    EXPECT_NO_THROW(built_text(text("0.39")));
    const IntersectionError error = error_of(text("0.41"));
    ASSERT_EQ(error.mistakes().size(), 1u);
    for (const char* says : {"body 'low'", "obstacle 'sphere-1'", "surfaces overlap at [", "near triangle "}) {
        EXPECT_NE(error.mistakes()[0].message.find(says), std::string::npos) << error.mistakes()[0].text();
    }
    EXPECT_FALSE(error.where.triangles.empty());
    // Wholly inside, far from the surface.
    const IntersectionError inside
        = error_of(two_blocks(R"("obstacles": [{"type": "sphere", "radius": 0.02, "center": [0.01, 0, 0.02]}])"));
    EXPECT_NE(inside.mistakes()[0].message.find("'sphere-1' lies inside of 'low'"), std::string::npos);
}

TEST(Apart, TheStartCountsAndNotTheRestShape)
{
    const std::string lifted = high_at("[0.1, 0.1, 0]") + R"(, "deform": [{"type": "translate", "by": [0, 1, 0]}])";
    EXPECT_NO_THROW(built_text(two_blocks(on, lifted)));
    const std::string dropped
        = high_at("[0, 1, 0]") + R"(, "deform": [{"type": "translate", "by": [0.11, -0.87, 0.13]}])";
    EXPECT_EQ(error_of(two_blocks(on, dropped)).mistakes().size(), 1u);
}

TEST(Apart, PairsThatDoNotTouchMayOverlap)
{
    const std::string apart = R"("contact": {"pairs": [{"between": ["low", "high"], "touch": false}]})";
    EXPECT_NO_THROW(built_text(two_blocks(apart, high_at("[0.13, 0.14, 0.15]"))));
    EXPECT_NO_THROW(built_text(two_blocks(apart, "\"scale\": 0.3")));
    EXPECT_NO_THROW(built_text(two_blocks("", high_at("[0.13, 0.14, 0.15]")))) << "without contact anything goes";
    // Two things that cannot move may overlap: a wall stands in the ground.
    EXPECT_NO_THROW(built_text(two_blocks(R"("obstacles": [{"type": "half-space", "point": [0, -1, 0]},
        {"type": "box", "center": [3, -1, 0], "size": [1, 1, 1]}, {"type": "box", "center": [3, -0.6, 0], "size": [0.5, 1, 0.5]}])")));
}

TEST(Apart, OfManyPairsTheFirstFiveAreTold)
{
    const IntersectionError error = error_of(two_blocks(on,
        R"("copies": {"type": "row", "count": 8, "step": [0.013, 0.017, 0.011]}, "translate": [0.013, 0.14, 0.02])"));
    ASSERT_EQ(error.mistakes().size(), 5u);
    EXPECT_NE(error.mistakes()[4].message.find("more such pairs)"), std::string::npos) << error.mistakes()[4].text();
    EXPECT_EQ(error.mistakes()[0].message.find("more such pairs)"), std::string::npos);
}

} // namespace rubato
