#include "suite/child_run.hpp"
#include "suite/parts.hpp"

#include <algorithm>
#include <thread>

/// The clamped bar at 98 304 tetrahedra with one thread and with all, as many steps as the scene has. Wall-clock times:
/// they need a quiet machine.
namespace rubato {

void measure_threads(Findings& findings)
{
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const std::string table = "threads, a bar of 98 304 tetrahedra";
    const auto measured = [&](int threads) {
        return cost_of(
            {.scene = "clamped-bar", .steps = 60, .threads = threads, .settings = {"bodies[0].mesh.cells=[64,16,16]"}});
    };
    std::vector<double> alone, together, gain, work;
    std::string same = "yes";
    for (int i = 0; i < std::min(3, findings.repetitions()); ++i) { // in turn, so that both see the same disturbances
        findings.progress("round " + std::to_string(i + 1));
        const RunCost one = measured(1), all = measured(cores);
        alone.push_back(one.wall / one.steps);
        together.push_back(all.wall / all.steps);
        gain.push_back(one.wall / all.wall);
        work.push_back(all.processor / one.processor);
        if (one.stats != all.stats) same = "NO";
    }
    const std::string row = std::to_string(cores) + (cores == 1 ? " thread" : " threads");
    findings.time(table, row, "step with one", "s", alone);
    findings.time(table, row, "step with all", "s", together);
    findings.rate(table, row, "times as fast", "", gain);
    findings.time(table, row, "processor time, all over one", "", work);
    findings.text(table, row, "same bytes in stats.csv", same);
}

} // namespace rubato
