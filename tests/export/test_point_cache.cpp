#include "export/readers.hpp"
#include "geometry/files/read_obj.hpp"

/// Point caches, read by a few lines of Python that know nothing of the writer.
namespace rubato::test {

namespace {

const char* const stems[] = {"W_rfel__A__b_____1", "_._.._etc_pass_wd", "ground"};

} // namespace

TEST_F(ExportTest, mdd_has_every_frame_at_its_time)
{
    if (const std::string missing = missing_python("struct"); !missing.empty()) GTEST_SKIP() << missing;
    exported("mdd");
    for (std::size_t b = 0; b < 3; ++b) {
        const Json found = read_by({system_python, script("read_point_cache.py"),
            (folder / "mdd" / (std::string(stems[b]) + ".mdd")).string()});
        ASSERT_EQ(found["times"].size(), sample_times.size());
        for (std::size_t i = 0; i < sample_times.size(); ++i) {
            EXPECT_EQ(found["times"][i].get<float>(), static_cast<float>(sample_times[i]));
            expect_near(found["frames"][i], positions(i, b), stems[b], 0);
        }
    }
}

TEST_F(ExportTest, pc2_has_samples_at_equal_distances)
{
    if (const std::string missing = missing_python("struct"); !missing.empty()) GTEST_SKIP() << missing;
    exported("pc2");
    const double distance = sample_times[1]; // that of most frames
    for (std::size_t b = 0; b < 3; ++b) {
        const Json found = read_by({system_python, script("read_point_cache.py"),
            (folder / "pc2" / (std::string(stems[b]) + ".pc2")).string()});
        EXPECT_EQ(found["start"], 0);
        EXPECT_EQ(found["rate"], 1);
        ASSERT_EQ(found["frames"].size(), 10U); // 0.3 s
        for (std::size_t k = 0; k < 10; ++k) {
            const double time = static_cast<double>(k) * distance;
            std::size_t i = 0;
            while (i + 2 < sample_times.size() && sample_times[i + 1] < time + 1e-9) ++i;
            const double share = (time - sample_times[i]) / (sample_times[i + 1] - sample_times[i]);
            std::vector<float> wanted = positions(i, b);
            const std::vector<float> next = positions(i + 1, b);
            for (std::size_t c = 0; c < wanted.size(); ++c)
                wanted[c] = static_cast<float>((1 - share) * wanted[c] + share * next[c]);
            expect_near(found["frames"][k], wanted, stems[b]);
        }
    }
}

TEST_F(ExportTest, pc2_of_frames_at_equal_distances_has_just_these)
{
    if (const std::string missing = missing_python("struct"); !missing.empty()) GTEST_SKIP() << missing;
    const Folder other;
    std::vector<double> times;
    for (int i = 0; i < 40; ++i) times.push_back(0.5 + i / 24.0);
    FrameReader even(sample_file(other.path(), sample_parts(), times));
    const auto file = export_named("pc2")->write(even, {.folder = other / "pc2"}).at(0);
    const Json found = read_by({system_python, script("read_point_cache.py"), file.string()});
    EXPECT_NEAR(found["start"], 12, 1e-5);
    ASSERT_EQ(found["frames"].size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Frame frame = even.frame(i);
        const auto x = frame.field(even.header().fields, 16, "position").subspan(0, 24);
        expect_near(found["frames"][i], {x.begin(), x.end()}, "frame " + std::to_string(i), 0);
    }
}

TEST_F(ExportTest, caches_come_with_the_mesh_that_they_move)
{
    for (const char* format : {"pc2", "mdd"}) {
        exported(format);
        const Surface cube = read_obj_surface(folder / format / (std::string(stems[0]) + ".obj"));
        ASSERT_EQ(cube.vertices.size(), 8U);
        EXPECT_EQ(cube.polygon_count(), 6U);
        EXPECT_EQ(cube.texture.size(), 4U);
        EXPECT_EQ(cube.vertices[6], Vec3(1, 1, 1));
        EXPECT_EQ(cube.parts.at(1).material, "Glas/blau");
        const Surface tet = read_obj_surface(folder / format / (std::string(stems[1]) + ".obj"));
        EXPECT_EQ(tet.vertices.size(), 4U);
        EXPECT_EQ(tet.parts.at(0).object, tet_name);
        EXPECT_TRUE(tet.texture.empty());
    }
}

} // namespace rubato::test
