#include "base/errors.hpp"
#include "export/readers.hpp"

/// Binary glTF, judged by the validator of those who made the format. What is in it is read by assimp
/// (assimp_formats.cpp).
namespace rubato::test {

namespace {

Json report_on(const std::filesystem::path& file)
{
    return read_by({"node", script("validate_gltf.mjs"), node_modules().string(), file.string()});
}

void expect_flawless(const Json& report)
{
    EXPECT_EQ(report["issues"]["numErrors"], 0) << report["issues"].dump(2);
    EXPECT_EQ(report["issues"]["numWarnings"], 0) << report["issues"].dump(2);
}

/// The JSON of a binary file.
Json description_of(const std::filesystem::path& file)
{
    const std::string bytes = contents(file);
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, 4);
    return Json::parse(bytes.substr(20, length));
}

} // namespace

TEST_F(ExportTest, gltf_passes_the_validator)
{
    if (const std::string missing = missing_module("gltf-validator"); !missing.empty()) GTEST_SKIP() << missing;
    const Json report = report_on(exported("gltf").at(0));
    expect_flawless(report);
    EXPECT_EQ(report["info"]["animationCount"], 1);
    EXPECT_EQ(report["info"]["totalTriangleCount"], 18);
    EXPECT_EQ(report["info"]["hasMorphTargets"], true);
}

TEST_F(ExportTest, gltf_of_one_frame_stands_still_and_passes_the_validator)
{
    if (const std::string missing = missing_module("gltf-validator"); !missing.empty()) GTEST_SKIP() << missing;
    const Json report = report_on(exported("gltf", {.from = 0.3}).at(0));
    expect_flawless(report);
    EXPECT_EQ(report["info"]["animationCount"], 0);
}

TEST_F(ExportTest, gltf_of_times_below_zero_passes_the_validator)
{
    if (const std::string missing = missing_module("gltf-validator"); !missing.empty()) GTEST_SKIP() << missing;
    const Folder other;
    // The last two are one time in single precision.
    FrameReader early(sample_file(other.path(), sample_parts(), {-1, -0.5, 0, 0.25, 0.25 + 1e-12}));
    expect_flawless(report_on(export_named("gltf")->write(early, {.folder = other.path()}).at(0)));
}

TEST_F(ExportTest, gltf_gives_targets_only_to_what_moves)
{
    const Json gltf = description_of(exported("gltf").at(0));
    ASSERT_EQ(gltf["meshes"].size(), 3U);
    EXPECT_EQ(gltf["meshes"][0]["primitives"][0]["targets"].size(), sample_times.size() - 1);
    EXPECT_EQ(gltf["meshes"][1]["primitives"][0]["targets"].size(), sample_times.size() - 1);
    EXPECT_FALSE(gltf["meshes"][2]["primitives"][0].contains("targets"));
    EXPECT_EQ(gltf["animations"][0]["channels"].size(), 2U);
    std::set<std::string> colors;
    for (const Json& material : gltf["materials"])
        colors.insert(material["pbrMetallicRoughness"]["baseColorFactor"].dump());
    EXPECT_GE(colors.size(), 3U);
}

TEST_F(ExportTest, gltf_stands_upright)
{
    const Json gltf = description_of(exported("gltf").at(0));
    const Json root = gltf["nodes"][gltf["scenes"][0]["nodes"][0].get<std::size_t>()];
    EXPECT_EQ(root["name"], "odd things");
    const Json q = root["rotation"];
    const Eigen::Quaterniond turn(q[3], q[0], q[1], q[2]);
    EXPECT_NEAR((turn * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-12);
    EXPECT_NEAR((turn * Vec3::UnitX() - Vec3::UnitX()).norm(), 0, 1e-12);
}

TEST_F(ExportTest, gltf_keeps_the_edges_of_a_cube)
{
    const Json gltf = description_of(exported("gltf").at(0));
    const std::size_t positions = gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    EXPECT_EQ(gltf["accessors"][positions]["count"], 24); // three normals at each of eight corners
}

} // namespace rubato::test
