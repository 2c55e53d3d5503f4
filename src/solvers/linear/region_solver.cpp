#include "solvers/linear/region_solver.hpp"

namespace rubato {

LinearReport RegionSolver::solve(const Region& region, const BlockMatrix& A, const Prescription& prescription,
    const Vector& b, const Precision& precision, Vector& p)
{
    const std::vector<Index>& nodes = region.nodes();
    b_.resize(3 * Eigen::Index{region.size()});
    for (Index n = 0; n < region.size(); ++n) node(b_, n) = node(b, nodes[static_cast<std::size_t>(n)]);

    const LinearReport report = solver_->solve(A.between(nodes), prescription.among(nodes), b_, precision, p_);

    p.setZero(b.size());
    for (Index n = 0; n < region.size(); ++n) node(p, nodes[static_cast<std::size_t>(n)]) = node(p_, n);
    if (report.status == LinearStatus::indefinite && solver_->negative_curvature() != nullptr) {
        nodal_curvature_.setZero(A.rows());
        for (Index n = 0; n < region.size(); ++n) {
            nodal_curvature_[nodes[static_cast<std::size_t>(n)]] = (*solver_->negative_curvature())[n];
        }
    }
    return report;
}

} // namespace rubato
