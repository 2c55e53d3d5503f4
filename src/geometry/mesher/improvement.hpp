#pragma once

#include "geometry/mesher/working_mesh.hpp"
#include "geometry/mesher/zero_set.hpp"

#include <functional>

namespace rubato::mesher {

/// Smooths nodes and changes tetrahedra, worst first, until no dihedral angle is below `goal` degrees (or as large as
/// weighs the same) or nothing helps any more. Always in the same order, so that the outcome is always the same.
void improve(WorkingMesh& mesh, const ZeroSet& surface, double goal, int passes,
    const std::function<void(double)>& progress = {});

} // namespace rubato::mesher
