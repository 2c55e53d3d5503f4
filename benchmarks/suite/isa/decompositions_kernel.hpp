#pragma once

#include "potentials/isa/svd3_lanes.hpp"

/// The decomposition of eight matrices, for each kind of processor as src/potentials/isa compiles it.
namespace rubato {
inline namespace RUBATO_ISA {

/// F: nine numbers of eight matrices, the lane last. Adds up what it finds in `sums`, so that nothing is left out.
void decompose_eight(const double (*F)[8], double* sums);
void decompose_eight(const double (*F)[8], double* sums)
{
    Square<Lanes> matrix;
    for (int i = 0; i < 9; ++i) __builtin_memcpy(&matrix(i % 3, i / 3), F[i], sizeof(Lanes));
    Svd3Lanes svd;
    svd3(matrix, svd);
    const Lanes sum = svd.sigma.sum() + svd.U.col(0)[0] + svd.V.col(0)[0];
    for (int l = 0; l < lane_count; ++l) sums[l] += sum.at[l];
}

} // namespace RUBATO_ISA
} // namespace rubato
