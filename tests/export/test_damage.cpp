#include "base/errors.hpp"
#include "export/readers.hpp"
#include "record/frame_chunks.hpp"

/// Files of frames that no run would have written.
namespace rubato::test {

namespace {

/// Puts a number into the last frame of the surface, and makes its checksum right again.
std::string with_number(std::string bytes, std::size_t number, float value)
{
    const std::size_t at = bytes.rfind("FRAM");
    const auto length = frame_chunks::number_at<std::uint64_t>(bytes, at + 8);
    std::memcpy(bytes.data() + at + frame_chunks::head_bytes + frame_chunks::moment_bytes + 4 * number, &value, 4);
    const std::uint32_t sum
        = frame_chunks::checksum(std::string_view(bytes).substr(at + frame_chunks::head_bytes, length));
    std::memcpy(bytes.data() + at + 4, &sum, 4);
    return bytes;
}

} // namespace

TEST_F(ExportTest, a_number_that_is_not_finite_reaches_no_file)
{
    const std::string good = contents(folder / "frames.rbt");
    const Folder other;
    put(other / "finite.rbt", with_number(good, 5, 1.5F));
    FrameReader finite(other / "finite.rbt");
    EXPECT_EQ(finite.frame(5).values[5], 1.5F) << "the number was meant to be changed";
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        put(other / "bad.rbt", with_number(good, 5, value));
        FrameReader bad(other / "bad.rbt");
        for (const ExportEntry& entry : export_catalog()) {
            EXPECT_THROW(entry.write(bad, {.folder = other / entry.name}), InputError) << entry.name;
        }
    }
    // What holds the whole run is not there; what is written frame by frame lacks the bad one.
    EXPECT_TRUE(std::filesystem::is_empty(other / "usd"));
    EXPECT_TRUE(std::filesystem::is_empty(other / "gltf"));
    EXPECT_FALSE(std::filesystem::exists(other / "obj/frame_000005.obj"));
}

TEST_F(ExportTest, bodies_that_do_not_fit_the_surface_are_refused)
{
    const auto expect_refused = [](const FrameFileParts& parts) {
        const Folder other;
        FrameReader bad(sample_file(other.path(), parts));
        for (const char* format : {"usd", "gltf", "vtu", "obj", "pc2", "mdd"})
            EXPECT_THROW(export_named(format)->write(bad, {.folder = other / format}), InputError) << format;
    };
    FrameFileParts parts = sample_parts();
    parts.header.bodies[0].triangles = 11; // half a quad
    parts.header.bodies[1].first_triangle = 11;
    parts.header.bodies[1].triangles = 5;
    expect_refused(parts);
    parts = sample_parts();
    parts.header.bodies[0].points = 7; // a corner of the cube is the tetrahedron's
    parts.header.bodies[1].first_point = 7;
    parts.header.bodies[1].points = 5;
    expect_refused(parts);
    parts = sample_parts();
    std::swap(parts.triangles.front(), parts.triangles.back());
    expect_refused(parts);
}

TEST_F(ExportTest, a_body_of_nothing_is_no_obstacle)
{
    FrameFileParts parts = sample_parts();
    parts.header.bodies.push_back({"nothing", false, 16, 0, 18, 0});
    parts.header.bodies.insert(parts.header.bodies.begin(), {"", true, 0, 0, 0, 0});
    const Folder other;
    FrameReader with(sample_file(other.path(), parts));
    for (const ExportEntry& entry : export_catalog())
        EXPECT_NO_THROW(entry.write(with, {.folder = other / entry.name})) << entry.name;
    if (!missing_module("gltf-validator").empty()) return;
    const Json report = read_by(
        {"node", script("validate_gltf.mjs"), node_modules().string(), (other / "gltf/odd_things.glb").string()});
    EXPECT_EQ(report["issues"]["numErrors"], 0) << report["issues"].dump(2);
    EXPECT_EQ(report["issues"]["numWarnings"], 0) << report["issues"].dump(2);
}

} // namespace rubato::test
