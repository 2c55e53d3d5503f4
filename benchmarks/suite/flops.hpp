#pragma once

#include "potentials/tet_lanes.hpp"

/// Floating-point operations that the vector kernels carry out for one element: additions, subtractions,
/// multiplications, divisions and square roots, each counted as one. The kernels themselves are compiled with numbers
/// that count (counting/lanes.cmake makes them of src/math/lanes.hpp), so nothing is estimated; what a lane does while
/// it waits for the others in the sweeps of a singular value decomposition is counted, too.
namespace rubato {

/// A TetLanes<Material> that counts.
const void* counting_table(const char* material);

template <class Material>
const TetLanes<Material>& counting_lanes()
{
    return *static_cast<const TetLanes<Material>*>(counting_table(Material::name));
}

/// Operations in every lane since the last call.
double counted_flops();

} // namespace rubato
