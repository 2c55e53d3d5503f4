#pragma once

namespace rubato {

/// A rule for what the total energy should be. It has no memory of its own: the ledger keeps where the target stands.
class EnergyTarget {
public:
    virtual ~EnergyTarget() = default;

    /// E_0 [J], from the total energy H_0 that the run starts with [J].
    virtual double first(double H_0) const = 0;

    /// The target at t_next, from the target E at t. `gained` [J] is what came in on purpose between the two, less what
    /// was taken out on purpose: injected - dissipated.
    virtual double next(double E, double t, double t_next, double gained) const = 0;
};

} // namespace rubato
