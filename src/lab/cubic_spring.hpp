#pragma once

#include "dynamics/dissipation.hpp"
#include "lab/along_x.hpp"
#include "lab/problem.hpp"

namespace rubato {

/// P(x) = K (x^2/2 + x^4/4), force -K (x + x^3), lengths in metres (003 sec. 4).
struct CubicSpring {
    static constexpr std::string_view name = "cubic-spring";
    static constexpr EnergyKind kind = EnergyKind::elastic;
    static constexpr bool positive = false;

    double stiffness; ///< K_x [N/m]

    Jet2 at(double x) const
    {
        const double x2 = x * x;
        return {
            stiffness * (x2 / 2 + x2 * x2 / 4),
            stiffness * (x + x2 * x),
            stiffness * (1 + 3 * x2),
        };
    }
};

/// D(u) = K (u^2/2 + u^4/4), force -K (u + u^3), of one node along x (003 sec. 4). Not quadratic: half of
/// grad D(u) . u is not D(u).
class CubicDamper final : public Dissipation {
public:
    CubicDamper(Index node, double coefficient)
        : node_(node)
        , law_{coefficient}
    {
    }
    std::string_view name() const override { return "cubic-damper"; }
    void pattern(BlockPattern&) const override { }
    void freeze(const State&) override { }
    void add(const Vector& u, Assembly& out) override;

private:
    Index node_;
    CubicSpring law_; // the same polynomial, of velocity
};

/// The experiment of 003 Fig. 1: unit mass, K_x = 100, K_v = 1, from x = -1 at rest.
LabProblem cubic_spring_problem();

} // namespace rubato
