#include "solvers/linear/conjugate_gradients.hpp"

#include "base/parallel.hpp"

#include <Eigen/LU>

namespace rubato {

namespace {

constexpr double exhausted = 1e-28; // squared residual relative to the first: double precision has no more to give
constexpr std::size_t shortest_window = 4; // iterations that the error estimate looks back on, at least
constexpr std::size_t most_remembered = 20000; // beyond, only the residual stops the iteration

} // namespace

/// r: residual, z: preconditioned residual, q: search direction.
LinearReport ConjugateGradients::solve(
    const BlockMatrix& A, const Prescription& prescription, const Vector& b, double tolerance, Vector& p)
{
    diagonal_inverse_.resize(static_cast<std::size_t>(A.rows()));
    parallel_for(A.rows(), [&](Index i) {
        Mat3 D = A.block(A.slot(i, i));
        for (int k = 0; k < 3; ++k) { // a prescribed unknown must not leak into its node's free ones
            if (!prescription.holds(3 * Eigen::Index{i} + k)) continue;
            D.row(k).setZero();
            D.col(k).setZero();
            D(k, k) = 1;
        }
        // An indefinite block would break the preconditioner; its trace keeps the scale.
        const bool usable = D(0, 0) > 0 && D.topLeftCorner<2, 2>().determinant() > 0 && D.determinant() > 0;
        diagonal_inverse_[static_cast<std::size_t>(i)]
            = usable ? Mat3(D.inverse()) : Mat3(Mat3::Identity() * (3 / std::max(std::abs(D.trace()), 1e-300)));
    });

    p.setZero(b.size());
    r_ = b;
    prescription.set_zero(r_);
    precondition(prescription, r_, z_);
    q_ = z_;
    double rz = r_.dot(z_);
    const double first_rz = rz;
    const int limit = max_iterations_ > 0 ? max_iterations_ : static_cast<int>(10 * b.size());
    gained_.clear();
    gained_.reserve(most_remembered);
    gained_.push_back(0);

    LinearReport report;
    while (rz > exhausted * first_rz) {
        if (report.iterations == limit) {
            report.status = LinearStatus::inexact;
            return report;
        }
        ++report.iterations;
        A.multiply(q_, Aq_);
        prescription.set_zero(Aq_);
        const double curvature = q_.dot(Aq_);
        if (!(curvature > 0)) {
            report.status = std::isfinite(curvature) ? LinearStatus::indefinite : LinearStatus::failed;
            if (report.iterations == 1) p = z_;
            nodal_curvature_.resize(A.rows());
            for (Index i = 0; i < A.rows(); ++i) nodal_curvature_[i] = node(q_, i).dot(node(Aq_, i));
            return report;
        }
        const double step = rz / curvature;
        p += step * q_;
        r_ -= step * Aq_;
        precondition(prescription, r_, z_);
        if (gained_.size() < most_remembered) {
            gained_.push_back(gained_.back() + step * rz);
            const std::size_t window = shortest_window + gained_.size() / 3;
            if (gained_.size() > window) {
                const double recent = gained_.back() - gained_[gained_.size() - 1 - window];
                if (recent <= tolerance * tolerance * gained_.back()) break;
            }
        }
        const double rz_next = r_.dot(z_);
        q_ = z_ + (rz_next / rz) * q_;
        rz = rz_next;
    }
    if (!std::isfinite(rz)) report.status = LinearStatus::failed;
    return report;
}

void ConjugateGradients::precondition(const Prescription& prescription, const Vector& r, Vector& z) const
{
    z.resize(r.size());
    parallel_for(
        static_cast<Index>(diagonal_inverse_.size()),
        [&](Index i) { node(z, i).noalias() = diagonal_inverse_[static_cast<std::size_t>(i)] * node(r, i); }, 256);
    prescription.set_zero(z);
}

} // namespace rubato
