#include "lab/squared_spring.hpp"

#include <algorithm>

namespace rubato {

/// grad P = 2 k (r^2 - 1) x; the Hessian 2 k (r^2 - 1) I + 4 k x x^T has the eigenvalues 2 k (3 r^2 - 1) along x and
/// 2 k (r^2 - 1) across it, both negative near the origin.
void SquaredSpring::add(const Vector& x, double /*t*/, Assembly& out)
{
    const Vec3 d = node(x, node_);
    const double r2 = d.squaredNorm(), k = stiffness_;
    if (out.value != nullptr) *out.value += out.value_weight * 0.5 * k * (r2 - 1) * (r2 - 1);
    if (out.gradient != nullptr) node(*out.gradient, node_) += out.gradient_weight * 2 * k * (r2 - 1) * d;
    if (out.hessian == nullptr) return;
    double along = 2 * k * (3 * r2 - 1), across = 2 * k * (r2 - 1);
    if (out.projected.at(node_)) {
        along = std::max(along, 0.0);
        across = std::max(across, 0.0);
    }
    const Vec3 n = r2 > 0 ? Vec3(d.normalized()) : Vec3(Vec3::UnitX());
    const Mat3 H = across * Mat3::Identity() + (along - across) * n * n.transpose();
    out.hessian->block(out.hessian->slot(node_, node_)) += out.hessian_weight * H;
}

LabProblem squared_spring_problem()
{
    System system;
    system.mass = Mass(Vector::Constant(1, 0.5));
    system.potentials.push_back(std::make_unique<SquaredSpring>(0, 1e5));
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), exact_solves()),
        .start = {.t = 0, .x = Vec3(1.5, 0, 0), .v = Vec3(0, 10, 0)}};
}

} // namespace rubato
