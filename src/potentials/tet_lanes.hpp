#pragma once

#include "base/types.hpp"
#include "materials/all.hpp"

#include <string>
#include <vector>

/// Eight tetrahedra at once, on whatever vector registers the processor has.
namespace rubato {

constexpr int tets_at_once = 8;

/// What eight tetrahedra are asked, lane by lane in the last index.
struct TetLanesIn {
    const double* x; ///< positions of all nodes [m], three per node
    const Index (*nodes)[tets_at_once]; ///< [4]
    const double (*Dm_inv)[tets_at_once]; ///< [9] rows of the inverse rest edge matrix [1/m], one after the other
    const double* volume; ///< [m^3]
    bool wants_hessian;
    unsigned projected; ///< bits of the lanes whose stiffness is to be positive semidefinite
};

/// What they answer, element by element.
struct alignas(64) TetLanesOut {
    double blocks[tets_at_once][96]; ///< (0, 0), (0, 1), …, (3, 3) above the diagonal, columns first; six unused [N/m]
    double gradient[tets_at_once][16]; ///< four unused [N]
    double value[tets_at_once]; ///< [J]
    unsigned unusual; ///< bits of the lanes that are not computed: nearly flat, inverted, far out of scale, not finite
};

/// The functions of one material.
template <class Material>
struct TetLanes {
    void (*value)(const Material&, const TetLanesIn&, TetLanesOut&);
    void (*gradient)(const Material&, const TetLanesIn&, TetLanesOut&); ///< and Hessian if wanted
    /// Bits of the lanes whose volume might reach zero on the way from x to x + p.
    unsigned (*may_invert)(const TetLanesIn&, const double* p);
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
