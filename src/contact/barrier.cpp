#include "contact/barrier.hpp"

#include "base/parallel.hpp"
#include "contact/barrier_function.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

/// The barrier of one pair, B(d2) = weight kappa b((sqrt(d2) - offset)/dhat), and its Hessian.
///
///     w     weights of the corners in the gap, sum_k w_k x_k = D n        D = sqrt(d2), |n| = 1
///     w'_m  their derivatives by the free parameters theta_m              s_m = sum_k w'_km x_k, orthogonal to n
///     B1, B2  derivatives of B by d2
///
/// Everything in the Hessian is a combination of at most five vectors, U = [w (x) I3, w'_1 (x) n, w'_2 (x) n]:
///
///     H = U C U^T,   C = 4 d2 B2 [n; 0][n; 0]^T + 2 B1 (diag(I3, 0) - F S^-1 F^T),   F_m = [s_m; D e_m],  S_mn = s_m .
///     s_n
///
/// (geometry/distance.hpp, with the vectors pulled out). With U = Q R the positive part of H is Q times the positive
/// part of R C R^T, a matrix of at most 5x5, instead of one of 12x12.
namespace rubato {

namespace {

using Core = Eigen::Matrix<double, 5, 5>;
using Span = Eigen::Matrix<double, 12, 5>;

/// C and U for a pair without mollifier; columns beyond 3 + freedom are zero.
void factors(const Nearest& at, double B1, double B2, Core& C, Span& U)
{
    const double D = std::sqrt(at.d2);
    const Vec3 n = at.gap / D;
    C.setZero();
    U.setZero();
    for (int k = 0; k < 4; ++k) {
        const auto i = static_cast<std::size_t>(k);
        U.block<3, 3>(3 * k, 0).diagonal().setConstant(at.weight[i]);
        for (int m = 0; m < at.freedom; ++m) {
            U.block<3, 1>(3 * k, 3 + m) = at.slide_weight[static_cast<std::size_t>(m)][i] * n;
        }
    }
    C.topLeftCorner<3, 3>() = 4 * at.d2 * B2 * n * n.transpose();
    C.topLeftCorner<3, 3>().diagonal().array() += 2 * B1;
    if (at.freedom == 0) return;

    Eigen::Matrix<double, 5, 2> F = Eigen::Matrix<double, 5, 2>::Zero();
    Eigen::Matrix2d S = Eigen::Matrix2d::Identity();
    for (int m = 0; m < at.freedom; ++m) {
        const Vec3& s = at.slide[static_cast<std::size_t>(m)];
        F.block<3, 1>(0, m) = s;
        F(3 + m, m) = D;
        for (int l = 0; l < at.freedom; ++l) S(m, l) = s.dot(at.slide[static_cast<std::size_t>(l)]);
    }
    C -= 2 * B1 * F * S.inverse() * F.transpose();
}

template <class Matrix>
Matrix positive_part(const Matrix& A)
{
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(A);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

/// U C U^T with the negative eigenvalues left out.
Mat12 projected(const Core& C, const Span& U)
{
    // Gram-Schmidt; a column that depends on those before adds nothing to Q.
    Span Q = Span::Zero();
    Core R = Core::Zero();
    for (int j = 0; j < 5; ++j) {
        Vec12 q = U.col(j);
        const double whole = q.norm();
        if (whole == 0) continue;
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < j; ++i) {
                const double along = Q.col(i).dot(q);
                R(i, j) += along;
                q -= along * Q.col(i);
            }
        }
        const double rest = q.norm();
        if (rest <= 1e-12 * whole) continue;
        R(j, j) = rest;
        Q.col(j) = q / rest;
    }
    const Core RCR = R * C * R.transpose();
    return Q * positive_part(RCR) * Q.transpose();
}

struct Weighted {
    double B, B1, B2; ///< the barrier and its derivatives by d2
};

Weighted of_squared_distance(const ContactPair& pair, double kappa, double dhat)
{
    const double D = std::sqrt(pair.at.d2), scale = pair.weight * kappa;
    const BarrierValues b = barrier_function((D - pair.offset) / dhat);
    const double b1 = b.b1 / dhat, b2 = b.b2 / (dhat * dhat);
    return {scale * b.b, scale * b1 / (2 * D), scale * (b2 - b1 / D) / (4 * pair.at.d2)};
}

} // namespace

void add_pattern(const std::vector<ContactPair>& pairs, BlockPattern& pattern)
{
    for (const ContactPair& pair : pairs) {
        for (int a = 0; a < pair.corners; ++a) {
            for (int b = 0; b < a; ++b) {
                pattern.add(pair.node[static_cast<std::size_t>(a)], pair.node[static_cast<std::size_t>(b)]);
            }
        }
    }
}

void Barrier::pattern_at(const Vector& x, BlockPattern& pattern)
{
    contacts_->update(x);
    add_pattern(contacts_->pairs(), pattern);
}

