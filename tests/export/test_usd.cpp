#include "export/readers.hpp"

/// Stages, read by TinyUSDZ, by the parser of three.js, and by Pixar's library where Python has it.
namespace rubato::test {

namespace {

const char* const cube_prim = "W_rfel__A__b_____1";
const char* const tet_prim = "______etc_pass_wd";

std::vector<float> numbers(const Json& list)
{
    std::vector<float> all;
    for (const Json& number : list) all.push_back(number.get<float>());
    return all;
}

} // namespace

TEST_F(ExportTest, usd_is_read_by_tinyusdz_with_names_and_points)
{
    if (const std::string missing = missing_module("tinyusdz"); !missing.empty()) GTEST_SKIP() << missing;
    const auto file = exported("usd").at(0);
    const Json found = read_by({"node", script("read_usd.mjs"), node_modules().string(), file.string()});
    ASSERT_EQ(found["meshes"].size(), 3U);
    const char* const names[] = {cube_name, tet_name, ground_name};
    for (std::size_t b = 0; b < 3; ++b) {
        EXPECT_EQ(found["meshes"][b]["displayName"], names[b]);
        expect_near(found["meshes"][b]["points"], positions(0, b), names[b], 0);
    }
    EXPECT_EQ(found["meshes"][0]["faceVertexCounts"].size(), 12U); // it cuts polygons into triangles
    EXPECT_EQ(found["warnings"], "");
}

TEST_F(ExportTest, usd_has_every_frame_at_its_time)
{
    if (const std::string missing = missing_module("three"); !missing.empty()) GTEST_SKIP() << missing;
    const auto file = exported("usd").at(0);
    const Json found = read_by({"node", script("read_usd_samples.mjs"), node_modules().string(), file.string()});
    const double rate = found["/"]["timeCodesPerSecond"];
    EXPECT_EQ(found["/"]["upAxis"], "Z");
    EXPECT_EQ(found["/"]["metersPerUnit"], 1);
    const std::string root = "/odd_things/";
    for (const auto& [prim, body] : {std::pair{cube_prim, 0}, std::pair{tet_prim, 1}}) {
        const Json points = found[root + prim + ".points"]["timeSamples"];
        const Json speeds = found[root + prim + ".velocities"]["timeSamples"];
        const Json extents = found[root + prim + ".extent"]["timeSamples"];
        ASSERT_EQ(points["times"].size(), sample_times.size());
        EXPECT_EQ(points["times"], speeds["times"]);
        EXPECT_EQ(points["times"], extents["times"]);
        const FrameBody& b = reader.header().bodies[static_cast<std::size_t>(body)];
        for (std::size_t i = 0; i < sample_times.size(); ++i) {
            EXPECT_NEAR(points["times"][i].get<double>() / rate, sample_times[i], 1e-12);
            const auto x = positions(i, static_cast<std::size_t>(body));
            EXPECT_EQ(numbers(points["values"][i]), x) << "every bit comes back";
            const auto v = field(i, "velocity");
            EXPECT_EQ(numbers(speeds["values"][i]),
                std::vector<float>(v.begin() + 3 * b.first_point, v.begin() + 3 * (b.first_point + b.points)));
            for (std::size_t k = 0; k < x.size(); ++k) {
                EXPECT_LE(extents["values"][i][k % 3].get<float>(), x[k]);
                EXPECT_GE(extents["values"][i][3 + k % 3].get<float>(), x[k]);
            }
        }
    }
    EXPECT_FALSE(found[root + "ground.points"].contains("timeSamples")) << "it stands still";
    EXPECT_EQ(numbers(found[root + "ground.points"]["default"]), positions(0, 2));
}

TEST_F(ExportTest, usd_keeps_polygons_texture_and_materials)
{
    if (const std::string missing = missing_module("three"); !missing.empty()) GTEST_SKIP() << missing;
    const auto file = exported("usd").at(0);
    const Json found = read_by({"node", script("read_usd_samples.mjs"), node_modules().string(), file.string()});
    const std::string cube = std::string("/odd_things/") + cube_prim;
    EXPECT_EQ(found[cube + ".faceVertexCounts"]["default"], Json({4, 4, 4, 4, 4, 4}));
    const Surface surface = sample_surface();
    const std::vector<Index> corners(surface.corners.begin(), surface.corners.begin() + 24);
    EXPECT_EQ(found[cube + ".faceVertexIndices"]["default"], Json(corners));
    EXPECT_EQ(found[cube + ".subdivisionScheme"]["default"], "none");
    const std::vector<Index> texture(surface.corner_texture.begin(), surface.corner_texture.begin() + 24);
    EXPECT_EQ(found[cube + ".primvars:st:indices"]["default"], Json(texture));
    expect_near(found[cube + ".primvars:st"]["default"], {0.1F, 0.2F, 0.9F, 0.2F, 0.9F, 0.7F, 0.1F, 0.7F}, "st", 1e-7);
    EXPECT_FALSE(found.contains(std::string("/odd_things/") + tet_prim + ".primvars:st"));
    EXPECT_EQ(found[cube + "/red_paint.indices"]["default"], Json({0, 1}));
    EXPECT_EQ(found[cube + "/Glas_blau.indices"]["default"], Json({2, 3, 4, 5}));
    const Json bound = found[cube + "/Glas_blau.material:binding"]["targetPaths"][0];
    EXPECT_TRUE(found.contains(bound.get<std::string>())) << bound;
    EXPECT_NE(contents(file).find("displayName = \"Glas/blau\""), std::string::npos);
    EXPECT_NE(found[cube + ".primvars:displayColor"], found["/odd_things/ground.primvars:displayColor"]);
}

TEST_F(ExportTest, usd_is_read_by_pixars_library)
{
    std::string python;
    for (const char* candidate : {system_python, "python3"}) {
        if (python.empty() && process_result({candidate, "-c", "import pxr"}).status == 0) python = candidate;
    }
    if (python.empty()) GTEST_SKIP() << "no python3 has pxr";
    const Json found = read_by({python, script("read_usd_pxr.py"), exported("usd").at(0).string()});
    EXPECT_EQ(found["up"], "Z");
    EXPECT_EQ(found["meters"], 1);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_EQ(found["meshes"][b]["name"], reader.header().bodies[b].name);
        for (std::size_t i = 0; i < sample_times.size(); ++i) {
            EXPECT_NEAR(found["meshes"][b]["times"][i].get<double>(), sample_times[i], 1e-12);
            expect_near(found["meshes"][b]["points"][i], positions(i, b), "points");
        }
    }
}

TEST_F(ExportTest, usd_turns_a_world_whose_up_is_neither_y_nor_z)
{
    if (const std::string missing = missing_module("three"); !missing.empty()) GTEST_SKIP() << missing;
    const Folder other;
    FrameFileParts parts = sample_parts();
    parts.header.up = Vec3(-1, 0, 0);
    FrameReader tilted(sample_file(other.path(), parts));
    const auto file = export_named("usd")->write(tilted, {.folder = other.path()}).at(0);
    const Json found = read_by({"node", script("read_usd_samples.mjs"), node_modules().string(), file.string()});
    EXPECT_EQ(found["/"]["upAxis"], "Y");
    const Json m = found["/odd_things.xformOp:transform"]["default"];
    ASSERT_EQ(m.size(), 16U);
    // Row vectors: up times the matrix.
    EXPECT_NEAR(-m[0].get<double>(), 0, 1e-12);
    EXPECT_NEAR(-m[1].get<double>(), 1, 1e-12);
    EXPECT_NEAR(-m[2].get<double>(), 0, 1e-12);
}

} // namespace rubato::test
