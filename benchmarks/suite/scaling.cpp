#include "figures/statistics.hpp"
#include "suite/child_run.hpp"
#include "suite/parts.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

/// The clamped bar in finer and finer cells, at the same step and stiffness.
namespace rubato {

namespace {

constexpr double mebi = 1 << 20;

struct Size {
    std::array<int, 3> cells; ///< 4 : 1 : 1, each of six tetrahedra
    int cholesky_steps; ///< 0: would take too much time and memory
};
constexpr Size sizes[] = {{{24, 6, 6}, 12}, {{36, 9, 9}, 8}, {{52, 13, 13}, 4}, {{76, 19, 19}, 2}, {{108, 27, 27}, 0}};
constexpr int steps_of_gradients = 12; // the same for all sizes, since some steps take more iterations than others

/// Mean processor time of a step, without the first [s].
double later_step(const RunCost& cost) { return (cost.processor - cost.first_step) / (cost.steps - 1); }

struct CostCurve {
    std::vector<double> tets, step, memory;
};

void measure_one(Findings& findings, const std::string& row, const std::string& linear, const Size& size, int steps,
    CostCurve& curve)
{
    const std::string table = "scaling of a bar, one thread";
    findings.progress(row + ", " + linear);
    const bool large = size.cells[1] > 15;
    std::vector<double> later, first, memory;
    RunCost cost;
    const int repetitions = large ? 1 : std::min(3, findings.repetitions());
    for (int i = 0; i < repetitions; ++i) {
        cost = cost_of({.scene = "clamped-bar",
            .steps = steps,
            .settings = {"solver.linear=" + linear,
                fmt::format("bodies[0].mesh.cells=[{},{},{}]", size.cells[0], size.cells[1], size.cells[2])}});
        later.push_back(later_step(cost));
        first.push_back(cost.first_step);
        memory.push_back(cost.memory / mebi);
    }
    if (linear == "automatic") {
        findings.text(table, row, "automatic takes", cost.linear > 0 ? "CG" : "Cholesky");
        return;
    }
    const std::string name = linear == "cholesky" ? "Cholesky" : "CG";
    findings.fact(table, row, name + ": Newton per step", cost.newton / cost.steps);
    if (linear != "cholesky")
        findings.fact(table, row, "CG per Newton", std::round(10 * cost.linear / cost.newton) / 10);
    findings.time(table, row, name + ": first step", "s", first);
    findings.time(table, row, name + ": later step", "s", later);
    findings.time(table, row, name + ": memory", "MiB", memory);
    curve.tets.push_back(cost.tets);
    curve.step.push_back(median(later));
    curve.memory.push_back(median(memory));
}

void note_exponents(Findings& findings, const std::string& solver, const CostCurve& curve)
{
    const std::string table = "exponents of growth with the number of tetrahedra";
    findings.time(table, solver, "time of a step", "", {power_law_exponent(curve.tets, curve.step)});
    findings.time(table, solver, "memory", "", {power_law_exponent(curve.tets, curve.memory)});
}

} // namespace

void measure_scaling(Findings& findings)
{
    CostCurve gradients, cholesky, automatic;
    for (const Size& size : sizes) {
        const std::string row = fmt::format("{} tetrahedra", 6 * size.cells[0] * size.cells[1] * size.cells[2]);
        measure_one(findings, row, "conjugate-gradients", size, steps_of_gradients, gradients);
        if (size.cholesky_steps > 0) measure_one(findings, row, "cholesky", size, size.cholesky_steps, cholesky);
        measure_one(findings, row, "automatic", size, 2, automatic);
    }
    note_exponents(findings, "CG with multigrid", gradients);
    note_exponents(findings, "Cholesky", cholesky);
}

} // namespace rubato
