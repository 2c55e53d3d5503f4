#include "program/program.hpp"

#include <cmath>
#include <iterator>

namespace rubato {

namespace {

/// A ball of latitudes and longitudes in quadrangles and triangles, with texture coordinates, names and a material,
/// away from the origin, and one vertex that nothing uses.
std::string textured_ball(int around = 24, int high = 12)
{
    std::ostringstream out;
    out.precision(17);
    out << "mtllib ball.mtl\no globe\nv 9 9 9\n";
    const double pi = 3.14159265358979323846;
    out << "v 3 3 1\n";
    for (int j = 1; j < high; ++j) {
        for (int i = 0; i < around; ++i) {
            const double theta = pi * j / high, phi = 2 * pi * i / around;
            out << "v " << 3 + std::sin(theta) * std::cos(phi) << ' ' << 2 + std::cos(theta) << ' '
                << 1 + std::sin(theta) * std::sin(phi) << '\n';
        }
    }
    out << "v 3 1 1\n";
    for (int j = 0; j <= high; ++j) {
        for (int i = 0; i <= around; ++i) out << "vt " << double(i) / around << ' ' << 1 - double(j) / high << '\n';
    }
    const auto corner = [&](int j, int i) {
        const int vertex = j == 0 ? 2 : j == high ? 3 + (high - 1) * around : 3 + (j - 1) * around + i % around;
        return std::to_string(vertex) + "/" + std::to_string(1 + j * (around + 1) + i);
    };
    for (int j = 0; j < high; ++j) {
        if (j == 0) out << "g north\nusemtl sea\n";
        if (j == high / 2) out << "g south\nusemtl land\n";
        for (int i = 0; i < around; ++i) {
            out << "f " << corner(j, i);
            if (j > 0) out << ' ' << corner(j, i + 1);
            out << ' ' << corner(j + 1, i + 1);
            if (j < high - 1) out << ' ' << corner(j + 1, i);
            out << '\n';
        }
    }
    return out.str();
}

std::vector<std::string> lines_with(const std::string& text, const std::string& start)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(start)) lines.push_back(line);
    }
    return lines;
}

std::vector<std::array<double, 3>> vertices(const std::string& obj)
{
    std::vector<std::array<double, 3>> all;
    for (const std::string& line : lines_with(obj, "v ")) {
        std::istringstream in(line.substr(2));
        std::array<double, 3> x;
        in >> x[0] >> x[1] >> x[2];
        all.push_back(x);
    }
    return all;
}

const char* const ball_scene = R"({
  "name": "globe",
  "gravity": [0, 0, 0],
  "time": {"step": 0.01, "duration": 0.02},
  "bodies": [{"name": "globe", "mesh": {"type": "surface", "path": "ball.obj", "nodes": 300},
              "density": 1000, "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}}],
  "output": {"frames_per_second": 100, "formats": ["obj", "vtu"], "checkpoint_every": 1}
})";

class MeshCommand : public ProgramTest { };

} // namespace

