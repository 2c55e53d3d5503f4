#include "dynamics/incremental_potential.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

IncrementalPotential::IncrementalPotential(System& system)
    : system_(system)
{
}

void IncrementalPotential::set_stage(const Stage& stage)
{
    x_tilde_ = stage.x_tilde;
    x_anchor_ = stage.x_anchor;
    tau_ = stage.tau;
    scale_ = stage.scale;
    t_ = stage.t;
    inertia_ = 1;
    region_ = nullptr;
    has_dissipation_ = stage.dissipative && !system_.dissipations.empty();

    // Prescribed unknowns: no inertia of their own, and u = (X - x_anchor)/tau is to be the script's velocity X'.
    const Prescription& script = system_.prescription;
    if (script.empty()) return;
    script.set_positions(t_, x_tilde_);
    u_.resize(x_tilde_.size());
    script.set_velocities(t_, u_);
    for (const Eigen::Index i : script.unknowns()) x_anchor_[i] = x_tilde_[i] - tau_ * u_[i];
}

void IncrementalPotential::set_static(double t, double regularisation, const Vector& x_ref)
{
    x_tilde_ = x_ref;
    tau_ = 0;
    scale_ = 1;
    t_ = t;
    inertia_ = regularisation;
    region_ = nullptr;
    has_dissipation_ = false;
    system_.prescription.set_positions(t_, x_tilde_);
}

double IncrementalPotential::value(const Vector& x, double enough)
{
    return evaluate(x, nullptr, nullptr, true, 0, nullptr, enough);
}

double IncrementalPotential::value_and_gradient(const Vector& x, Vector& g) { return evaluate(x, &g, nullptr, true); }

double IncrementalPotential::all(const Vector& x, Vector& g, BlockMatrix& H, Projected projected, double lift)
{
    return evaluate(x, &g, &H, projected, lift);
}

void IncrementalPotential::project_again(
    const Vector& x, BlockMatrix& H, const Projected& before, const Projected& now, double lift)
{
    evaluate(x, nullptr, &H, now, lift, &before);
}

/// With u_x = (x - x_anchor)/tau, K = grad^2 D(u):
///
///     g = M (x - x_tilde) + s grad P(x) + s (grad D(u) + K (u_x - u))
///     H = M + s grad^2 P(x) + s/tau K
void IncrementalPotential::linearise(const Vector& x, const Vector& u, Vector& g, BlockMatrix& H)
{
    g.setZero(x.size());
    H.set_zero();
    if (has_dissipation_) {
        Assembly dissipative{.gradient = &g,
            .hessian = &H,
            .gradient_weight = scale_,
            .hessian_weight = scale_ / tau_,
            .projected = false};
        for (const auto& dissipation : system_.dissipations) dissipation->add(u, dissipative);
        H.mirror();
        u_ = (x - x_anchor_) - tau_ * u;
        H.multiply(u_, momentum_); // s/tau K tau (u_x - u)
        g += momentum_;
    }
    offset_ = x - x_tilde_;
    system_.mass.multiply(offset_, momentum_);
    g += inertia_ * momentum_;
    if (inertia_ != 0) system_.mass.add_to(H, inertia_);
    Assembly conservative{
        .gradient = &g, .hessian = &H, .gradient_weight = scale_, .hessian_weight = scale_, .projected = false};
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(phase_of(*potential));
        potential->add(x, t_, conservative);
    }
    H.mirror();
    system_.prescription.set_zero(g);
}

double IncrementalPotential::evaluate(const Vector& x, Vector* g, BlockMatrix* H, Projected projected, double lift,
    const Projected* computed, double enough)
{
    // 1/2 ||x - x_tilde||^2_M
    offset_ = x - x_tilde_;
    system_.mass.multiply(offset_, momentum_);
    double value = 0.5 * inertia_ * offset_.dot(momentum_);
    if (g != nullptr) *g = inertia_ * momentum_;
    if (H != nullptr) {
        region_ != nullptr ? H->set_rows_zero(region_->nodes()) : H->set_zero();
        if (inertia_ != 0) system_.mass.add_to(*H, inertia_);
    }

    // s P(x, t)
    double* const wanted = computed == nullptr ? &value : nullptr;
    Assembly conservative{.value = wanted,
        .gradient = g,
        .hessian = H,
        .value_weight = scale_,
        .gradient_weight = scale_,
        .hessian_weight = scale_,
        .projected = projected,
        .lift = lift,
        .only = region_,
        .computed = computed};
    const auto add_potentials = [&](bool of_contact) {
        for (const auto& potential : system_.potentials) {
            if ((potential->kind() == EnergyKind::contact) != of_contact) continue;
            const PhaseClock clock(phase_of(*potential));
            potential->add(x, t_, conservative);
        }
    };
    add_potentials(false);

    // s tau D((x - x_anchor)/tau): a function of velocity, hence the weights
    if (has_dissipation_) {
        u_ = (x - x_anchor_) / tau_;
        Assembly dissipative{.value = wanted,
            .gradient = g,
            .hessian = H,
            .value_weight = scale_ * tau_,
            .gradient_weight = scale_,
            .hessian_weight = scale_ / tau_,
            .projected = projected,
            .lift = lift,
            .only = region_,
            .computed = computed};
        for (const auto& dissipation : system_.dissipations) dissipation->add(u_, dissipative);
    }

    // Contact comes last: it takes the longest to look for, and is never negative, not even by round-off.
    if (value > enough) return value;
    add_potentials(true);
    if (H != nullptr) region_ != nullptr ? H->mirror(region_->nodes()) : H->mirror();
    if (g != nullptr && region_ != nullptr) {
        whole_.swap(*g);
        g->setZero(whole_.size());
        for (const Index i : region_->nodes()) node(*g, i) = node(whole_, i);
    }
    if (g != nullptr) system_.prescription.set_zero(*g);
    return value;
}

void IncrementalPotential::prepare(const Vector& x, double reach)
{
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(phase_of(*potential));
        potential->prepare(x, reach);
    }
}

void IncrementalPotential::pattern_at(const Vector& x, BlockPattern& pattern)
{
    pattern.only_among(region_ != nullptr ? &region_->marked() : nullptr);
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(phase_of(*potential));
        potential->pattern_at(x, pattern);
    }
    if (!has_dissipation_) return;
    for (const auto& dissipation : system_.dissipations) dissipation->frozen_pattern(pattern);
}

double IncrementalPotential::max_step(const Vector& x, const Vector& p)
{
    double cap = std::numeric_limits<double>::infinity();
    for (const auto& potential : system_.potentials) {
        const PhaseClock clock(potential->kind() == EnergyKind::contact ? times_.ccd : times_.elasticity);
        if (cap <= 1) { // only that far: a long way passes by everything
            way_ = cap * p;
            cap *= std::min(1.0, potential->max_step(x, way_));
        } else {
            cap = std::min(cap, potential->max_step(x, p));
        }
    }
    return cap;
}

double& IncrementalPotential::phase_of(const Potential& potential)
{
    return potential.kind() == EnergyKind::contact ? times_.contact : times_.elasticity;
}

} // namespace rubato
