#include "scene/build.hpp"

#include <gtest/gtest.h>

#include <filesystem>

using namespace rubato;

TEST(BenchmarkScenes, CanAllBeRun)
{
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(RUBATO_SOURCE_DIR "/benchmarks/scenes")) {
        ++found;
        const BuiltScene scene = built(scene_from_file(entry.path()), GroundSearch::never);
        EXPECT_EQ(scene.name, entry.path().stem().string());
        EXPECT_GE(scene.expected_steps(), 60);
        EXPECT_TRUE(scene.notes.empty()) << entry.path() << ": " << scene.notes[0];
    }
    EXPECT_GE(found, 7);
}
