#pragma once

#include "base/options.hpp"
#include "integrators/dirk_stages.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// Any diagonally implicit Runge-Kutta method, by its tableau.
class Dirk final : public Integrator {
public:
    explicit Dirk(Tableau tableau)
        : stages_(std::move(tableau))
    {
    }
    /// `A`, `b` and `c`, with this tableau where a scene gives none.
    static std::vector<OptionSpec> options(const Tableau& fallback = norsett_tableau());
    static Tableau tableau(const Options& options);
    static std::unique_ptr<Integrator> make(const Options& options);
    static int order(const Options& options);

    StepOutcome step(const StepRequest& request, State& next) override;

private:
    DirkStages stages_;
};

} // namespace rubato
