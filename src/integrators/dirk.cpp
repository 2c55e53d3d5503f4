#include "integrators/dirk.hpp"

namespace rubato {

/// The stages (X_i, V_i, A_i) of the rows, see dirk_stages.cpp, and
///
///     x' = x + h sum_i b_i V_i,    v' = v + h sum_i b_i A_i
///
/// which is the last stage itself when b is the last row of A (stiffly accurate). Order and stability are those of the
/// tableau; all linear invariants are kept. Dissipated: h sum_i b_i grad D(V_i) . V_i, of the order of the method, but
/// for a first row that solves nothing (dirk_stages.cpp).
StepOutcome Dirk::step(const StepRequest& r, State& next)
{
    const StepOutcome rows = stages_.taken(r);
    return rows.status == StepStatus::ok ? stages_.end_of_step(r, rows.solve, next) : rows;
}

std::vector<OptionSpec> Dirk::options(const Tableau& fallback)
{
    return {
        {.name = "A",
            .type = OptionType::table,
            .fallback = fallback.A,
            .summary = "lower triangular matrix of the tableau, row by row"},
        {.name = "b", .type = OptionType::reals, .fallback = fallback.b, .summary = "weights, which sum to 1"},
        {.name = "c",
            .type = OptionType::reals,
            .summary = "stage times, which must be the row sums of A; computed if left out",
            .optional = true},
    };
}

Tableau Dirk::tableau(const Options& o)
{
    return checked_tableau(o.table("A"), o.reals("b"), o.has("c") ? o.reals("c") : std::vector<double>{});
}

std::unique_ptr<Integrator> Dirk::make(const Options& o) { return std::make_unique<Dirk>(tableau(o)); }

int Dirk::order(const Options& o) { return tableau(o).order(); }

} // namespace rubato
