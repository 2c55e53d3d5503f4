#pragma once

#include "dynamics/dissipation.hpp"
#include "dynamics/mass.hpp"
#include "dynamics/potential.hpp"

#include <vector>

namespace rubato {

/// Mass-proportional drag: D(u) = 1/2 rate u^T M u, force -rate M u (004 sec. 4.2, first model).
class Drag final : public Dissipation {
public:
    Drag(const Mass& mass, double rate) ///< rate [1/s]
        : mass_(mass)
        , rate_(rate)
    {
    }
    std::string_view name() const override { return "drag"; }
    void pattern(BlockPattern& pattern) const override { mass_.pattern(pattern); }
    void freeze(const State&) override { }
    void add(const Vector& u, Assembly& out) override;

private:
    Mass mass_;
    double rate_;
    Vector momentum_;
};

/// Lagged Rayleigh damping (004 sec. 4.2): D(u) = 1/2 k u^T K(x_n) u with K the projected Hessian of the given
/// potentials where the step starts. k [s].
class RayleighDamping final : public Dissipation {
public:
    /// The potentials outlive this object (they belong to the same System).
    RayleighDamping(std::vector<Potential*> potentials, Index nodes, double coefficient);
    std::string_view name() const override { return "rayleigh"; }
    void pattern(BlockPattern& pattern) const override;
    void freeze(const State& now) override;
    void add(const Vector& u, Assembly& out) override;

private:
    std::vector<Potential*> potentials_;
    double coefficient_;
    BlockMatrix K_;
    std::vector<Index> slots_; // of K's blocks in the root pattern of the system's matrix
    std::uint64_t slots_of_ = 0; // root_id the slots belong to
    Vector Ku_;
};

} // namespace rubato
