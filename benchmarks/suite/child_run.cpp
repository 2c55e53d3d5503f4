#include "suite/child_run.hpp"

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "base/temporary_folder.hpp"
#include "scene/run.hpp"
#include "suite/clocks.hpp"
#include "suite/subjects.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace rubato {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The rows of a stats.csv without the last column, which is wall-clock time.
std::string without_wall(const std::string& csv)
{
    std::istringstream in(csv);
    std::string out;
    for (std::string line; std::getline(in, line);) out += line.substr(0, line.rfind(',')) + '\n';
    return out;
}

/// Clocks at the ends of the first and the last step [s]: what closes a run (checkpoint, summary) is no part of a step.
class StepClocks final : public Observer {
public:
    void step(const StepRecord& record) override
    {
        processor = processor_seconds();
        wall = wall_seconds();
        if (record.step == 1) first = processor;
    }
    double first = 0, processor = 0, wall = 0;
};

Override override_of(const std::string& setting)
{
    const std::size_t equals = setting.find('=');
    return {setting.substr(0, equals), setting.substr(equals + 1), setting};
}

/// Waits for this program with these words behind its name; both of its streams go to `log`.
int status_of(std::vector<std::string> words, const fs::path& log)
{
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    words.insert(words.begin(), program);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(
            "OPENBLAS_NUM_THREADS", "1", 1); // or its other threads spin when it is loaded, for a tenth of a second
        const int out = ::open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        ::dup2(out, 1);
        ::dup2(out, 2);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) < 0) throw std::runtime_error("a process could not be started");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

int child_main(const std::vector<std::string>& arguments)
{
    const std::string scene_name = arguments.at(0), folder = arguments.at(1);
    const int threads = std::stoi(arguments.at(2)), steps = std::stoi(arguments.at(3));
    std::vector<Override> overrides{{"output.frames_per_second", "0", "output"}, {"output.picture", "false", "output"}};
    for (std::size_t i = 4; i < arguments.size(); ++i) overrides.push_back(override_of(arguments[i]));
    if (steps > 0) {
        const double step = scene_named(scene_name, overrides).root.part("time").options.real("step");
        overrides.push_back({"time.duration", fmt::format("{:.17g}", steps * step), "duration"});
    }
    set_thread_count(threads);
    SceneRun run(scene_named(scene_name, overrides), fs::path(folder) / "run", RUBATO_VERSION);
    run.begin();
    StepClocks at;
    run.simulation().observe(at);
    const double began = processor_seconds(), wall = wall_seconds();
    const RunResult result = run.run();
    std::ofstream(fs::path(folder) / "cost.txt") << fmt::format(
        "{:.9g} {:.9g} {:.9g} {:.9g}\n", at.processor - began, at.first - began, at.wall - wall, peak_memory());
    if (!result.finished) fmt::print("{}\n", result.why);
    return result.finished ? 0 : 3;
}

RunCost cost_of(const ChildRun& run)
{
    const TemporaryFolder folder("benchmark");
    std::vector<std::string> words{run_word, benchmark_scene(run.scene), (folder / "").string(),
        std::to_string(run.threads), std::to_string(run.steps)};
    words.insert(words.end(), run.settings.begin(), run.settings.end());
    if (status_of(words, folder / "log.txt") != 0)
        throw std::runtime_error(fmt::format("the run of {} failed: {}", run.scene, text_of(folder / "log.txt")));

    RunCost cost;
    std::istringstream(text_of(folder / "cost.txt")) >> cost.processor >> cost.first_step >> cost.wall >> cost.memory;
    const auto summary = nlohmann::json::parse(text_of(folder / "run/summary.json"));
    cost.steps = summary.at("steps");
    cost.nodes = summary.at("nodes");
    cost.tets = summary.at("tets");
    if (summary.contains("newton")) {
        cost.newton = summary["newton"].value("iterations", 0.0);
        cost.linear = summary["newton"].value("linear_iterations", 0.0);
    }
    const auto& phases = summary.at("phases");
    cost.elasticity = phases.value("elasticity", 0.0);
    cost.contact = phases.value("contact", 0.0);
    cost.ccd = phases.value("ccd", 0.0);
    cost.linear_solve = phases.value("linear_solve", 0.0);
    cost.output = phases.value("output", 0.0);
    cost.other = phases.value("other", 0.0);
    cost.stats = without_wall(text_of(folder / "run/stats.csv"));
    return cost;
}

} // namespace rubato
