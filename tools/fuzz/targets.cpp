#include "targets.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "record/checkpoint.hpp"
#include "record/export/catalog.hpp"
#include "record/frame_chunks.hpp"
#include "record/frame_file.hpp"
#include "record/report_page.hpp"
#include "record/run_figures.hpp"
#include "record/stats_table.hpp"
#include "scene/run.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>

namespace rubato::fuzz {

namespace fs = std::filesystem;

namespace {

void write_files(const Input& input, const fs::path& folder)
{
    for (const auto& [name, bytes] : input.files) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
}

/// Work that a valid scene may ask for is no finding: only small ones are built.
bool modest(const Scene& scene)
{
    double nodes = 0;
    for (const Block& body : scene.root.list("bodies")) {
        const Block& mesh = body.part("mesh");
        double own = 2000;
        if (mesh.type == "box") own = mesh.options.vec3("cells").prod();
        if (mesh.type == "bar") {
            const auto& o = mesh.options;
            const double edge = o.real("length") / o.integer("cells");
            own = o.integer("cells") * (1 + o.real("width") / edge) * (1 + o.real("depth") / edge);
        }
        if (mesh.type == "file") own = 100;
        if (mesh.options.has("nodes")) own = 25.0 * mesh.options.integer("nodes");
        if (mesh.options.has("edge")) return false; // the number of nodes is not known
        if (body.has("copies")) {
            const Options& o = body.part("copies").options;
            own *= o.has("count") ? o.integer("count") : o.vec3("counts").prod();
        }
        nodes += own;
    }
    return nodes < 5000;
}

/// A few steps of a run: a valid scene may ask for a million.
class StopAfter : public Observer {
public:
    explicit StopAfter(long steps)
        : left_(steps)
    {
    }
    void step(const StepRecord&) override
    {
        if (--left_ <= 0) stop = true;
    }
    std::atomic<bool> stop{false};

private:
    long left_;
};

void run_a_little(SceneRun& run)
{
    StopAfter some(4);
    run.simulation().observe(some);
    run.run(&some.stop);
}

void ask_scene(const Input& input, const fs::path& folder)
{
    write_files(input, folder);
    const Scene scene = scene_from_file(folder / "scene.json");
    try {
        scene_from_text(scene.text(), "written.json", folder);
    } catch (const InputError& error) {
        throw Offence(std::string("a scene as it was written is refused: ") + error.what());
    }
    if (!modest(scene)) return;
    SceneRun run(scene, folder / "run", "0.1.0");
    run.begin();
    run_a_little(run);
    require_finite_files(folder / "run");
}

Input damaged_scene(const Corpus& corpus, Random& random)
{
    Input input{.target = "scene", .files = {}};
    input.files["scene.json"] = mutated(one_of(random, corpus.scenes), corpus.scenes, random);
    input.files["tets.msh"] = corpus.meshes.at(".msh").back();
    return input;
}

Input damaged_mesh(const Corpus& corpus, Random& random)
{
    auto format = corpus.meshes.begin();
    std::advance(format, below(random, corpus.meshes.size()));
    Input input{.target = "mesh", .files = {}};
    input.files["body" + format->first] = mutated(one_of(random, format->second), format->second, random);
    return input;
}

/// Makes the checksums fit again, so that what lies behind them is asked too.
void mend_checksums(const std::string& name, std::string& bytes)
{
    if (name == "checkpoint.bin" && bytes.size() > 8) {
        const std::uint64_t sum = fingerprint(std::string_view(bytes).substr(0, bytes.size() - 8));
        std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
    }
    if (name != "frames.rbt") return;
    using namespace frame_chunks;
    for (std::uint64_t at = preamble_bytes; at + head_bytes <= bytes.size();) {
        Head head;
        std::memcpy(&head, bytes.data() + at, sizeof head);
        if (head.length > bytes.size() - at - head_bytes) break;
        head.checksum = checksum(std::string_view(bytes).substr(at + head_bytes, head.length));
        std::memcpy(bytes.data() + at, &head, sizeof head);
        at += head_bytes + padded(head.length);
    }
}

Input damaged_run(const Corpus& corpus, Random& random)
{
    static const std::vector<std::string> names{
        "scene.json", "stats.csv", "checkpoint.bin", "frames.rbt", "summary.json"};
    Input input{.target = "run", .files = {}};
    for (const auto& [name, bytes] : corpus.run) input.files["run/" + name] = bytes;
    const std::string& name = one_of(random, names);
    std::string& bytes = input.files.at("run/" + name);
    bytes = mutated(bytes, {bytes}, random);
    if (random.bits() % 2 == 0) mend_checksums(name, bytes);
    return input;
}

/// Each question by itself: one that is refused must not hide what the next would do.
template <class Ask>
void ask_one(const Ask& ask)
{
    try {
        ask();
    } catch (const InputError& error) {
        for (const Mistake& mistake : error.mistakes()) {
            if (const std::string why = bad_message(mistake.text()); !why.empty()) throw Offence(why);
        }
    } catch (const WriteError&) {
    }
}

void ask_run(const Input& input, const fs::path& folder)
{
    write_files(input, folder);
    const fs::path run = folder / "run";
    ask_one([&] { stats_table(run / "stats.csv"); });
    ask_one([&] { run_figures(run); });
    ask_one([&] {
        FrameReader reader(run / "frames.rbt");
        reader.surface();
        reader.triangles();
        reader.rest();
        reader.tetrahedra();
        for (std::size_t i = 0; i < std::min<std::size_t>(reader.count(), 10); ++i) {
            reader.frame(i);
            reader.node_frame(i);
        }
    });
    ask_one([&] {
        FrameReader reader(run / "frames.rbt");
        for (const char* format : {"obj", "gltf"}) exported(*export_named(format), reader, {.folder = folder / format});
    });
    ask_one([&] {
        const std::vector<ShownRun> runs = shown_runs({run});
        report({.title = "t", .sections = {{.title = "s", .text = "", .runs = runs, .moving = false}}});
    });
    ask_one([&] {
        const auto resumed = SceneRun::resumed(run, "0.1.0");
        run_a_little(*resumed);
        require_finite_files(run);
    });
}

} // namespace

const std::vector<Target>& targets()
{
    static const std::vector<Target> all{
        {"scene", 5, damaged_scene, ask_scene},
        {"mesh", 4, damaged_mesh, ask_mesh},
        {"run", 2, damaged_run, ask_run},
    };
    return all;
}

std::string bad_message(const std::string& message)
{
    for (const char* words : {"internal error", "json.exception", "std::", "basic_string", "vector::", "map::at",
             "bad_alloc", "stoi", "stod", "stol", "invalid map", "terminate called", "Assertion", "filesystem error"}) {
        if (message.find(words) != std::string::npos) return "a message holds '" + std::string(words) + "': " + message;
    }
    return message.empty() ? "a message is empty" : "";
}

void require_finite_files(const fs::path& folder)
{
    std::error_code error;
    const fs::path stats = folder / "stats.csv", summary = folder / "summary.json";
    if (fs::exists(stats, error)) {
        const StatsTable table = stats_table(stats);
        const std::string text = file_bytes(stats), body = text.substr(text.find('\n'));
        if (body.find("nan") != std::string::npos || body.find("inf") != std::string::npos)
            throw Offence("stats.csv holds a number that is not finite");
    }
    if (fs::exists(summary, error) && !nlohmann::json::accept(file_bytes(summary)))
        throw Offence("summary.json is not valid JSON");
    if (!fs::exists(folder / "frames.rbt", error)) return;
    FrameReader reader(folder / "frames.rbt");
    for (std::size_t i = 0; i < std::min<std::size_t>(reader.count(), 10); ++i) {
        for (const float value : reader.frame(i).values) {
            if (!std::isfinite(value)) throw Offence("frames.rbt holds a number that is not finite");
        }
    }
}

Input damaged_command(const Corpus& corpus, Random& random)
{
    Input input{.target = "program", .files = {}, .words = one_of(random, corpus.commands)};
    for (const auto& [name, bytes] : corpus.run) input.files["out/" + name] = bytes;
    input.files["scene.json"] = corpus.scenes.front();
    input.files["tets.msh"] = corpus.meshes.at(".msh").back();
    input.files["surface.obj"] = corpus.meshes.at(".obj").front();
    const bool file = random.bits() % 2 == 0;
    if (file) { // one of the files that the words name, or that lie in the run
        auto chosen = input.files.begin();
        std::advance(chosen, below(random, input.files.size()));
        chosen->second = mutated(chosen->second, {chosen->second}, random);
        mend_checksums(fs::path(chosen->first).filename(), chosen->second);
        if (std::find(input.words.begin(), input.words.end(), "--out") != input.words.end())
            input.words.emplace_back("--force");
        return input;
    }
    std::vector<std::string> all;
    for (const auto& words : corpus.commands) all.insert(all.end(), words.begin(), words.end());
    const std::size_t changes = 1 + below(random, 3);
    for (std::size_t i = 0; i < changes; ++i) {
        std::string& word = input.words[below(random, input.words.size())];
        switch (below(random, 4)) {
        case 0: word = one_of(random, all); break;
        case 1:
            input.words.insert(input.words.begin() + static_cast<std::ptrdiff_t>(below(random, input.words.size() + 1)),
                one_of(random, all));
            break;
        default: word = mutated(word, all, random);
        }
        for (std::string& w : input.words) std::erase(w, '\0'); // a word ends there
    }
    return input;
}

} // namespace rubato::fuzz
