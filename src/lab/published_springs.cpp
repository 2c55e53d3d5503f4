#include "base/random.hpp"
#include "lab/published_entries.hpp"
#include "lab/run.hpp"
#include "lab/squared_spring.hpp"
#include "lab/two_springs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double did_not_finish = std::numeric_limits<double>::quiet_NaN();

/// Energy and angular momentum of the squared spring, step by step, relative to the start.
struct SpringRun {
    std::vector<double> t, energy, angular;
    bool finished = false;

    double largest_drift(const std::vector<double>& series) const
    {
        double most = 0;
        for (const double s : series) most = std::max(most, std::abs(s - 1));
        return most;
    }
};

SpringRun spring_run(const Method& method, double h, int steps)
{
    LabProblem problem = squared_spring_problem();
    SpringRun run;
    double E_0 = 0, L_0 = 0;
    const RunResult result = run_problem(problem, method, h, steps * h, [&](const StepRecord& record) {
        if (record.step == 0) {
            E_0 = record.total();
            L_0 = record.angular_momentum.z();
        }
        run.t.push_back(record.state.t);
        run.energy.push_back(record.total() / E_0);
        run.angular.push_back(record.angular_momentum.z() / L_0);
    });
    run.finished = result.finished;
    return run;
}

} // namespace

Reproduced spring_001()
{
    constexpr double h = 0.033, h_small = 0.00033; // [s]
    constexpr int steps = 3000;
    const Method blending{.name = "blending", .options = {{"tolerance", 0.01}}}; // as in the paper
    const SpringRun midpoint = spring_run({.name = "implicit-midpoint"}, h, steps);
    const SpringRun blended = spring_run(blending, h, steps);
    const SpringRun fine = spring_run({.name = "implicit-midpoint"}, h_small, steps);

    LabProblem problem = squared_spring_problem();
    const double H_0 = problem.dynamics->kinetic_energy(problem.start.v)
        + problem.dynamics->potential_energy(0, problem.start.x).total();
    Reproduced out;
    out.rows.push_back({"energy at the start [J]", H_0, 25000.0, Bound::none, 0,
        "eq. 7 with the parameters as printed gives 78,150 J"});
    const double peak = midpoint.energy.size() > 2 ? std::max(midpoint.energy[1], midpoint.energy[2]) : 0;
    out.rows.push_back({.what = "implicit midpoint, h = 0.033 s: energy within 2 steps, relative to the start",
        .ours = peak,
        .bound = Bound::at_least,
        .limit = 10});
    out.rows.push_back({.what
        = fmt::format("implicit midpoint: largest energy over {} steps, relative to the start", midpoint.t.size() - 1),
        .ours = *std::max_element(midpoint.energy.begin(), midpoint.energy.end())});
    out.rows.push_back({.what = "implicit midpoint: change of angular momentum, relative",
        .ours = midpoint.finished ? midpoint.largest_drift(midpoint.angular) : did_not_finish,
        .published = 0.0,
        .bound = Bound::within,
        .limit = 1e-9});
    out.rows.push_back({.what = "implicit midpoint, h = 0.00033 s: largest energy error over 3000 steps, relative",
        .ours = fine.largest_drift(fine.energy)});
    out.rows.push_back({.what = fmt::format("blending to 1%, h = 0.033 s: largest energy error over {} steps, relative",
                            blended.t.size() - 1),
        .ours = blended.finished ? blended.largest_drift(blended.energy) : did_not_finish,
        .published = 0.0,
        .bound = Bound::within,
        .limit = 0.01});
    out.rows.push_back({.what = "blending to 1%: change of angular momentum, relative",
        .ours = blended.largest_drift(blended.angular)});

    DataTable table{.name = "spring",
        .columns = {"time", "midpoint_energy", "midpoint_angular", "blending_energy", "blending_angular"},
        .rows = {}};
    for (std::size_t k = 0; k < std::min(midpoint.t.size(), blended.t.size()); ++k) {
        table.rows.push_back(
            {blended.t[k], midpoint.energy[k], midpoint.angular[k], blended.energy[k], blended.angular[k]});
    }
    out.tables.push_back(std::move(table));
    out.figures.push_back({.name = "energy",
        .title = "Energy of the squared spring, h = 0.033 s",
        .x_quantity = "time",
        .x_unit = "s",
        .y_quantity = "energy over its start",
        .y_unit = "",
        .curves = {{"implicit midpoint", midpoint.t, midpoint.energy}, {"blending", blended.t, blended.energy}},
        .log_y = true});
    out.figures.push_back({.name = "angular_momentum",
        .title = "Angular momentum of the squared spring, h = 0.033 s",
        .x_quantity = "time",
        .x_unit = "s",
        .y_quantity = "angular momentum over its start",
        .y_unit = "",
        .curves = {{"implicit midpoint", midpoint.t, midpoint.angular}, {"blending", blended.t, blended.angular}}});
    return out;
}

