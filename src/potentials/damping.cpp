#include "potentials/damping.hpp"

namespace rubato {

void Drag::add(const Vector& u, Assembly& out)
{
    mass_.multiply(u, momentum_);
    if (out.value != nullptr) *out.value += out.value_weight * 0.5 * rate_ * u.dot(momentum_);
    if (out.gradient != nullptr) *out.gradient += out.gradient_weight * rate_ * momentum_;
    if (out.hessian != nullptr) mass_.add_to(*out.hessian, out.hessian_weight * rate_);
}

RayleighDamping::RayleighDamping(std::vector<Potential*> potentials, Index nodes, double coefficient)
    : potentials_(std::move(potentials))
    , coefficient_(coefficient)
{
    BlockPattern blocks(nodes);
    pattern(blocks);
    K_ = BlockMatrix(blocks);
}

void RayleighDamping::pattern(BlockPattern& pattern) const
{
    for (const Potential* potential : potentials_) potential->pattern(pattern);
}

void RayleighDamping::freeze(const State& now)
{
    K_.set_zero();
    Assembly sink{.hessian = &K_, .projected = true};
    for (Potential* potential : potentials_) potential->add(now.x, now.t, sink);
    K_.mirror();
}

void RayleighDamping::add(const Vector& u, Assembly& out)
{
    if (out.value != nullptr || out.gradient != nullptr) {
        K_.multiply(u, Ku_);
        if (out.value != nullptr) *out.value += out.value_weight * 0.5 * coefficient_ * u.dot(Ku_);
        if (out.gradient != nullptr) *out.gradient += out.gradient_weight * coefficient_ * Ku_;
    }
    if (out.hessian == nullptr) return;
    if (out.hessian->root_id() != slots_of_) {
        slots_.clear();
        for (Index i = 0; i < K_.rows(); ++i) {
            for (Index k = K_.row_begin()[static_cast<std::size_t>(i)];
                 k < K_.row_begin()[static_cast<std::size_t>(i) + 1]; ++k) {
                slots_.push_back(out.hessian->root_slot(i, K_.column()[static_cast<std::size_t>(k)]));
            }
        }
        slots_of_ = out.hessian->root_id();
    }
    const double weight = out.hessian_weight * coefficient_;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        out.hessian->block(out.hessian->from_root(slots_[k])) += weight * K_.block(static_cast<Index>(k));
    }
}

} // namespace rubato
