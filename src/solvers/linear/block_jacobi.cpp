#include "solvers/linear/block_jacobi.hpp"

#include "base/parallel.hpp"

#include <Eigen/LU>

namespace rubato {

void BlockJacobi::prepare(const Operator& A, const Prescription& prescription)
{
    inverse_.resize(static_cast<std::size_t>(A.rows()));
    parallel_for(A.rows(), [&](Index i) {
        Mat3 D = A.diagonal(i);
        for (int k = 0; k < 3; ++k) { // a prescribed unknown must not leak into its node's free ones
            if (!prescription.holds(3 * Eigen::Index{i} + k)) continue;
            D.row(k).setZero();
            D.col(k).setZero();
            D(k, k) = 1;
        }
        // An indefinite block would break the preconditioner; its trace keeps the scale.
        const bool usable = D(0, 0) > 0 && D.topLeftCorner<2, 2>().determinant() > 0 && D.determinant() > 0;
        inverse_[static_cast<std::size_t>(i)]
            = usable ? Mat3(D.inverse()) : Mat3(Mat3::Identity() * (3 / std::max(std::abs(D.trace()), 1e-300)));
    });
}

void BlockJacobi::apply(const Prescription& prescription, const Vector& r, Vector& z)
{
    z.resize(r.size());
    parallel_for(
        static_cast<Index>(inverse_.size()),
        [&](Index i) { node(z, i).noalias() = inverse_[static_cast<std::size_t>(i)] * node(r, i); }, 256);
    prescription.set_zero(z);
}

} // namespace rubato
