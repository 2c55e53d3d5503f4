#pragma once

#include "dynamics/region.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace rubato {

/// Solves A p = b for the nodes of a region while the others stay where they are: p is zero there.
class RegionSolver {
public:
    explicit RegionSolver(std::unique_ptr<LinearSolver> solver)
        : solver_(std::move(solver))
    {
    }
    /// Only the blocks of A between two nodes of the region are looked at. The region's nodes must be sorted.
    LinearReport solve(const Region& region, const BlockMatrix& A, const Prescription& prescription, const Vector& b,
        const Precision& precision, Vector& p);
    /// As LinearSolver's, with zeros outside the region.
    const Vector* negative_curvature() const { return solver_->negative_curvature() ? &nodal_curvature_ : nullptr; }

private:
    std::unique_ptr<LinearSolver> solver_;
    Vector b_, p_, nodal_curvature_;
};

} // namespace rubato
