#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/frames.hpp"

namespace rubato::test {

namespace {

std::vector<double> frame_times(const Folder& folder)
{
    const FrameReader reader(folder / "frames.rbt");
    std::vector<double> times;
    for (std::size_t i = 0; i < reader.count(); ++i) times.push_back(reader.time(i));
    return times;
}

std::vector<float> numbers(std::span<const float> values) { return {values.begin(), values.end()}; }

/// Runs `frames` over steps of length h from time 0, with t summed up as a simulation does.
void march(FrameWriter& frames, int steps, double h)
{
    Moment moment;
    double t = 0;
    for (int i = 0; i <= steps; ++i, t += h) frames.step(moment.record(i, t, h));
    frames.close();
}

} // namespace

TEST(FrameWriter, WritesEveryStepWhenTheRatesAgreeDespiteRoundOff)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 30});
    march(frames, 300, 1.0 / 30);
    EXPECT_EQ(frames.count(), 301);
    EXPECT_EQ(frame_times(folder).size(), 301u);
}

TEST(FrameWriter, TakesTheFirstStepAtOrAfterEachFrameTime)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 8, 0.0625); // frames due at 0, 0.1, 0.2, 0.3, 0.4, 0.5
    EXPECT_EQ(frame_times(folder), (std::vector<double>{0, 0.125, 0.25, 0.3125, 0.4375, 0.5}));
}

TEST(FrameWriter, WritesAStepThatPassesSeveralFrameTimesOnce)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    march(frames, 3, 0.25);
    EXPECT_EQ(frame_times(folder), (std::vector<double>{0, 0.25, 0.5, 0.75}));
}

TEST(FrameWriter, AnyRateIsReachedWithoutCounting)
{
    for (const double per_second : {1e6, 1e15, 1e20, 1e300}) {
        Folder folder;
        FrameWriter frames(folder.path(), one_tet(), {.per_second = per_second});
        march(frames, 4, 100.0);
        EXPECT_EQ(frame_times(folder), (std::vector<double>{0, 100, 200, 300, 400})) << per_second;
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
    frames.close();
    EXPECT_EQ(frame_times(folder), (std::vector<double>{0.1, 0.35, 0.6}));
}

TEST(FrameWriter, WritesPositionVelocityAndWhatProbesMeasure)
{
    Folder folder;
    const NodeProbe probe{"heat", "K", [](const State& state, Vector& per_node) {
                              per_node = Vector::LinSpaced(4, 10, 40);
                              per_node *= state.t;
                          }};
    FrameWriter frames(folder.path(), one_tet(), boundary_skin(one_tet()), {.per_second = 10},
        {.scene = "one", .step = 0.1, .up = Vec3(0, 0, 2), .ground = 3}, {probe});
    march(frames, 1, 0.1);

    FrameReader reader(folder / "frames.rbt");
    EXPECT_EQ(reader.header().scene, "one");
    EXPECT_EQ(reader.header().up, Vec3::UnitZ());
    EXPECT_EQ(reader.header().ground, 3);
    EXPECT_EQ(reader.tetrahedra(), one_tet().tets);
    const Moment moment;
    const std::vector<float> x = {moment.state.x.begin(), moment.state.x.end()};
    const std::vector<float> v = {moment.state.v.begin(), moment.state.v.end()};
    const Frame frame = reader.frame(1), nodes = reader.node_frame(1);
    EXPECT_EQ(frame.step, 1);
    EXPECT_EQ(numbers(frame.field(reader.header().fields, 4, "position")), x);
    EXPECT_EQ(numbers(frame.field(reader.header().fields, 4, "velocity")), v);
    EXPECT_EQ(numbers(frame.field(reader.header().fields, 4, "heat")), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(numbers(nodes.field(reader.header().node_fields, 4, "position")), x);
    EXPECT_EQ(numbers(nodes.field(reader.header().node_fields, 4, "velocity")), v);
}

TEST(FrameWriter, ShowsObstaclesAndKeepsThemOutOfTheTetrahedra)
{
    // A rectangle over nodes behind those of the tetrahedron.
    TetMesh rest = one_tet();
    Surface plate;
    plate.vertices = {Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(6, 1, 0), Vec3(5, 1, 0)};
    plate.corners = {0, 1, 2, 3};
    plate.polygons = {0, 4};
    Skin skin;
    append(skin, boundary_skin(rest), 0, {"tetrahedron"});
    append(skin, {.surface = plate, .points = at_nodes({0, 1, 2, 3}), .embedded = true}, 4,
        {.name = "plate", .obstacle = true});
    rest.nodes.insert(rest.nodes.end(), plate.vertices.begin(), plate.vertices.end());
    Vector x(24), v = Vector::Zero(24);
    for (Index i = 0; i < 8; ++i) node(x, i) = rest.nodes[static_cast<std::size_t>(i)] + Vec3(0, 0, i);
    for (Index i = 4; i < 8; ++i) node(v, i) = Vec3(0, 0, 2);

    Folder folder;
    FrameWriter frames(folder.path(), rest, skin, {.per_second = 10});
    frames.save_final({1, x, v}, 9);
    frames.close();

    FrameReader reader(folder / "frames.rbt");
    const FrameHeader& header = reader.header();
    EXPECT_EQ(header.nodes, 4);
    ASSERT_EQ(header.bodies.size(), 2u);
    EXPECT_EQ(header.bodies[0].name, "tetrahedron");
    EXPECT_FALSE(header.bodies[0].obstacle);
    EXPECT_EQ(header.bodies[0].triangles, 4);
    EXPECT_EQ(header.bodies[1].name, "plate");
    EXPECT_TRUE(header.bodies[1].obstacle);
    EXPECT_EQ(header.bodies[1].first_point, 4);
    EXPECT_EQ(header.bodies[1].first_triangle, 4);
    EXPECT_EQ(header.bodies[1].triangles, 2);
    const Surface shown = reader.surface();
    EXPECT_EQ(shown.polygon_count(), 5u) << "the rectangle is not cut";
    EXPECT_EQ(shown.parts.back().object, "plate");
    const Frame frame = reader.frame(0);
    EXPECT_EQ(frame.step, 9);
    EXPECT_EQ(frame.field(header.fields, 8, "position")[3 * 7 + 2], 7.0F);
    EXPECT_EQ(frame.field(header.fields, 8, "velocity")[3 * 7 + 2], 2.0F);
    EXPECT_EQ(reader.node_frame(0).field(header.node_fields, 4, "position")[3 * 3 + 2], 4.0F);
}

TEST(FrameWriter, BodiesMayHaveAnyName)
{
    Folder folder;
    for (const std::string name : {"Teddy, left #1", " Teddy", "a\\", "b\nc", "\"#"}) {
        Skin skin;
        append(skin, boundary_skin(one_tet()), 0, {.name = name});
        FrameWriter frames(folder.path(), one_tet(), skin, {.per_second = 10});
        march(frames, 1, 0.1);
        FrameReader reader(folder / "frames.rbt");
        EXPECT_EQ(reader.header().bodies.at(0).name, name);
        EXPECT_EQ(reader.surface().vertices.size(), 4u);
    }
}

TEST(FrameWriter, LeavesTheTetrahedraOutWhenOnlySurfacesAreWanted)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10, .tetrahedra = false});
    march(frames, 1, 0.1);
    FrameReader reader(folder / "frames.rbt");
    EXPECT_EQ(reader.header().nodes, 0);
    EXPECT_TRUE(reader.tetrahedra().empty());
    EXPECT_TRUE(reader.node_frame(1).values.empty());
    EXPECT_EQ(reader.frame(1).values.size(), 24u);
}

