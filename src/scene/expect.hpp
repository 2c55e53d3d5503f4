#pragma once

#include "dynamics/observer.hpp"
#include "record/target_error.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <string>
#include <vector>

namespace rubato {

/// Watches a run for what the "expect" block of its scene asks.
class Expectations final : public Observer {
public:
    Expectations(const Scene& scene, const BuiltScene& built);

    void step(const StepRecord& record) override;

    /// One sentence for each expectation that the run did not meet.
    std::vector<std::string> unmet(const RunResult& result) const;

private:
    struct PlaceOfNodes {
        std::string key;
        std::vector<Index> nodes;
        Vec3 low, high; ///< [m]
    };

    Block expect_;
    std::vector<PlaceOfNodes> places_;
    std::vector<Tet> tets_;
    bool has_target_; ///< whether the integrator aims at one
    std::optional<double> ground_; ///< [J]
    TargetError target_error_;
    double first_ = 0, last_ = 0, peak_ = 0; ///< total energy [J]
    int most_newton_ = 0;
    Vector x_; ///< at the last step
};

} // namespace rubato
