#pragma once

#include "record/frames.hpp"
#include "scene/build.hpp"

#include <vector>

namespace rubato {

/// What frames of a scene show besides positions and velocities: `stress`, the von Mises stress [Pa], where bodies have
/// one, and `contact`, the size of the force that contact exerts on a node [N], where things can touch. They ask the
/// potentials of the scene, which must stay where it is.
std::vector<NodeProbe> frame_probes(BuiltScene& built);

} // namespace rubato
