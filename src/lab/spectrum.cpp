#include "lab/spectrum.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace rubato {

ModalEnergies::ModalEnergies(const Mass& mass, const Modes& modes, Vector X, Frame frame)
    : mass_(mass)
    , modes_(modes)
    , X_(std::move(X))
    , frame_(frame)
{
    const Vector& m = mass_.nodal();
    for (Index i = 0; i < mass_.nodes(); ++i) {
        total_mass_ += m[i];
        centre_ += m[i] * node(X_, i);
    }
    centre_ /= total_mass_;
}

void ModalEnergies::of(const State& state, Vector& energies)
{
    if (frame_ == Frame::following) {
        follow(state);
    } else {
        u_ = state.x - X_;
        w_ = state.v;
    }
    mass_.multiply(u_, momentum_);
    const Vector q = modes_.phi.transpose() * momentum_;
    mass_.multiply(w_, momentum_);
    const Vector q_dot = modes_.phi.transpose() * momentum_;
    energies = 0.5 * (q_dot.cwiseAbs2() + modes_.omega2.cwiseProduct(q.cwiseAbs2()));
}

/// The rotation R and the place c that bring X nearest to x in the mass norm (the polar decomposition of
/// sum m (x - c)(X - C)^T), and the rigid velocity of the same momenta: c' + omega x (x - c). Then, in the frame of X,
///
///     u = R^T (x - c) - (X - C),     w = R^T (v - c' - omega x (x - c))
void ModalEnergies::follow(const State& state)
{
    const Vector& m = mass_.nodal();
    const Index n = mass_.nodes();
    Vec3 c = Vec3::Zero(), c_dot = Vec3::Zero();
    for (Index i = 0; i < n; ++i) {
        c += m[i] / total_mass_ * node(state.x, i);
        c_dot += m[i] / total_mass_ * node(state.v, i);
    }
    Mat3 moment = Mat3::Zero(), inertia = Mat3::Zero();
    Vec3 spin = Vec3::Zero();
    for (Index i = 0; i < n; ++i) {
        const Vec3 r = node(state.x, i) - c, R_0 = node(X_, i) - centre_;
        moment += m[i] * r * R_0.transpose();
        inertia += m[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
        spin += m[i] * r.cross(node(state.v, i) - c_dot);
    }
    const Eigen::JacobiSVD<Mat3> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 turn = Mat3::Identity();
    turn(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    const Mat3 R = svd.matrixU() * turn * svd.matrixV().transpose();
    const Vec3 omega = inertia.fullPivLu().solve(spin);

    u_.resize(state.x.size());
    w_.resize(state.x.size());
    for (Index i = 0; i < n; ++i) {
        const Vec3 r = node(state.x, i) - c;
        node(u_, i) = R.transpose() * r - (node(X_, i) - centre_);
        node(w_, i) = R.transpose() * (node(state.v, i) - c_dot - omega.cross(r));
    }
}

void SpectrumRecord::step(const StepRecord& record)
{
    times_.push_back(record.state.t);
    energies_.of(record.state, rows_.emplace_back());
}

Vector SpectrumRecord::mean() const
{
    if (rows_.size() < 2) return rows_.empty() ? Vector() : rows_.front();
    Vector sum = Vector::Zero(rows_.front().size());
    for (std::size_t i = 1; i < rows_.size(); ++i) sum += 0.5 * (times_[i] - times_[i - 1]) * (rows_[i] + rows_[i - 1]);
    return sum / (times_.back() - times_.front());
}

} // namespace rubato
