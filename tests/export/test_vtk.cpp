#include "export/readers.hpp"

/// VTU and PLY, read by VTK.
namespace rubato::test {

TEST_F(ExportTest, vtu_surfaces_hold_all_that_is_known_of_them)
{
    if (const std::string missing = missing_python("vtk"); !missing.empty()) GTEST_SKIP() << missing;
    const auto file = exported("vtu").at(0);
    EXPECT_EQ(file.filename(), "surface.pvd");
    const Json frames = read_by({system_python, script("read_vtk.py"), file.string()});
    ASSERT_EQ(frames.size(), sample_times.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Json& frame = frames[i];
        EXPECT_EQ(frame["time"], sample_times[i]);
        EXPECT_EQ(frame["field_data"]["TimeValue"][0], sample_times[i]);
        expect_near(frame["points"], field(i, "position"), "position", 0);
        for (const char* name : {"velocity", "stress", "contact"})
            expect_near(frame["point_data"][name], field(i, name), name, 0);
        std::vector<float> displacement = field(i, "position");
        for (std::size_t k = 0; k < displacement.size(); ++k) displacement[k] -= reader.rest()[k];
        expect_near(frame["point_data"]["displacement"], displacement, "displacement", 0);
        ASSERT_EQ(frame["cells"].size(), 11U); // polygons of the author
        EXPECT_EQ(frame["cells"][0]["type"], 9);
        EXPECT_EQ(frame["cells"][7]["corners"], Json({8, 9, 11}));
        EXPECT_EQ(frame["cell_data"]["body"], Json({0., 0., 0., 0., 0., 0., 1., 1., 1., 1., 2.}));
        EXPECT_EQ(frame["field_data"]["body names"], Json({cube_name, tet_name, ground_name}));
    }
}

TEST_F(ExportTest, vtu_holds_the_tetrahedra)
{
    if (const std::string missing = missing_python("vtk"); !missing.empty()) GTEST_SKIP() << missing;
    exported("vtu");
    const Json frames = read_by({system_python, script("read_vtk.py"), (folder / "vtu/tetrahedra.pvd").string()});
    ASSERT_EQ(frames.size(), sample_times.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame nodes = reader.node_frame(i);
        const auto x = nodes.field(reader.header().node_fields, 5, "position");
        const auto v = nodes.field(reader.header().node_fields, 5, "velocity");
        expect_near(frames[i]["points"], {x.begin(), x.end()}, "position", 0);
        expect_near(frames[i]["point_data"]["velocity"], {v.begin(), v.end()}, "velocity", 0);
        EXPECT_TRUE(frames[i]["point_data"].contains("displacement"));
        EXPECT_EQ(frames[i]["time"], sample_times[i]);
        ASSERT_EQ(frames[i]["cells"].size(), 2U);
        EXPECT_EQ(frames[i]["cells"][1]["type"], 10);
        EXPECT_EQ(frames[i]["cells"][1]["corners"], Json({1, 2, 3, 4}));
    }
}

TEST_F(ExportTest, vtu_of_a_run_without_tetrahedra_has_surfaces_alone)
{
    const Folder other;
    FrameFileParts parts = sample_parts();
    parts.header.nodes = parts.header.tetrahedra = 0;
    parts.tetrahedra.clear();
    parts.node_rest.clear();
    FrameReader bare(sample_file(other.path(), parts));
    const auto written = export_named("vtu")->write(bare, {.folder = other / "vtu"});
    EXPECT_EQ(written.size(), 1 + sample_times.size());
    EXPECT_FALSE(std::filesystem::exists(other / "vtu/tetrahedra.pvd"));
}

TEST_F(ExportTest, ply_is_read_by_vtk)
{
    if (const std::string missing = missing_python("vtk"); !missing.empty()) GTEST_SKIP() << missing;
    const auto files = exported("ply");
    ASSERT_EQ(files.size(), sample_times.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Json found = read_by({system_python, script("read_vtk.py"), files[i].string()});
        expect_near(found["points"], field(i, "position"), "position", 0);
        ASSERT_EQ(found["cells"].size(), 18U);
        EXPECT_EQ(found["cells"][12]["corners"], Json(reader.triangles()[12]));
    }
}

TEST_F(ExportTest, ply_has_fields_names_and_time)
{
    if (const std::string missing = missing_python("struct"); !missing.empty()) GTEST_SKIP() << missing;
    const auto files = exported("ply");
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Json found = read_by({system_python, script("read_ply.py"), files[i].string()});
        expect_near(found["vertices"]["stress"], field(i, "stress"), "stress", 0);
        expect_near(found["vertices"]["contact"], field(i, "contact"), "contact", 0);
        const auto v = field(i, "velocity");
        for (std::size_t p = 0; p < 16; ++p) {
            EXPECT_EQ(found["vertices"]["vx"][p].get<float>(), v[3 * p]);
            EXPECT_EQ(found["vertices"]["vy"][p].get<float>(), v[3 * p + 1]);
            EXPECT_EQ(found["vertices"]["vz"][p].get<float>(), v[3 * p + 2]);
            EXPECT_EQ(found["vertices"]["body"][p], p < 8 ? 0 : p < 12 ? 1 : 2);
        }
        const auto comments = found["comments"].get<std::vector<std::string>>();
        EXPECT_EQ(comments[2], std::string("body 0 ") + cube_name);
        EXPECT_EQ(comments[3], std::string("body 1 ") + tet_name);
        EXPECT_EQ(std::stod(comments[1].substr(5)), sample_times[i]);
    }
}

} // namespace rubato::test
