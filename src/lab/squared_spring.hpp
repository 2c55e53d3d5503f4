#pragma once

#include "dynamics/potential.hpp"
#include "lab/problem.hpp"

namespace rubato {

/// P(x) = 1/2 k (|x|^2 - 1)^2, a squared Hookean spring from the origin (001 eq. 7), in space. The 1 is 1 m^2, so k is
/// in J/m^4; the paper says N/m.
class SquaredSpring final : public Potential {
public:
    SquaredSpring(Index node, double stiffness)
        : node_(node)
        , stiffness_(stiffness)
    {
    }
    std::string_view name() const override { return "squared-spring"; }
    EnergyKind kind() const override { return EnergyKind::elastic; }
    Invariance invariance() const override { return {.rotation = true}; }
    void pattern(BlockPattern&) const override { }
    void add(const Vector& x, double t, Assembly& out) override;

private:
    Index node_;
    double stiffness_; // [J/m^4]
};

/// The experiment of 001 Fig. 2 and 3: k = 1e5, 0.5 kg, stretched to 1.5 m, (0, 10, 0) m/s. Its energy is 78,150 J.
LabProblem squared_spring_problem();

} // namespace rubato
