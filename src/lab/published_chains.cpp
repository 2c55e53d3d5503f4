#include "control/fixed.hpp"
#include "integrators/catalog.hpp"
#include "lab/decoupled_search.hpp"
#include "lab/published_entries.hpp"
#include "lab/quadratic_wall.hpp"
#include "lab/stability.hpp"
#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// 000 App. D hopes for a second-order method whose decoupled method is stable at every step. There is none that damps
/// (docs/derivations/decoupled_second_order.md); here is what a search finds, and what the methods that do not damp are
/// worth at a wall.
namespace rubato {

namespace {

const IntegratorEntry& decoupled_symplectic() { return integrator_named("decoupled-symplectic"); }

Options options_of(const SubstepChain& chain)
{
    Options options = defaults(decoupled_symplectic().options);
    options.set("A", chain.A());
    options.set("b", chain.b);
    return options;
}

/// The largest speed with which a particle that came at 1 m/s is found within twelve steps of a wall with hbar = 1e8.
double fastest_at_wall(const SubstepChain& chain, int phases)
{
    double fastest = 0;
    for (int k = 0; k < phases; ++k) {
        LabProblem problem = quadratic_wall_problem(1e8, (k + 0.5) / phases, 1);
        const auto integrator = decoupled_symplectic().make(options_of(chain));
        FixedStep fixed(1);
        Simulation simulation(*problem.dynamics, *integrator, fixed, problem.start);
        if (!simulation.run(12).finished) return std::numeric_limits<double>::quiet_NaN();
        fastest = std::max(fastest, std::abs(simulation.state().v[0]));
    }
    return fastest;
}

} // namespace

Reproduced decoupled_order_two(int starts)
{
    Reproduced out;
    DataTable table{.name = "search", .columns = {"stages", "kept", "excess", "tried"}, .rows = {}};
    for (const int stages : {2, 3, 4}) {
        for (const double kept : {1.0, 0.9, 0.7, 0.5}) {
            const ChainSearch found = search_chains(stages, kept, starts, 1);
            table.rows.push_back({double(stages), kept, found.excess, double(found.tried)});
            const bool damps = kept < 1;
            out.rows.push_back({.what = fmt::format("{} stages, at most {:g} kept: least |trace| - 2", stages, kept),
                .ours = found.excess,
                .bound = damps ? Bound::at_least : Bound::at_most,
                .limit = damps ? 1e-4 : 1e-6,
                .note = damps ? "positive: unstable at some step" : "without damping there is one"});
        }
    }

    // One of the exceptions: its explicit parts are its implicit parts in another order.
    const SubstepChain exception{{0.2, 0.5, 0.3}, {0, 0.2, 0.3}};
    const MeasuredMethod method = measured_method(decoupled_symplectic(), options_of(exception));
    double trace = 0;
    for (int k = -20; k <= 80; ++k) {
        trace = std::max(trace, std::abs(amplification(method, std::pow(10.0, k / 10.0)).trace));
    }
    out.rows.push_back({.what = "exception 0/0.2, 0.2/0.5, 0.3/0.3: largest |trace|, as measured",
        .ours = trace,
        .bound = Bound::at_most,
        .limit = 2 + 1e-9});
    out.rows.push_back({.what = "the same at a stiff wall: largest speed after meeting it at 1",
        .ours = fastest_at_wall(exception, 200),
        .note = "A-1 leaves with 1"});
    out.tables.push_back(std::move(table));
    return out;
}

} // namespace rubato
