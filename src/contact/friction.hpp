#pragma once

#include "contact/contact_set.hpp"

namespace rubato {

/// Coulomb friction, smoothed and lagged (000 sec. 4.5, after Li et al. 2020): normal forces N and tangent planes are
/// those of the configuration where the step starts, and each contact dissipates D(u) = mu N f0(|u_t|), u_t the sliding
/// velocity.
class Friction final : public Dissipation {
public:
    /// stiffness: of the barrier [N/m]. `most_lags`: how often the normal forces are taken for one stage.
    Friction(std::shared_ptr<ContactSet> contacts, double stiffness, double speed, int most_lags)
        : contacts_(std::move(contacts))
        , kappa_(stiffness)
        , speed_(speed)
        , most_lags_(most_lags)
    {
    }
    std::string_view name() const override { return "friction"; }
    void pattern(BlockPattern&) const override { }
    void frozen_pattern(BlockPattern& pattern) const override;
    void freeze(const State& now) override;
    bool relag(const Vector& x, int solves) override;
    void add(const Vector& u, Assembly& out) override;

private:
    struct Sliding { // one contact as it was lagged
        int corners;
        std::array<Index, 4> node;
        std::array<double, 4> weight; // of the nodes' velocities in that of the gap
        Vec3 normal;
        double limit; // mu N [N]
        Index turning = -1; // of the side that is round and turns: see CollisionPart
        Vec3 last_slip = Vec3::Zero(); // where its Hessian was asked for [m/s]
        bool coming_to_rest = false; // judging by how the slip changed there
    };
    void lag(const Vector& x);
    Vec3 slip(const Sliding& s, const Vector& u) const;
    void add_turning(const Sliding& s, const Mat3& H, Assembly& out) const;

    std::shared_ptr<ContactSet> contacts_;
    double kappa_, speed_;
    int most_lags_;
    std::vector<Sliding> sliding_, last_sliding_;
    std::vector<Vec3> forces_, last_forces_; // limit * normal of all contacts at the nodes: what relagging compares
};

} // namespace rubato
