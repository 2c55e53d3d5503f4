#include "scene/contact_scene.hpp"

namespace rubato {

TEST(SolverOfAScene, IsNewtonsMethodUnlessItSaysOtherwise)
{
    const Scene said_nothing = scene_in(two_blocks()), named = scene_in(two_blocks(R"("solver": {"type": "newton"})"));
    EXPECT_EQ(said_nothing.root.part("solver").type, "newton");
    EXPECT_EQ(said_nothing.root, named.root);
    const Scene other = scene_in(two_blocks(R"("solver": "linearly-implicit")"));
    EXPECT_EQ(other.root.part("solver").type, "linearly-implicit");
}

TEST(SolverOfAScene, RefusesTermsByNameThatItCannotSolveFor)
{
    const std::string solver = R"("solver": "linearly-implicit")", touching = solver + R"(, "contact": {})";
    EXPECT_TRUE(build_mistakes(two_blocks(solver)).empty());
    const std::string refusal = only_mistake(two_blocks(touching));
    EXPECT_NE(refusal.find("solver = linearly-implicit"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("cannot solve for the term 'contact'"), std::string::npos) << refusal;
}

TEST(SolverOfAScene, RunsWhatItAccepts)
{
    BuiltScene scene = built_text(two_blocks(R"("solver": "linearly-implicit", "gravity": [0, -9.8, 0])"));
    Simulation simulation = scene.simulation();
    const RunResult result = simulation.run(5 * scene.step);
    EXPECT_TRUE(result.finished) << result.why;
}

} // namespace rubato