Touching Barrier::touching(const Vector& x)
{
    contacts_->update(x);
    return contacts_->touching();
}

void Barrier::add(const Vector& x, double /*t*/, Assembly& out)
{
    contacts_->update(x);
    const std::vector<ContactPair>& pairs = contacts_->pairs();
    const double dhat = contacts_->dhat();
    const bool wants_gradient = out.gradient != nullptr, wants_hessian = out.hessian != nullptr;
    wanted_.clear();
    for (const ContactPair& pair : pairs) {
        if (pair.weight > 0 && (out.only == nullptr || out.only->touches(pair.node))) wanted_.push_back(&pair);
    }
    local_.resize(wanted_.size());
    parallel_for(
        static_cast<Index>(wanted_.size()),
        [&](Index index) {
            const ContactPair& pair = *wanted_[static_cast<std::size_t>(index)];
            Local& local = local_[static_cast<std::size_t>(index)];
            if (out.knows(pair.node)) return;
            if (!(pair.distance() > 0)) {
                local.value = std::numeric_limits<double>::infinity();
                local.gradient.setZero();
                local.hessian.setZero();
                return;
            }
            const Weighted w = of_squared_distance(pair, kappa_, dhat);
            Corners at{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
            double m = 1;
            Vec12 grad_m;
            Mat12 hess_m;
            if (pair.mollifier_eps > 0) {
                for (int k = 0; k < 4; ++k) {
                    at[static_cast<std::size_t>(k)] = node(x, pair.node[static_cast<std::size_t>(k)]);
                }
                m = edge_edge_mollifier(at, pair.mollifier_eps, nullptr, nullptr);
                if (m < 1) edge_edge_mollifier(at, pair.mollifier_eps, &grad_m, wants_hessian ? &hess_m : nullptr);
            }
            local.value = m * w.B;
            if (!wants_gradient && !wants_hessian) return;

            Vec12 g;
            for (int k = 0; k < 4; ++k)
                g.segment<3>(3 * k) = 2 * pair.at.weight[static_cast<std::size_t>(k)] * pair.at.gap;
            local.gradient = m * w.B1 * g;
            if (m < 1) local.gradient += w.B * grad_m;
            if (!wants_hessian) return;

            const bool project = out.projected.at(pair.node);
            Core C;
            Span U;
            factors(pair.at, w.B1, w.B2, C, U);
            if (m == 1) {
                local.hessian = project ? projected(C, U) : Mat12(U * C * U.transpose());
                return;
            }
            local.hessian
                = m * (U * C * U.transpose()) + w.B * hess_m + w.B1 * (g * grad_m.transpose() + grad_m * g.transpose());
            if (project) local.hessian = positive_part(local.hessian);
        },
        16);

    const auto counts = [&](Index node) { return out.only == nullptr || out.only->has(node); };
    for (std::size_t p = 0; p < wanted_.size(); ++p) { // in order: the same sums for any number of threads
        const ContactPair& pair = *wanted_[p];
        const Local& local = local_[p];
        if (out.value != nullptr) *out.value += out.value_weight * local.value;
        for (int a = 0; a < pair.corners; ++a) {
            const Index i = pair.node[static_cast<std::size_t>(a)];
            if (!counts(i)) continue;
            if (wants_gradient) node(*out.gradient, i) += out.gradient_weight * local.gradient.segment<3>(3 * a);
            if (!wants_hessian) continue;
            for (int b = 0; b < pair.corners; ++b) {
                const Index j = pair.node[static_cast<std::size_t>(b)];
                if (j < i || !counts(j)) continue;
                out.hessian->block(out.hessian->slot(i, j))
                    += out.hessian_weight * local.hessian.block<3, 3>(3 * a, 3 * b);
            }
        }
    }
    add_planes(out);
}

void Barrier::add_planes(Assembly& out) const
{
    const double dhat = contacts_->dhat();
    for (const PlaneContact& plane : contacts_->planes()) {
        const Vec3& n = contacts_->surface().half_spaces[static_cast<std::size_t>(plane.half_space)].normal;
        const double scale = plane.weight * kappa_;
        if (!(plane.distance > 0)) {
            if (out.value != nullptr) *out.value = std::numeric_limits<double>::infinity();
            continue;
        }
        const BarrierValues b = barrier_function(plane.distance / dhat);
        if (out.value != nullptr) *out.value += out.value_weight * scale * b.b;
        if (out.gradient != nullptr) node(*out.gradient, plane.node) += out.gradient_weight * scale * b.b1 / dhat * n;
        if (out.hessian != nullptr) {
            out.hessian->block(out.hessian->slot(plane.node, plane.node))
                += out.hessian_weight * scale * b.b2 / (dhat * dhat) * n * n.transpose();
        }
    }
}

} // namespace rubato
