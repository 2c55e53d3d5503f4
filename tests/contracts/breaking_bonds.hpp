#pragma once

#include "contracts/small_systems.hpp"

namespace rubato::small {

/// Bonds that hold like springs, and break for good when a step ends with them stretched too far:
/// P = sum over those that hold of 1/2 k (|x_a - x_b| - L)^2.
class BreakingBonds final : public Potential {
public:
    struct Bond {
        Index a, b; // nodes
        double k, L; // [N/m], [m]
        double longest; // at which it still holds [m]
        bool holds = true;
    };
    explicit BreakingBonds(std::vector<Bond> bonds)
        : bonds_(std::move(bonds))
    {
    }
    std::string_view name() const override { return "bonds"; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    Invariance invariance() const override { return {.translation = true, .rotation = true}; }
    void pattern(BlockPattern& pattern) const override
    {
        for (const Bond& bond : bonds_) pattern.add(bond.a, bond.b);
    }
    void add(const Vector& x, double, Assembly& out) override
    {
        for (const Bond& bond : bonds_) {
            if (!bond.holds) continue;
            const Vec3 d = node(x, bond.b) - node(x, bond.a);
            const double l = d.norm(), stretch = l - bond.L;
            const Vec3 n = d / l;
            if (out.value != nullptr) *out.value += out.value_weight * 0.5 * bond.k * stretch * stretch;
            if (out.gradient != nullptr) {
                node(*out.gradient, bond.b) += out.gradient_weight * bond.k * stretch * n;
                node(*out.gradient, bond.a) -= out.gradient_weight * bond.k * stretch * n;
            }
            if (out.hessian == nullptr) continue;
            const bool projected = out.projected.at(std::array{bond.a, bond.b});
            const double across = projected ? std::max(0.0, stretch / l) : stretch / l;
            const Mat3 along = n * n.transpose();
            const Mat3 K = out.hessian_weight * bond.k * (along + across * (Mat3::Identity() - along));
            out.hessian->block(out.hessian->slot(bond.a, bond.a)) += K;
            out.hessian->block(out.hessian->slot(bond.b, bond.b)) += K;
            out.hessian->block(out.hessian->slot(std::min(bond.a, bond.b), std::max(bond.a, bond.b))) -= K;
        }
    }

    bool remembers() const override { return true; }
    Accepted accept(const State& after) override
    {
        Accepted all;
        for (Bond& bond : bonds_) {
            const double l = (node(after.x, bond.b) - node(after.x, bond.a)).norm();
            if (!bond.holds || l <= bond.longest) continue;
            bond.holds = false;
            all.add({.forces = true, .dissipated = 0.5 * bond.k * (l - bond.L) * (l - bond.L)});
        }
        return all;
    }
    void serialize(Archive& archive) override
    {
        for (Bond& bond : bonds_) archive("bond.holds", bond.holds);
    }

    int holding() const
    {
        return static_cast<int>(std::count_if(bonds_.begin(), bonds_.end(), [](const Bond& b) { return b.holds; }));
    }

private:
    std::vector<Bond> bonds_;
};

/// Four nodes in a row that fly apart: the bonds between them break one after another, within a quarter of a second.
struct BreakingRow {
    BreakingRow()
    {
        System system;
        Vector mass(4);
        mass << 1.0, 0.7, 1.3, 0.9;
        system.mass = Mass(mass);
        auto made = std::make_unique<BreakingBonds>(
            std::vector<BreakingBonds::Bond>{{0, 1, 40, 1, 1.12}, {1, 2, 30, 1, 1.15}, {2, 3, 50, 1, 1.8}});
        bonds = made.get();
        system.potentials.push_back(std::move(made));
        const State start{.t = 0,
            .x = stacked({{0, 0, 0}, {1.02, 0, 0}, {2, 0, 0}, {3.01, 0, 0}}),
            .v = stacked({{-1.1, 0, 0}, {0.2, 0, 0}, {0.5, 0, 0}, {1.9, 0, 0}})};
        whole = problem(std::move(system), start, 1.0);
    }
    Problem whole;
    BreakingBonds* bonds = nullptr;
};

} // namespace rubato::small
