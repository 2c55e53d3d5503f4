#pragma once

#include "base/types.hpp"
#include "materials/all.hpp"
#include "potentials/batch_sums.hpp"

#include <string>
#include <vector>

/// Eight tetrahedra at once, on whatever vector registers the processor has.
namespace rubato {

inline constexpr int tets_at_once = 8;

/// What eight tetrahedra are asked, lane by lane in the last index.
struct TetLanesIn {
    const double* x; ///< positions of all nodes [m], three per node
    const Index (*nodes)[tets_at_once]; ///< [4]
    const double (*Dm_inv)[tets_at_once]; ///< [9] rows of the inverse rest edge matrix [1/m], one after the other
    const double* volume; ///< [m^3]
    bool wants_hessian;
    unsigned projected; ///< bits of the lanes whose stiffness is to be positive semidefinite
    double hessian_weight = 1; ///< by which blocks are multiplied
};

/// What they answer, element by element. Blocks (0, 0), (0, 1), …, (3, 3), on the diagonal and above, are numbered from
/// 0 to 9; the first eight of the nine numbers of each fill one line of the cache. TetParts tells what lies where.
struct alignas(64) TetLanesOut {
    static constexpr int blocks_of_one = 10;

    double block[16 * tets_at_once][8]; ///< columns first [N/m]
    double ninth[16 * tets_at_once]; ///< the last number of each
    double gradient[16 * tets_at_once]; ///< [N]
    double value[tets_at_once]; ///< [J]
    unsigned unusual; ///< bits of the lanes that are not computed: nearly flat, inverted, far out of scale, not finite

    double& entry(int element, int b, int k)
    {
        const int n = TetParts::block(element, b);
        return k < 8 ? block[n][k] : ninth[n];
    }
    const double* forces(int element) const { return gradient + TetParts::force(element, 0); } ///< three for each node
};

/// The functions of one material.
template <class Material>
struct TetLanes {
    void (*value)(const Material&, const TetLanesIn&, TetLanesOut&);
    void (*gradient)(const Material&, const TetLanesIn&, TetLanesOut&); ///< and Hessian if wanted
    /// Bits of the lanes whose volume might reach zero on the way from x to x + p.
    unsigned (*may_invert)(const TetLanesIn&, const double* p);
    /// matrix[9 place] += sum of blocks, whose numbers (TetParts) are the parts.
    void (*add_blocks)(const TetLanesOut&, const BatchSums::Batch&, double* matrix);
    /// gradient[3 place] += weight times sum of forces, which begin at the parts.
    void (*add_gradient)(const TetLanesOut&, const BatchSums::Batch&, double weight, double* gradient);
};

/// Kinds of processors whose code this one can run, the widest first: v4, v3 (levels of x86-64), baseline.
std::vector<std::string> tet_lanes_isas();

/// A TetLanes<Material> of one of them; empty: the widest.
const void* tet_lanes_table_for(const char* material, const std::string& isa);

template <class Material>
const TetLanes<Material>& tet_lanes(const std::string& isa = {})
{
    return *static_cast<const TetLanes<Material>*>(tet_lanes_table_for(Material::name, isa));
}

} // namespace rubato
