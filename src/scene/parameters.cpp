#include "scene/parameters.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace rubato {

SceneParameters::SceneParameters(const Scene& scene, CpuDynamics& dynamics)
    : dynamics_(dynamics)
{
    const Vec3& g = scene.root.options.vec3("gravity");
    for (int axis = 0; axis < 3 && !g.isZero(0); ++axis) {
        parameters_[fmt::format("gravity[{}]", axis)] = {"gravity", std::string(1, "xyz"[axis]), g[axis], false};
    }
    for (const char* term : {"springs", "attachments"}) {
        const std::vector<Block>& blocks = scene.root.list(term);
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            parameters_[fmt::format("{}[{}].stiffness", term, i)]
                = {term, fmt::format("stiffness[{}]", i), blocks[i].options.real("stiffness"), true};
        }
    }
}

double SceneParameters::set(const Edit& edit)
{
    const auto mistake = [&](std::string message) {
        return InputError(
            Mistake{.key = edit.path, .value = fmt::format("{:g}", edit.value), .message = std::move(message)});
    };
    const auto found = parameters_.find(edit.path);
    if (found == parameters_.end()) {
        std::vector<std::string> paths;
        for (const auto& [path, parameter] : parameters_) paths.push_back(path);
        throw mistake(paths.empty() ? "this scene has nothing that can be changed while it runs"
                                    : fmt::format("can be changed while it runs: {}", fmt::join(paths, ", ")));
    }
    Parameter& parameter = found->second;
    if (!std::isfinite(edit.value) || (parameter.positive && edit.value <= 0)) {
        throw mistake(parameter.positive ? "must be > 0" : "must be finite");
    }
    bool taken = false;
    for (const auto& potential : dynamics_.system().potentials) {
        if (potential->name() == parameter.term) taken = potential->set(parameter.name, edit.value) || taken;
    }
    if (!taken) throw mistake("is not part of what moves");
    dynamics_.parameters_changed();
    return std::exchange(parameter.value, edit.value);
}

} // namespace rubato
