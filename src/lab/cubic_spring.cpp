#include "lab/cubic_spring.hpp"

namespace rubato {

void CubicDamper::add(const Vector& u, Assembly& out)
{
    const Jet2 D = law_.at(u[3 * node_]);
    if (out.value != nullptr) *out.value += out.value_weight * D.value;
    if (out.gradient != nullptr) (*out.gradient)[3 * node_] += out.gradient_weight * D.slope;
    if (out.hessian != nullptr) {
        out.hessian->block(out.hessian->slot(node_, node_))(0, 0) += out.hessian_weight * D.curvature;
    }
}

LabProblem cubic_spring_problem()
{
    System system;
    system.mass = Mass(Vector::Ones(1));
    system.potentials.push_back(std::make_unique<AlongX<CubicSpring>>(0, CubicSpring{100}));
    system.dissipations.push_back(std::make_unique<CubicDamper>(0, 1));
    return {.dynamics = std::make_unique<CpuDynamics>(std::move(system), exact_solves()),
        .start = {.t = 0, .x = Vec3(-1, 0, 0), .v = Vec3::Zero()}};
}

} // namespace rubato
