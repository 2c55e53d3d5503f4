#pragma once

#include "control/energy_options.hpp"
#include "dynamics/energy_target.hpp"

#include <memory>
#include <vector>

namespace rubato {

/// A curve C(t) through given points, constant before the first and after the last:
///
///     E_0 = C(0),     E' = E + C(t') - C(t) + gained,     or E' = C(t') if the curve is absolute
///
/// An absolute curve asks for its energy whatever is injected or dissipated; the other one asks for changes.
class EnergyCurve final : public EnergyTarget {
public:
    enum class Interpolation {
        linear,
        smooth, ///< level at every point: r^2 (3 - 2 r) between two of them
    };
    EnergyCurve(std::vector<TimedValue> points, Interpolation interpolation, bool absolute); ///< values [J]
    static std::vector<OptionSpec> options();
    /// Throws InputError.
    static std::unique_ptr<EnergyTarget> make(const Options& options, const EnergyLevels& levels);
    /// Whether the curve is given in shares of H_0 - E_g.
    static bool needs_ground(const Options& options);

    double first(double H_0) const override;
    double next(double E, double t, double t_next, double gained) const override;

    double at(double t) const; ///< C(t) [J]

private:
    std::vector<TimedValue> points_;
    Interpolation interpolation_;
    bool absolute_;
};

} // namespace rubato
