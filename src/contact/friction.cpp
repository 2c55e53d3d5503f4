#include "contact/friction.hpp"

#include "contact/barrier_function.hpp"

#include <cmath>

/// Friction of one contact:
///
///     D(u) = mu N f0(|u_t|)      u_t = (I - n n^T) (sum_k w_k u_k + n x u_R)       sliding velocity [m/s]
///
///     f0(v) = v^2/eps - v^3/(3 eps^2)   v < eps          f1 = f0' = 2 v/eps - (v/eps)^2
///           = v - eps/3                 beyond           f1 = 1
///
/// Something round lies at the distance R from a centre or an axis, whose velocity is among the w_k u_k. If it turns
/// with the spin omega, its surface has the velocity omega x r besides, r = -R n on the side whose weights are positive
/// and R n on the other: either way n x u_R is added to the sliding velocity, u_R = R omega. There is a node with this
/// velocity, so that D stays a function of the nodes' velocities, whose derivative by u_R is what resists the turning.
///
/// The force mu N f1 grows smoothly from zero (a body at rest creeps slower than eps) to Coulomb's mu N. The
/// Hessian of D has the eigenvalues f1' along u_t and f1/|u_t| across, neither of them negative: nothing is to be
/// projected.
///
/// Beyond eps, f1' = 0: nothing tells Newton's method that the force turns round where the slip does, and contacts that
/// ought to stick are thrown to and fro until the line search has brought all of them within eps at once. A contact
/// whose slip has turned round since the last Hessian therefore gets f1/|u_t| along u_t, too, as long as the slip then
/// shrinks from Hessian to Hessian. This is the curvature of the parabola that touches D at u_t and lies above it
/// everywhere, whose minimum never goes too far. For a contact that slides on it would be a brake. What is remembered
/// for this is forgotten whenever forces are lagged, at the latest when the next step begins.
namespace rubato {

namespace {

constexpr double settled = 1e-2; // relative change of the lagged forces below which relagging stops
constexpr double shrinking = 1.2; // factor by which the slip of a contact that comes to rest shrinks at least

} // namespace

void Friction::frozen_pattern(BlockPattern& pattern) const
{
    for (const Sliding& s : sliding_) {
        for (int a = 0; a < s.corners; ++a) {
            for (int b = 0; b < a; ++b) {
                pattern.add(s.node[static_cast<std::size_t>(a)], s.node[static_cast<std::size_t>(b)]);
            }
            if (s.turning >= 0) pattern.add(s.turning, s.node[static_cast<std::size_t>(a)]);
        }
    }
}

void Friction::freeze(const State& now) { lag(now.x); }

void Friction::lag(const Vector& x)
{
    contacts_->update(x);
    sliding_.clear();
    const double dhat = contacts_->dhat();
    for (const ContactPair& pair : contacts_->pairs()) {
        const double mu = contacts_->rules().at(pair.part_a, pair.part_b).friction;
        if (mu == 0) continue;
        double m = 1;
        if (pair.mollifier_eps > 0) {
            Corners at;
            for (std::size_t k = 0; k < 4; ++k) at[k] = node(x, pair.node[k]);
            m = edge_edge_mollifier(at, pair.mollifier_eps, nullptr, nullptr);
        }
        const double N = -m * pair.weight * kappa_ * barrier_function(pair.distance() / dhat).b1 / dhat;
        if (!(N > 0)) continue;
        const auto& parts = contacts_->surface().parts;
        const Index turning = std::max(parts[static_cast<std::size_t>(pair.part_a)].turning,
            parts[static_cast<std::size_t>(pair.part_b)].turning); // obstacles do not meet: there is one at most
        sliding_.push_back(
            {pair.corners, pair.node, pair.at.weight, pair.at.gap / std::sqrt(pair.at.d2), mu * N, turning});
    }
    for (const PlaneContact& plane : contacts_->planes()) {
        const HalfSpace& half_space = contacts_->surface().half_spaces[static_cast<std::size_t>(plane.half_space)];
        const double mu = contacts_->rules().at(plane.part, half_space.part).friction;
        const double N = -plane.weight * kappa_ * barrier_function(plane.distance / dhat).b1 / dhat;
        if (mu == 0 || !(N > 0)) continue;
        sliding_.push_back({1, {plane.node, -1, -1, -1}, {1, 0, 0, 0}, half_space.normal, mu * N});
    }

    forces_.assign(static_cast<std::size_t>(x.size() / 3), Vec3::Zero());
    for (const Sliding& s : sliding_) {
        for (int k = 0; k < s.corners; ++k) {
            const auto i = static_cast<std::size_t>(k);
            forces_[static_cast<std::size_t>(s.node[i])] += s.limit * s.weight[i] * s.normal;
        }
    }
}

/// Forces that have settled stay as they are: what is booked and balanced afterwards must be the D that was solved for.
bool Friction::relag(const Vector& x, int solves)
{
    if (solves >= most_lags_) return false;
    sliding_.swap(last_sliding_);
    forces_.swap(last_forces_);
    lag(x);
    double change = 0, size = 0;
    for (std::size_t i = 0; i < forces_.size(); ++i) {
        change += (forces_[i] - last_forces_[i]).squaredNorm();
        size += forces_[i].squaredNorm();
    }
    if (change > settled * settled * size) return true;
    sliding_.swap(last_sliding_);
    forces_.swap(last_forces_);
    return false;
}

Vec3 Friction::slip(const Sliding& s, const Vector& u) const
{
    Vec3 slip = Vec3::Zero();
    for (int k = 0; k < s.corners; ++k) {
        const auto i = static_cast<std::size_t>(k);
        slip += s.weight[i] * node(u, s.node[i]);
    }
    if (s.turning >= 0) slip += s.normal.cross(Vec3(node(u, s.turning)));
    return slip - s.normal.dot(slip) * s.normal;
}

/// The blocks with u_R of one contact, whose Hessian with respect to u_t is limit * H.
void Friction::add_turning(const Sliding& s, const Mat3& H, Assembly& out) const
{
    const auto counts = [&](Index node) { return out.only == nullptr || out.only->has(node); };
    if (!counts(s.turning)) return;
    Mat3 cross; // n x
    cross << 0, -s.normal.z(), s.normal.y(), s.normal.z(), 0, -s.normal.x(), -s.normal.y(), s.normal.x(), 0;
    const double factor = out.hessian_weight * s.limit;
    for (int k = 0; k < s.corners; ++k) {
        const Index n = s.node[static_cast<std::size_t>(k)];
        if (!counts(n)) continue;
        const Mat3 block = (factor * s.weight[static_cast<std::size_t>(k)]) * H * cross;
        if (n < s.turning) {
            out.hessian->block(out.hessian->slot(n, s.turning)) += block;
        } else {
            out.hessian->block(out.hessian->slot(s.turning, n)) += block.transpose();
        }
    }
    out.hessian->block(out.hessian->slot(s.turning, s.turning)) += factor * cross.transpose() * H * cross;
}

void Friction::add(const Vector& u, Assembly& out)
{
    const auto counts = [&](Index node) { return out.only == nullptr || out.only->has(node); };
    for (Sliding& s : sliding_) {
        if (out.only != nullptr && !out.only->touches(s.node)) continue;
        const Vec3 slip = this->slip(s, u);
        const double v = slip.norm(), y = v / speed_;
        const bool sliding = y >= 1;
        if (out.value != nullptr) {
            *out.value += out.value_weight * s.limit * (sliding ? v - speed_ / 3 : speed_ * y * y * (1 - y / 3));
        }
        const double across = sliding ? 1 / v : (2 - y) / speed_; // f1/v
        if (out.gradient != nullptr) {
            for (int k = 0; k < s.corners; ++k) {
                const auto i = static_cast<std::size_t>(k);
                node(*out.gradient, s.node[i]) += out.gradient_weight * s.limit * s.weight[i] * across * slip;
            }
            if (s.turning >= 0) {
                node(*out.gradient, s.turning) += out.gradient_weight * s.limit * across * slip.cross(s.normal);
            }
        }
        if (out.hessian == nullptr) continue;
        if (slip != s.last_slip) {
            const bool turned = s.last_slip.dot(slip) < 0;
            const bool shrinks = s.last_slip.norm() > shrinking * v;
            s.coming_to_rest = turned || (s.coming_to_rest && shrinks);
            s.last_slip = slip;
        }
        const double f1_slope = sliding ? 0 : 2 * (1 - y) / speed_;
        const double along = s.coming_to_rest ? across : f1_slope;
        Mat3 H = across * (Mat3::Identity() - s.normal * s.normal.transpose());
        if (v > 0) H += (along - across) / (v * v) * slip * slip.transpose();
        for (int a = 0; a < s.corners; ++a) {
            for (int b = 0; b < s.corners; ++b) {
                const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
                const double factor = out.hessian_weight * s.limit * s.weight[i] * s.weight[j];
                if (factor != 0 && s.node[i] <= s.node[j] && counts(s.node[i]) && counts(s.node[j]))
                    out.hessian->block(out.hessian->slot(s.node[i], s.node[j])) += factor * H;
            }
        }
        if (s.turning >= 0) add_turning(s, H, out);
    }
}

} // namespace rubato
