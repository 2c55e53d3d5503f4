#include "scene/build.hpp"
#include "scene/sample.hpp"
#include "scene/selection.hpp"

#include <algorithm>

namespace rubato {

namespace {

/// Two rows of nodes: body "a" has x = 0..4 at y = 0, body "b" x = 0..2 at y = 1.
struct TwoBodies {
    std::vector<Vec3> X;
    std::map<std::string, std::vector<Index>> groups_a{{"ends", {0, 4}}, {"left", {0}}}, groups_b{{"ends", {0, 2}}};
    SelectableNodes nodes{X, {{"a", "a", 0, 5, &groups_a}, {"b", "b", 5, 3, &groups_b}}};

    TwoBodies()
    {
        for (int i = 0; i < 5; ++i) X.emplace_back(i, 0, 0);
        for (int i = 0; i < 3; ++i) X.emplace_back(i, 1, 0);
    }
    std::vector<Index> pick(const std::string& type, std::initializer_list<std::pair<std::string, OptionValue>> values)
    {
        Block block;
        block.type = type;
        const SelectionEntry& entry = entry_of(selection_catalog(), block);
        Options options = defaults(entry.options);
        for (const auto& [name, value] : values) options.set(name, value);
        return entry.pick(options, nodes);
    }
};

using Nodes = std::vector<Index>;

} // namespace

TEST(Selection, EndTakesTheFarFractionOfEachBody)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("end", {{"direction", Vec3(2, 0, 0)}, {"fraction", 0.5}}), (Nodes{2, 3, 4, 6, 7}));
    EXPECT_EQ(t.pick("end", {{"direction", Vec3(-1, 0, 0)}, {"fraction", 0.0}}), (Nodes{0, 5}));
    EXPECT_THROW(t.pick("end", {{"direction", Vec3(0, 0, 0)}}), InputError);
}

TEST(Selection, BoxTakesNodesInsideAndOnItsFaces)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("box", {{"min", Vec3(1, 0, 0)}, {"max", Vec3(3, 0.5, 0)}}), (Nodes{1, 2, 3}));
    EXPECT_EQ(t.pick("box", {{"min", Vec3(1, 0, 0)}, {"max", Vec3(2, 1, 0)}}), (Nodes{1, 2, 6, 7}));
    EXPECT_EQ(t.pick("box", {{"min", Vec3(1.1, 0, 0)}, {"max", Vec3(1.9, 1, 0)}}), Nodes{});
    EXPECT_EQ(t.pick("box", {{"min", Vec3(1.1, 0, 0)}, {"max", Vec3(1.9, 0, 0)}, {"tolerance", 0.2}}), (Nodes{1, 2}));
}

TEST(Selection, SphereTakesNodesWithinItsRadius)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("sphere", {{"center", Vec3(0, 0, 0)}, {"radius", 1.0}}), (Nodes{0, 1, 5}));
}

TEST(Selection, PlaneTakesItselfAndTheSideOfItsNormal)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("plane", {{"point", Vec3(3, 0, 0)}, {"normal", Vec3(5, 0, 0)}}), (Nodes{3, 4}));
    EXPECT_EQ(t.pick("plane", {{"point", Vec3(0, 1, 0)}, {"normal", Vec3(0, 1, 0)}}), (Nodes{5, 6, 7}));
    EXPECT_THROW(t.pick("plane", {{"point", Vec3(0, 1, 0)}, {"normal", Vec3(0, 0, 0)}}), InputError);
}

TEST(Selection, GroupsOfAllBodiesWithThatNameAreJoined)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("group", {{"name", std::string("ends")}}), (Nodes{0, 4, 5, 7}));
    EXPECT_EQ(t.pick("group", {{"name", std::string("left")}}), (Nodes{0}));
    const auto mistakes = mistakes_of([&] { t.pick("group", {{"name", std::string("end")}}); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_EQ(mistakes[0].message, "no such group; there are ends, left; did you mean 'ends'?");
}

TEST(Selection, ANodeNumberNeedsOneBodyAndMustExist)
{
    TwoBodies t;
    EXPECT_THROW(t.pick("node", {{"index", 1}}), InputError);
    t.nodes.bodies.erase(t.nodes.bodies.begin());
    EXPECT_EQ(t.pick("node", {{"index", 1}}), (Nodes{6}));
    EXPECT_THROW(t.pick("node", {{"index", 3}}), InputError);
}

TEST(Selection, NearestTakesExactlyOne)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("nearest", {{"point", Vec3(2.2, 0.9, 0)}}), (Nodes{7}));
    EXPECT_EQ(t.pick("nearest", {{"point", Vec3(0.5, 0, 0)}}), (Nodes{0})); // the first of equals
}

TEST(Selection, AllTakesAll)
{
    TwoBodies t;
    EXPECT_EQ(t.pick("all", {}).size(), 8u);
}

TEST(Selection, PlacesAreThoseOfTheRestShapeWhateverTheStart)
{
    const std::string text = with(with(small_scene, R"({"type": "group", "name": "y_max"})",
                                      R"({"type": "plane", "point": [0, 0.2, 0], "normal": [0, 1, 0]})"),
        "\"density\"", R"("deform": [{"type": "translate", "by": [0, 100, 0]}], "density")");
    const BuiltScene scene = built(scene_in(text));
    EXPECT_EQ(scene.dynamics->system().prescription.unknowns().size(), 3u * 8);
    // They are held where they start.
    Vector x = Vector::Zero(scene.start.x.size());
    scene.dynamics->system().prescription.set_positions(1, x);
    EXPECT_NEAR(x.maxCoeff(), 100.2, 1e-12);
}

} // namespace rubato