TEST(FrameWriter, WritesNothingWhenTurnedOff)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 0});
    march(frames, 5, 0.1);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    EXPECT_TRUE(frames.files().empty());
    frames.save_final(Moment().state, 5); // the last good state is worth a file all the same
    frames.close();
    EXPECT_EQ(frames.files(), (std::vector<std::string>{"frames.rbt"}));
    EXPECT_EQ(frame_times(folder).size(), 1u);
}

TEST(FrameWriter, AResumedRunWritesTheSameBytes)
{
    Folder whole_folder, folder;
    Moment moment;
    const auto step = [&](FrameWriter& frames, int i) { frames.step(moment.record(i, 0.03 * i, 0.03)); };
    const FrameOptions options{.per_second = 10};

    FrameWriter whole(whole_folder.path(), one_tet(), options);
    for (int i = 0; i <= 40; ++i) step(whole, i);
    whole.close();

    Archive saved;
    {
        FrameWriter killed(folder.path(), one_tet(), options);
        for (int i = 0; i <= 30; ++i) {
            step(killed, i);
            if (i == 20) killed.serialize(saved);
        }
    }
    FrameWriter resumed(folder.path(), one_tet(), options);
    Archive archive(saved.bytes());
    resumed.serialize(archive);
    for (int i = 21; i <= 40; ++i) step(resumed, i);
    resumed.close();

    EXPECT_EQ(resumed.count(), whole.count());
    EXPECT_EQ(contents(folder / "frames.rbt"), contents(whole_folder / "frames.rbt"));
}

TEST(FrameWriter, TheLastGoodStateIsAFrameOnce)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    Moment moment;
    for (int i = 0; i <= 3; ++i) frames.step(moment.record(i, 0.06 * i, 0.06)); // frames at 0, 0.12
    frames.save_final(moment.state, 3); // at 0.18
    frames.save_final(moment.state, 3);
    frames.close();
    EXPECT_EQ(frame_times(folder), (std::vector<double>{0, 0.12, 0.18}));
}

TEST(FrameWriter, AMomentBeyondSinglePrecisionIsLeftOut)
{
    Folder folder;
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    Moment moment;
    frames.step(moment.record(0, 0, 0.1));
    moment.state.v[5] = 1e200; // finite, and an explosion
    frames.step(moment.record(1, 0.1, 0.1));
    frames.save_final(moment.state, 1);
    moment.state.v[5] = 1;
    frames.step(moment.record(2, 0.2, 0.1));
    frames.close();
    EXPECT_EQ(frame_times(folder), (std::vector<double>{0, 0.2}));
}

TEST(FrameWriter, AFileThatCannotBeIsAWriteError)
{
    Folder folder;
    std::filesystem::create_directories(folder / "frames.rbt/mine");
    FrameWriter frames(folder.path(), one_tet(), {.per_second = 10});
    Moment moment;
    EXPECT_THROW(frames.step(moment.record(0, 0, 0.1)), WriteError);
    EXPECT_TRUE(std::filesystem::exists(folder / "frames.rbt/mine"));
}

} // namespace rubato::test
