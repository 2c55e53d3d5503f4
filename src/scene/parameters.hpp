#pragma once

#include "scene/scene.hpp"
#include "simulation/journal.hpp"
#include "solvers/cpu_dynamics.hpp"

#include <map>
#include <string>

namespace rubato {

/// The parameters of a scene that can be changed between two steps: components of gravity, and the stiffness of
/// springs and attachments, under the paths that `--set` has for them.
class SceneParameters {
public:
    SceneParameters(const Scene& scene, CpuDynamics& dynamics);

    /// Gives a parameter another value and returns the one it had. Throws InputError.
    double set(const Edit& edit);

private:
    struct Parameter {
        std::string term, name; // as the term knows it
        double value; // now
        bool positive; // it has to be
    };
    CpuDynamics& dynamics_;
    std::map<std::string, Parameter> parameters_; // by path
};

} // namespace rubato
