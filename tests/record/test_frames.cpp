#include "base/errors.hpp"
#include "fixture.hpp"
#include "geometry/files/formats.hpp"
#include "record/frames.hpp"

namespace rubato::test {

namespace {

/// Times of the frames in a collection, in the order of the file.
std::vector<std::pair<std::string, double>> collection(const std::filesystem::path& pvd)
{
    std::vector<std::pair<std::string, double>> entries;
    for (const std::string& line : split(contents(pvd), '\n')) {
        const auto value = [&](const std::string& attribute) -> std::string {
            const std::size_t at = line.find(attribute + "=\"");
            if (at == std::string::npos) return "";
            const std::size_t begin = at + attribute.size() + 2;
            return line.substr(begin, line.find('"', begin) - begin);
        };
        if (!value("timestep").empty()) entries.emplace_back(value("file"), std::stod(value("timestep")));
    }
    return entries;
}

std::vector<double> frame_times(const std::filesystem::path& pvd)
{
    std::vector<double> times;
    for (const auto& [file, time] : collection(pvd)) times.push_back(time);
    return times;
}

/// Runs `frames` over steps of length h from time 0, with t summed up as a simulation does.
void march(FrameWriter& frames, int steps, double h)
{
    Moment moment;
    double t = 0;
    for (int i = 0; i <= steps; ++i, t += h) frames.step(moment.record(i, t, h));
    frames.flush();
}

} // namespace

TEST(FrameWriter, WritesEveryStepWhenTheRatesAgreeDespiteRoundOff)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 30});
    march(frames, 300, 1.0 / 30);
    EXPECT_EQ(frames.count(), 301);
    EXPECT_EQ(frame_times(folder / "frames.pvd").size(), 301u);
}

TEST(FrameWriter, TakesTheFirstStepAtOrAfterEachFrameTime)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 8, 0.0625); // frames due at 0, 0.1, 0.2, 0.3, 0.4, 0.5
    EXPECT_EQ(frame_times(folder / "frames.pvd"), (std::vector<double>{0, 0.125, 0.25, 0.3125, 0.4375, 0.5}));
}

TEST(FrameWriter, WritesAStepThatPassesSeveralFrameTimesOnce)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 3, 0.25);
    EXPECT_EQ(frame_times(folder / "frames.pvd"), (std::vector<double>{0, 0.25, 0.5, 0.75}));
    EXPECT_TRUE(std::filesystem::exists(folder / "frames/frame_000003.vtu"));
    EXPECT_FALSE(std::filesystem::exists(folder / "frames/frame_000004.vtu"));
}

TEST(FrameWriter, AnyRateIsReachedWithoutCounting)
{
    for (const double per_second : {1e6, 1e15, 1e20, 1e300}) {
        Folder folder;
        FrameWriter frames(folder.path(), one_tet(), {.per_second = per_second});
        march(frames, 4, 100.0);
        EXPECT_EQ(frame_times(folder / "frames.pvd"), (std::vector<double>{0, 100, 200, 300, 400})) << per_second;
    }
    Folder folder;
    FrameWriter rare(folder.path(), one_tet(), {.per_second = 1e-320}); // its inverse is infinite
    march(rare, 4, 100.0);
    EXPECT_EQ(rare.count(), 1);
}

TEST(FrameWriter, CountsFrameTimesFromTheStartOfTheRun)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 4});
    Moment moment;
    for (int i = 0; i <= 4; ++i) frames.step(moment.record(i, 0.1 + 0.125 * i, 0.125));
    EXPECT_EQ(frame_times(folder / "frames.pvd"), (std::vector<double>{0.1, 0.35, 0.6}));
}

TEST(FrameWriter, TheCollectionNamesFilesThatExist)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 100, 0.1); // long enough for the collection to be written more rarely than frames
    const auto entries = collection(folder / "frames.pvd");
    ASSERT_EQ(entries.size(), 101u);
    EXPECT_EQ(entries[12].first, "frames/frame_000012.vtu");
    for (const auto& [file, time] : entries) EXPECT_TRUE(std::filesystem::is_regular_file(folder / file)) << file;
}

TEST(FrameWriter, WritesVelocityAndDisplacementOfEveryNode)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 0, 0.1);
    const std::string text = contents(folder / "frames/frame_000000.vtu");
    EXPECT_NE(text.find("NumberOfPoints=\"4\""), std::string::npos);
    EXPECT_NE(text.find("Name=\"velocity\""), std::string::npos);
    EXPECT_NE(text.find("Name=\"displacement\""), std::string::npos);
}

