#include "solvers/nonlinear/newton.hpp"

#include "solvers/nonlinear/newton_solve.hpp"

namespace rubato {

Newton::Newton(NewtonOptions options)
    : options_(options)
    , work_(std::make_unique<NewtonWork>(options))
{
}

Newton::~Newton() = default;

SolveReport Newton::minimise(IncrementalPotential& E, const Vector& start, Vector& y)
{
    return NewtonSolve(options_, *work_, E, h_).run(start, y);
}

} // namespace rubato