TEST_F(MeshCommand, AFrameShowsTheSurfaceOfTheUserToTheLastName)
{
    const std::string ball = textured_ball();
    write("ball.obj", ball);
    write("ball.mtl", "newmtl sea\nKd 0 0 1\nnewmtl land\nKd 0 1 0\n");
    write("scene.json", ball_scene);
    const ProgramResult result = run({"run", "scene.json", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.err;

    const std::string frame = read("out/obj/frame_000000.obj");
    const auto given = vertices(ball), shown = vertices(frame);
    ASSERT_EQ(given.size(), shown.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(given[i][k], shown[i][k], 2e-6) << "vertex " << i;
    }
    const auto numbers = [](const std::string& obj) {
        std::vector<double> all;
        for (const std::string& line : lines_with(obj, "vt ")) {
            std::istringstream in(line.substr(3));
            std::copy(std::istream_iterator<double>(in), {}, std::back_inserter(all));
        }
        return all;
    };
    EXPECT_EQ(numbers(frame), numbers(ball));
    for (const char* kind : {"f ", "o ", "g ", "usemtl "}) {
        EXPECT_EQ(lines_with(frame, kind), lines_with(ball, kind)) << kind;
    }
    EXPECT_EQ(lines_with(frame, "mtllib "), std::vector<std::string>{"mtllib ../meshes/0-ball.obj.ball.mtl"});
    EXPECT_EQ(read("out/meshes/0-ball.obj.ball.mtl"), read("ball.mtl"));
    EXPECT_TRUE(exists("out/vtu/surface_000000.vtu"));
    EXPECT_TRUE(exists("out/vtu/tetrahedra.pvd"));
    EXPECT_TRUE(exists("out/picture.png"));
}

TEST_F(MeshCommand, AKilledRunOfFilledBodiesGoesOnBitForBit)
{
    write("art/ball.obj", with(textured_ball(), "mtllib ball.mtl", "mtllib tex/ball.mtl"));
    write("art/tex/ball.mtl", "newmtl sea\n");
    write("scene.json", R"({
      "name": "many", "time": {"step": 0.005, "duration": 0.5},
      "bodies": [
        {"name": "globe", "mesh": {"type": "surface", "path": "art/ball.obj", "nodes": 200}, "density": 1000,
         "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}},
        {"name": "bear", "mesh": {"type": "blobs", "name": "gummy-bear", "nodes": 300}, "density": 1000,
         "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3}, "translate": [8, 0, 0]},
        {"name": "ring", "mesh": {"type": "torus", "edge": 0.15}, "density": 1000,
         "material": {"type": "fixed-corotated", "young": 1e5, "poisson": 0.3},
         "copies": {"type": "random", "count": 3, "min": [-9, -2, -2], "max": [-3, 2, 2], "rotate": true}}
      ],
      "fixed": [{"nodes": {"type": "end"}}],
      "output": {"frames_per_second": 20, "formats": ["obj", "vtu"], "checkpoint_every": 7}
    })");
    ASSERT_EQ(run({"run", "scene.json", "--out", "whole"}).status, 0);

    const pid_t child = start({"run", "scene.json", "--out", "killed"});
    while (!exists("killed/checkpoint.bin")) usleep(1000);
    kill(child, SIGKILL);
    finish(child);
    ASSERT_FALSE(exists("killed/summary.json"));
    fs::remove_all(folder() / "art"); // a run directory needs nothing from outside
    const ProgramResult resumed = run({"resume", "killed"});
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_EQ(without_wall(read("killed/stats.csv")), without_wall(read("whole/stats.csv")));
    int compared = 0;
    for (const char* kind : {"obj/", "vtu/"}) {
        for (const auto& entry : fs::directory_iterator(folder() / "whole" / kind)) {
            const std::string name = kind + entry.path().filename().string();
            EXPECT_EQ(read("killed/" + name), read("whole/" + name)) << name;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 3 * 11 + 2) << "frames as .obj, tetrahedra and surfaces as .vtu, and two collections";
    EXPECT_TRUE(read("killed/frames.rbt") == read("whole/frames.rbt"));
    EXPECT_EQ(read("killed/picture.png"), read("whole/picture.png"));

    // The scene of a run directory is the run.
    ASSERT_EQ(run({"run", "whole/scene.json", "--out", "repeated"}).status, 0);
    EXPECT_EQ(without_wall(read("repeated/stats.csv")), without_wall(read("whole/stats.csv")));
    EXPECT_EQ(read("repeated/obj/frame_000010.obj"), read("whole/obj/frame_000010.obj"));
    EXPECT_EQ(read("repeated/meshes/0-ball.obj.ball.mtl"), "newmtl sea\n");
}

TEST_F(MeshCommand, FromASurfaceToARunInTwoCommands)
{
    write("ball.obj", textured_ball());
    const ProgramResult meshed = run({"mesh", "ball.obj", "-o", "ball.msh", "--nodes", "300", "--scene", "fall.json"});
    ASSERT_EQ(meshed.status, 0) << meshed.err;
    EXPECT_NE(meshed.out.find("dihedral angles"), std::string::npos) << meshed.out;
    EXPECT_TRUE(exists("ball.msh") && exists("ball.msh.png") && exists("fall.json"));
    EXPECT_TRUE(read("ball.msh.png").starts_with("\x89PNG"));
    const ProgramResult ran = run({"run", "fall.json", "--duration", "0.05", "--out", "out"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    ASSERT_EQ(run({"export", "out", "--to", "obj"}).status, 0);
    EXPECT_EQ(vertices(read("out/obj/frame_000000.obj")).size(), vertices(textured_ball()).size());

    // The other kind of scene to begin with hangs.
    ASSERT_EQ(run({"mesh", "ball.msh", "-o", "again.msh", "--scene", "hang.json", "--starter", "hang", "--no-picture"})
                  .status,
        0);
    EXPECT_NE(read("hang.json").find("\"fixed\""), std::string::npos);
    EXPECT_EQ(run({"check", "hang.json"}).status, 0);
}

TEST_F(MeshCommand, NeverWritesOverAFileUnlessTold)
{
    write("keep.msh", "precious");
    const ProgramResult refused = run({"mesh", "ball", "-o", "keep.msh", "--nodes", "100"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.error_lines(), 1) << refused.err;
    EXPECT_EQ(read("keep.msh"), "precious");
    EXPECT_TRUE(left_behind({"keep.msh"}).empty());
    EXPECT_EQ(run({"mesh", "ball", "-o", "keep.msh", "--nodes", "100", "--force"}).status, 0);
    EXPECT_NE(read("keep.msh"), "precious");
}

TEST_F(MeshCommand, ExtractsConvertsAndReadsBack)
{
    ASSERT_EQ(run({"mesh", "torus", "-o", "torus.msh", "--edge", "0.1", "--set", "tube=0.1"}).status, 0);
    for (const char* surface : {"torus.obj", "torus.ply", "torus.stl", "torus.off"}) {
        const ProgramResult written = run({"mesh", "torus.msh", "-o", surface, "--no-picture"});
        EXPECT_EQ(written.status, 0) << surface << written.err;
        const ProgramResult again = run({"mesh", surface, "--surface"});
        EXPECT_EQ(again.status, 0) << surface << again.err;
        EXPECT_NE(again.out.find("closed"), std::string::npos) << again.out;
    }
    EXPECT_EQ(run({"mesh", "torus.msh", "-o", "torus.vtu", "--no-picture"}).status, 0);
    EXPECT_EQ(run({"mesh", "torus.vtu", "-o", "back.msh", "--no-picture"}).status, 0);
    EXPECT_EQ(read("back.msh"), read("torus.msh"));
}

TEST_F(MeshCommand, RepairsAFlippedTetrahedron)
{
    write("flipped.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
        "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n$EndElements\n");
    const ProgramResult found = run({"mesh", "flipped.msh"});
    const ProgramResult mended = run({"mesh", "flipped.msh", "--repair", "-o", "mended.msh", "--no-picture"});
    EXPECT_EQ(mended.status, 0) << mended.err;
    EXPECT_EQ(run({"mesh", "mended.msh"}).status, 0);
    EXPECT_EQ(found.status, 0) << "both have positive volume";
    std::string text = read("flipped.msh");
    text.replace(text.find("1 2 3 4\n2"), 7, "2 1 3 4");
    write("flipped.msh", text);
    const ProgramResult wrong = run({"mesh", "flipped.msh"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("--repair"), std::string::npos) << wrong.err;
    EXPECT_EQ(run({"mesh", "flipped.msh", "--repair"}).status, 0);
}

TEST_F(MeshCommand, WrongArgumentsAreNamedWithStatusTwo)
{
    write("ball.obj", textured_ball());
    write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    write("garbage.ply", "this is no mesh\n");
    const struct {
        std::vector<std::string> arguments;
        std::string words;
    } cases[] = {
        {{"mesh", "bal"}, "did you mean 'ball'"},
        {{"mesh", "nowhere.obj"}, "neither a file nor"},
        {{"mesh", "ball", "-o", "ball.xyz"}, ".xyz"},
        {{"mesh", "ball", "--edge", "0.1", "--nodes", "100"}, "--edge"},
        {{"mesh", "ball", "--edge", "-1"}, "--edge"},
        {{"mesh", "ball", "--set", "radius=-1"}, "radius"},
        {{"mesh", "ball", "--set", "radios=1"}, "radius"},
        {{"mesh", "hippo", "--set", "radius=1"}, "--set"},
        {{"mesh", "ball", "--scene", "s.json"}, "-o"},
        {{"mesh", "ball", "--keep-surface"}, "--keep-surface"},
        {{"mesh", "sheet.obj", "-o", "sheet.msh"}, "sheet.obj"},
        {{"mesh", "garbage.ply"}, "garbage.ply:1"},
        {{"mesh", "."}, "folder"},
        {{"thumbnail", "nowhere"}, "nowhere"},
        {{"thumbnail", "ball.obj", "--view", "below"}, "below"},
        {{"thumbnail", "."}, "no frames"},
        {{"thumbnail", "ball.obj", "-o", "ball.jpg"}, ".png"},
        {{"thumbnail", "ball.obj", "--cut"}, "--cut"},
        {{"thumbnail", "ball.obj", "-o", "none/ball.png"}, "no folder"},
        {{"mesh", "ball.obj", "-o", "ball.obj", "--force"}, "input itself"},
        {{"mesh", "ball.obj", "-o", "b.msh", "--scene", "b.msh"}, ".json"},
        {{"mesh", "ball.obj", "-o", "none/b.msh"}, "no folder"},
        {{"mesh", "ball.obj", "--surface", "--nodes", "100"}, "--nodes"},
    };
    for (const auto& [arguments, words] : cases) {
        const ProgramResult result = run(arguments);
        EXPECT_EQ(result.status, 2) << arguments[1];
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    }
    EXPECT_TRUE(left_behind({"ball.obj", "sheet.obj", "garbage.ply"}).empty());
}

TEST_F(MeshCommand, AStarterSceneIsValidWhateverTheFileIsCalled)
{
    write("my \"globe\".obj", textured_ball());
    const ProgramResult meshed
        = run({"mesh", "my \"globe\".obj", "-o", "a.msh", "--nodes", "200", "--scene", "s.json"});
    ASSERT_EQ(meshed.status, 0) << meshed.err;
    const ProgramResult checked = run({"check", "s.json"});
    EXPECT_EQ(checked.status, 0) << checked.err;
}

TEST_F(MeshCommand, ThumbnailsOfARunASceneAndAMesh)
{
    write("scene.json", program_scene);
    write("ball.obj", textured_ball());
    ASSERT_EQ(run({"run", "scene.json", "--out", "out"}).status, 0);
    EXPECT_FALSE(exists("out/picture.png")) << "the scene wants none";
    for (const char* what : {"out", "scene.json", "ball.obj"}) {
        const ProgramResult result = run({"thumbnail", what, "--width", "200", "--height", "150"});
        EXPECT_EQ(result.status, 0) << what << result.err;
    }
    for (const char* picture : {"out/picture.png", "scene.png", "ball.obj.png"}) {
        EXPECT_TRUE(read(picture).starts_with("\x89PNG")) << picture;
    }
}

} // namespace rubato