/// Runs of 100 steps of backward Euler from random states, with random stiffness and mass. The theorem: no energy
/// exceeds max(H_0, H_c), H_c = E_test(0) + m/2 ((beta + 1)/h)^2; its lemmas say which single steps cannot raise it.
Reproduced two_springs_001(int runs)
{
    constexpr int steps = 100;
    const double beta = two_springs_beta();
    Random random(1);
    long raising = 0, taken = 0, unfinished = 0, beyond_lemmas = 0;
    double closest = 0, largest_rise = 0; // of H to its bound, relative
    PublishedFigure figure{.name = "energy",
        .title = "Energy of two springs under backward Euler",
        .x_quantity = "step",
        .x_unit = "",
        .y_quantity = "energy",
        .y_unit = "J",
        .curves = {}};
    for (int k = 0; k < runs; ++k) {
        const double stiffness = std::pow(10, random.uniform(-1, 3)), mass = std::pow(10, random.uniform(-1, 1));
        const double h = std::pow(10, random.uniform(-2, 0));
        LabProblem problem = two_springs_problem(
            stiffness, mass, random.uniform(-3, 3), random.uniform(-1, 1) * 3 * std::sqrt(stiffness / mass));
        const double hill = TwoSprings{stiffness}.at(0).value;
        const double H_c = hill + 0.5 * mass * std::pow((beta + 1) / h, 2);
        double bound = 0, before = 0, x_before = 0;
        Curve curve{fmt::format("run {}", k + 1), {}, {}};
        const RunResult result
            = run_problem(problem, {.name = "implicit-euler"}, h, steps * h, [&](const StepRecord& record) {
                  const double H = record.total(), x = record.state.x[0];
                  const double noise = 1e-9 * (1 + before);
                  if (record.step == 0) {
                      bound = std::max(H, H_c);
                  } else {
                      ++taken;
                      if (H > before + noise) {
                          ++raising;
                          largest_rise = std::max(largest_rise, (H - before) / hill);
                          if (std::abs(x) > 1 || std::abs(x_before) >= beta) ++beyond_lemmas;
                      }
                  }
                  closest = std::max(closest, H / bound);
                  before = H;
                  x_before = x;
                  curve.x.push_back(static_cast<double>(record.step));
                  curve.y.push_back(H);
              });
        if (!result.finished) ++unfinished;
        if (k < 4) figure.curves.push_back(std::move(curve));
    }
    Reproduced out;
    out.rows.push_back({"beta", beta, 2.209, Bound::within, 0.001});
    out.rows.push_back({.what = "steps taken",
        .ours = static_cast<double>(taken),
        .bound = Bound::at_least,
        .limit = static_cast<double>(runs) * steps});
    out.rows.push_back({.what = "runs that could not be finished",
        .ours = static_cast<double>(unfinished),
        .bound = Bound::at_most,
        .limit = 0});
    out.rows.push_back({.what = "largest H_n over its bound max(H_0, H_c)",
        .ours = closest,
        .published = {},
        .bound = Bound::at_most,
        .limit = 1 + 1e-12});
    out.rows.push_back({.what = "steps that raise the energy",
        .ours = static_cast<double>(raising),
        .bound = Bound::at_least,
        .limit = 1,
        .note = "the paper says that they occur"});
    out.rows.push_back({.what = "steps that raise the energy although Lemma 1 or 2 says they cannot",
        .ours = static_cast<double>(beyond_lemmas),
        .published = 0.0,
        .bound = Bound::within,
        .limit = 0});
    out.rows.push_back({.what = "largest rise in one step over the height of the hill", .ours = largest_rise});
    out.figures.push_back(std::move(figure));
    return out;
}

} // namespace rubato
