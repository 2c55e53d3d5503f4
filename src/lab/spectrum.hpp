#pragma once

#include "dynamics/observer.hpp"
#include "lab/modes.hpp"

#include <vector>

namespace rubato {

/// Energies of modes, 1/2 (q'^2 + omega^2 q^2) with q = phi^T M u and u the displacement from X [J]. All modes together
/// have the kinetic energy and that of the linearised elasticity.
class ModalEnergies {
public:
    /// What the displacement is measured from.
    enum class Frame {
        fixed, ///< X as it stands
        following, ///< X turned and moved along with the body: what is left is its deformation (one free body)
    };

    /// The mass and the modes outlive this object.
    ModalEnergies(const Mass& mass, const Modes& modes, Vector X, Frame frame);

    void of(const State& state, Vector& energies); ///< one entry per mode [J]

private:
    void follow(const State& state); ///< writes u_, w_

    const Mass& mass_;
    const Modes& modes_;
    Vector X_;
    Frame frame_;
    double total_mass_ = 0; // [kg]
    Vec3 centre_ = Vec3::Zero(); // of mass, of X [m]
    Vector u_, w_, momentum_; // displacement, velocity in the frame, M times either
};

/// Takes the modal energies of every state of a run.
class SpectrumRecord final : public Observer {
public:
    explicit SpectrumRecord(ModalEnergies energies)
        : energies_(std::move(energies))
    {
    }
    void step(const StepRecord& record) override;

    const std::vector<double>& times() const { return times_; } ///< [s]
    const std::vector<Vector>& energies() const { return rows_; } ///< per time, per mode [J]
    /// Time mean of each mode's energy (trapezoidal rule) [J]; the start alone if there was no step.
    Vector mean() const;

private:
    ModalEnergies energies_;
    std::vector<double> times_;
    std::vector<Vector> rows_;
};

} // namespace rubato
