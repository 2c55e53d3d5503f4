#include "export_scenes/judges.hpp"

namespace rubato::test {

namespace {

using OrderedJson = nlohmann::ordered_json;

Json asked(const std::vector<std::string>& words, const std::vector<std::string>& files)
{
    std::vector<std::string> all = words;
    all.insert(all.end(), files.begin(), files.end());
    const Json found = read_by(all);
    return files.size() == 1 ? Json::array({found}) : found; // of several files it is a list
}

std::vector<double> numbers(const Json& list) { return list.get<std::vector<double>>(); }

void ask_khronos(const ExportedRun& run)
{
    const Json report
        = read_by({"node", script("validate_gltf.mjs"), node_modules().string(), run.files.at(0).string()});
    for (const char* count : {"numErrors", "numWarnings", "numInfos"})
        EXPECT_EQ(report["issues"][count], 0) << report["issues"].dump(2).substr(0, 2000);
    EXPECT_EQ(report["info"]["totalTriangleCount"], run.reader.header().triangles);
}

void ask_tinyusdz(const ExportedRun& run)
{
    const Json found = read_by({"node", script("read_usd.mjs"), node_modules().string(), run.files.at(0).string()});
    EXPECT_EQ(found["warnings"], "");
    ASSERT_EQ(found["meshes"].size(), run.bodies().size());
    for (std::size_t b = 0; b < run.bodies().size(); ++b) {
        const FrameBody& body = run.bodies()[b];
        EXPECT_EQ(found["meshes"][b]["displayName"], body.name);
        expect_near(numbers(found["meshes"][b]["points"]), run.of_body(0, body), run.tolerance, body.name);
    }
}

void ask_three(const ExportedRun& run)
{
    const ReaderResult result
        = process_result({"node", script("read_usd_samples.mjs"), node_modules().string(), run.files.at(0).string()});
    ASSERT_EQ(result.status, 0) << result.out;
    const auto found = OrderedJson::parse(result.out); // meshes come in the order of the stage
    const double rate = found["/"]["timeCodesPerSecond"];
    std::size_t b = 0;
    for (const auto& [path, attribute] : found.items()) {
        if (!path.ends_with(".points")) continue;
        ASSERT_LT(b, run.bodies().size());
        const FrameBody& body = run.bodies()[b++];
        if (!attribute.contains("timeSamples")) { // it stands still
            for (std::size_t i = 0; i < run.x.size(); ++i)
                expect_near(numbers(attribute["default"]), run.of_body(i, body), run.tolerance, path);
            continue;
        }
        const auto& samples = attribute["timeSamples"];
        ASSERT_EQ(samples["times"].size(), run.x.size()) << path;
        for (std::size_t i = 0; i < run.x.size(); ++i) {
            EXPECT_NEAR(samples["times"][i].get<double>() / rate, run.reader.time(i), 1e-6) << path;
            expect_near(numbers(samples["values"][i]), run.of_body(i, body), run.tolerance, path);
        }
    }
    EXPECT_EQ(b, run.bodies().size());
}

void ask_vtk_about_vtu(const ExportedRun& run)
{
    const std::vector<std::string> files = run.ending_in(".pvd");
    ASSERT_EQ(files.size(), 2U) << "surface and tetrahedra";
    const Json found = asked({system_python, script("read_vtk.py")}, files);
    for (std::size_t f = 0; f < 2; ++f) {
        const bool surface = files[f].find("surface") != std::string::npos;
        ASSERT_EQ(found[f].size(), run.x.size()) << files[f];
        for (std::size_t i = 0; i < run.x.size(); ++i) {
            const FrameHeader& header = run.reader.header();
            const Frame nodes = run.reader.node_frame(i);
            const auto x = surface
                ? std::span<const float>(run.x[i])
                : nodes.field(header.node_fields, static_cast<std::size_t>(header.nodes), "position");
            EXPECT_EQ(found[f][i]["time"], run.reader.time(i));
            expect_near(numbers(found[f][i]["points"]), x, run.tolerance, files[f]);
            if (surface) continue;
            EXPECT_EQ(found[f][i]["cells"].size(), static_cast<std::size_t>(header.tetrahedra));
        }
    }
}

void ask_vtk_about_frames(const ExportedRun& run)
{
    ASSERT_EQ(run.files.size(), run.x.size());
    std::vector<std::string> files;
    for (const auto& file : run.files) files.push_back(file.string());
    const Json found = asked({system_python, script("read_vtk.py")}, files);
    for (std::size_t i = 0; i < files.size(); ++i)
        expect_near(numbers(found[i]["points"]), run.x[i], run.tolerance, files[i]);
}

void ask_python_about_ply(const ExportedRun& run)
{
    ASSERT_EQ(run.files.size(), run.x.size());
    for (std::size_t i = 0; i < run.files.size(); ++i) {
        const Json vertices = read_by({system_python, script("read_ply.py"), run.files[i].string()})["vertices"];
        const auto x = numbers(vertices["x"]), y = numbers(vertices["y"]), z = numbers(vertices["z"]);
        std::vector<double> all;
        for (std::size_t p = 0; p < x.size(); ++p) all.insert(all.end(), {x[p], y[p], z[p]});
        expect_near(all, run.x[i], run.tolerance, run.files[i].string());
    }
}

void ask_python_about_caches(const ExportedRun& run)
{
    for (const char* extension : {".pc2", ".mdd"}) {
        const std::vector<std::string> files = run.ending_in(extension);
        if (files.empty()) continue; // it is the other of the two
        ASSERT_EQ(files.size(), run.bodies().size());
        const Json found = asked({system_python, script("read_point_cache.py")}, files);
        for (std::size_t b = 0; b < files.size(); ++b) {
            ASSERT_EQ(found[b]["frames"].size(), run.x.size()) << files[b];
            for (std::size_t i = 0; i < run.x.size(); ++i)
                expect_near(numbers(found[b]["frames"][i]), run.of_body(i, run.bodies()[b]), run.tolerance, files[b]);
        }
        return;
    }
    ADD_FAILURE() << "there are no caches";
}

/// The meshes that caches move.
void ask_vtk_about_meshes_at_rest(const ExportedRun& run)
{
    const std::vector<std::string> files = run.ending_in(".obj");
    ASSERT_EQ(files.size(), run.bodies().size());
    const Json found = asked({system_python, script("read_vtk.py")}, files);
    const std::vector<float> rest = run.reader.rest();
    for (std::size_t b = 0; b < files.size(); ++b) {
        const FrameBody& body = run.bodies()[b];
        expect_near(
            numbers(found[b]["points"]), of_body(std::span<const float>(rest), body, 3), run.tolerance, files[b]);
    }
}

} // namespace

Ways shown_ways(
    const ExportedRun& run, std::size_t first_frame, std::size_t frames, Index first_triangle, Index triangles)
{
    const std::vector<Triangle> all = run.reader.triangles();
    std::set<Index> points;
    for (Index t = first_triangle; t < first_triangle + triangles; ++t) {
        const Triangle& triangle = all[static_cast<std::size_t>(t)];
        points.insert(triangle.begin(), triangle.end());
    }
    Ways ways(frames);
    for (const Index p : points) {
        std::vector<Eigen::Vector3f> way;
        for (std::size_t i = first_frame; i < first_frame + frames; ++i)
            way.emplace_back(run.x[i].data() + 3 * static_cast<std::size_t>(p));
        ways.add(way);
    }
    return ways;
}

std::vector<Judge> judges()
{
    const std::string khronos = missing_module("gltf-validator"), tinyusdz = missing_module("tinyusdz"),
                      three = missing_module("three"), vtk = missing_python("vtk"), python = missing_python("struct");
    std::vector<Judge> all{{"usd", tinyusdz, ask_tinyusdz}, {"usd", three, ask_three}, {"gltf", khronos, ask_khronos},
        {"vtu", vtk, ask_vtk_about_vtu}, {"obj", vtk, ask_vtk_about_frames}, {"ply", vtk, ask_vtk_about_frames},
        {"ply", python, ask_python_about_ply}, {"pc2", python, ask_python_about_caches},
        {"pc2", vtk, ask_vtk_about_meshes_at_rest}, {"mdd", python, ask_python_about_caches},
        {"mdd", vtk, ask_vtk_about_meshes_at_rest}};
#ifdef RUBATO_HAS_ASSIMP
    all.push_back({"gltf", "", ask_assimp_about_gltf});
    all.push_back({"obj", "", ask_assimp_about_frames});
    all.push_back({"ply", "", ask_assimp_about_frames});
#else
    all.push_back({"gltf", "assimp is not installed", nullptr});
#endif
    return all;
}

} // namespace rubato::test
