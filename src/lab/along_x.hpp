#pragma once

#include "dynamics/potential.hpp"

#include <algorithm>
#include <limits>

namespace rubato {

/// Value, slope and curvature of a function of one coordinate.
struct Jet2 {
    double value, slope, curvature;
};

/// A potential p(x) of one node's first coordinate. A law is a small struct with
///
///     static constexpr std::string_view name;   static constexpr EnergyKind kind;
///     Jet2 at(double x) const;                  value +infinity where p is not defined
///     static constexpr bool positive;           p is defined for x > 0 only: a wall at 0 that nothing crosses
template <class Law>
class AlongX final : public Potential {
public:
    AlongX(Index node, Law law)
        : entry_(3 * Eigen::Index{node})
        , node_(node)
        , law_(law)
    {
    }
    std::string_view name() const override { return Law::name; }
    EnergyKind kind() const override { return Law::kind; }
    void pattern(BlockPattern&) const override { }

    void add(const Vector& x, double /*t*/, Assembly& out) override
    {
        const Jet2 p = law_.at(x[entry_]);
        if (out.value != nullptr) *out.value += out.value_weight * p.value;
        if (out.gradient != nullptr) (*out.gradient)[entry_] += out.gradient_weight * p.slope;
        if (out.hessian != nullptr) {
            const double curvature = out.projected.at(node_) ? std::max(p.curvature, 0.0) : p.curvature;
            out.hessian->block(out.hessian->slot(node_, node_))(0, 0) += out.hessian_weight * curvature;
        }
    }

    double max_step(const Vector& x, const Vector& p) const override
    {
        if (!Law::positive || p[entry_] >= 0) return std::numeric_limits<double>::infinity();
        return -x[entry_] / p[entry_];
    }

private:
    Eigen::Index entry_; // of the coordinate in x
    Index node_;
    Law law_;
};

} // namespace rubato