TEST(FrameWriter, ShowsObstaclesAndKeepsThemOutOfTheTetrahedra)
{
    // A triangle over nodes behind those of the tetrahedron.
    TetMesh rest = one_tet();
    const TriangleMesh plate{{Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(5, 1, 0)}, {{0, 1, 2}}};
    Skin skin = boundary_skin(rest);
    append(skin, {.surface = surface_of(plate), .points = at_nodes({0, 1, 2}), .embedded = true}, 4, "plate");
    rest.nodes.insert(rest.nodes.end(), plate.nodes.begin(), plate.nodes.end());
    Vector x(21), v = Vector::Zero(21);
    for (Index i = 0; i < 7; ++i) node(x, i) = rest.nodes[static_cast<std::size_t>(i)] + Vec3(0, 0, i);
    for (Index i = 4; i < 7; ++i) node(v, i) = Vec3(0, 0, 2);

    Folder folder;
    FrameWriter frames(folder.path(), rest, skin, {.per_second = 10, .obj = true});
    frames.save_final({1, x, v});
    const TetMesh tets = read_tets(folder / "frames/final.vtu");
    EXPECT_EQ(tets.nodes.size(), 4u);
    EXPECT_EQ(tets.nodes[3], rest.nodes[3] + Vec3(0, 0, 3));
    const Surface shown = read_surface(folder / "frames/final_surface.vtu");
    ASSERT_EQ(shown.vertices.size(), 7u);
    EXPECT_EQ(shown.vertices[6], Vec3(5, 1, 6));
    EXPECT_NE(contents(folder / "frames/final_surface.vtu").find("Name=\"velocity\""), std::string::npos);
    EXPECT_NE(contents(folder / "frames/final.obj").find("o plate"), std::string::npos);
}

TEST(FrameWriter, WritesTheSurfaceAsObjWhenAsked)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10, .vtu = false, .obj = true});
    march(frames, 1, 0.1);
    int vertices = 0, faces = 0;
    for (const std::string& line : split(contents(folder / "frames/frame_000001.obj"), '\n')) {
        vertices += line.starts_with("v ");
        faces += line.starts_with("f ");
    }
    EXPECT_EQ(vertices, 4);
    EXPECT_EQ(faces, 4);
    EXPECT_FALSE(std::filesystem::exists(folder / "frames.pvd"));
    EXPECT_EQ(frames.files(), (std::vector<std::string>{"frames/frame_*.obj"}));
}

TEST(FrameWriter, WritesNothingWhenTurnedOff)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 0});
    march(frames, 5, 0.1);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(frames.files().empty());
    frames.save_final(Moment().state); // the last good state is worth a file all the same
    EXPECT_EQ(frames.files(), (std::vector<std::string>{"frames/final.vtu"}));
    EXPECT_TRUE(std::filesystem::exists(folder / "frames/final.vtu"));
}

TEST(FrameWriter, AResumedRunWritesTheSameFiles)
{
    Folder whole_folder, folder;
    Moment moment;
    const auto step = [&](FrameWriter& frames, int i) { frames.step(moment.record(i, 0.03 * i, 0.03)); };
    const FrameOptions options{.per_second = 10};

    FrameWriter whole(whole_folder.path(), one_tet(), options);
    for (int i = 0; i <= 40; ++i) step(whole, i);
    whole.flush();

    FrameWriter killed(folder.path(), one_tet(), options);
    Archive saved;
    for (int i = 0; i <= 30; ++i) {
        step(killed, i);
        if (i == 20) killed.serialize(saved);
    }
    FrameWriter resumed(folder.path(), one_tet(), options);
    Archive archive(saved.bytes());
    resumed.serialize(archive);
    for (int i = 21; i <= 40; ++i) step(resumed, i);
    resumed.flush();

    EXPECT_EQ(contents(folder / "frames.pvd"), contents(whole_folder / "frames.pvd"));
    EXPECT_EQ(resumed.count(), whole.count());
    for (const auto& [file, time] : collection(whole_folder / "frames.pvd")) {
        EXPECT_EQ(contents(folder / file), contents(whole_folder / file)) << file;
    }
}

TEST(FrameWriter, SavesTheLastGoodStateUnderANameOfItsOwn)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10, .vtu = true, .obj = true});
    march(frames, 1, 0.1);
    frames.save_final(Moment().state);
    EXPECT_TRUE(std::filesystem::exists(folder / "frames/final.vtu"));
    EXPECT_TRUE(std::filesystem::exists(folder / "frames/final.obj"));
    EXPECT_EQ(frame_times(folder / "frames.pvd").size(), 2u);
    EXPECT_EQ(frames.files(),
        (std::vector<std::string>{
            "frames.pvd", "frames/frame_*.vtu", "frames/frame_*.obj", "frames/final.vtu", "frames/final.obj"}));
}

TEST(FrameWriter, AFolderThatCannotBeIsAWriteError)
{
    Folder folder;
    put(folder / "frames", "keep me");
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    Moment moment;
    EXPECT_THROW(frames.step(moment.record(0, 0, 0.1)), WriteError);
    EXPECT_EQ(contents(folder / "frames"), "keep me");
}

} // namespace rubato::test
