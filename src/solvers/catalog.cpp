#include "solvers/catalog.hpp"

#include "solvers/nonlinear/linearly_implicit.hpp"
#include "solvers/nonlinear/newton.hpp"

namespace rubato {

namespace {

std::unique_ptr<StageSolver> newton(const Options& o, const SolverUse& use)
{
    NewtonOptions options = newton_options(o);
    options.balanced = use.friction;
    options.linear.step = use.step;
    return std::make_unique<Newton>(options);
}

std::unique_ptr<StageSolver> linearly_implicit(const Options&, const SolverUse&)
{
    return std::make_unique<LinearlyImplicit>();
}

} // namespace

const std::vector<SolverEntry>& solver_catalog()
{
    static const std::vector<SolverEntry> entries = {
        {"newton", "Newton's method with line search and safeguards.", newton_option_specs(), newton},
        {"linearly-implicit", "One linear system per stage: forces by their first derivatives, without contact.", {},
            linearly_implicit, false},
    };
    return entries;
}

} // namespace rubato
