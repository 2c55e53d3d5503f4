/// One or more steps of a scene, each with its Newton and conjugate-gradient iterations, inverted tetrahedra and time;
/// at the end the peak memory. Made for the random and collapsed cubes at sizes that no test could run.
///
///     torture_cube SCENE [steps=N] [cells=N] [threads=N] [PATH=VALUE]...
///
/// `cells` divides the edges of the first body; any other PATH=VALUE changes the scene as `rubato run --set` does. The
/// processor time of one thread is what to compare on a machine that has other things to do.
#include "geometry/inversion.hpp"
#include "scene_arguments.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sys/resource.h>

namespace {

using namespace rubato;

rusage resources()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

double peak_gibibytes() { return static_cast<double>(resources().ru_maxrss) / (1024.0 * 1024.0); } // from KiB, on Linux

/// Of all threads, without what the operating system did for them [s].
double processor_seconds()
{
    const timeval time = resources().ru_utime;
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

class Printer final : public Observer {
public:
    Printer(const std::string& scene, const std::vector<Tet>& tets)
        : scene_(scene)
        , tets_(tets)
    {
        fmt::print("scene,unknowns,step,inverted,newton,linear,stopped,seconds,cpu_seconds,peak_GiB\n");
    }
    void step(const StepRecord& record) override
    {
        const SolveReport& solve = record.outcome.solve;
        fmt::print("{},{},{},{},{},{},{},{:.2f},{:.2f},{:.2f}\n", scene_, record.state.x.size(), record.step,
            inverted_tets(tets_, record.state.x), solve.iterations, solve.linear_iterations, text(solve.reason),
            record.wall - wall_, processor_seconds() - processor_, peak_gibibytes());
        std::fflush(stdout);
        wall_ = record.wall;
        processor_ = processor_seconds();
    }

private:
    std::string scene_;
    const std::vector<Tet>& tets_;
    double wall_ = 0, processor_ = 0; ///< at the step before [s]
};

int run(SceneArguments arguments)
{
    BuiltScene& built = arguments.scene;
    Simulation simulation = built.simulation();
    Printer printer(arguments.name, built.mesh.tets);
    simulation.observe(printer);
    const double duration = arguments.steps > 0 ? static_cast<double>(arguments.steps) * built.step : built.duration;
    const RunResult result = simulation.run(duration);
    if (!result.finished) fmt::print(stderr, "{}\n", result.why);
    return result.finished ? 0 : 3;
}

} // namespace

int main(int argc, char** argv) { return rubato::guarded(run, argc, argv); }
