#pragma once

#include "materials/arap.hpp"
#include "materials/corotated.hpp"
#include "materials/fixed_corotated.hpp"
#include "materials/isotropic.hpp"
#include "materials/neo_hookean.hpp"
#include "materials/st_venant_kirchhoff.hpp"
#include "materials/stable_neo_hookean.hpp"
#include "materials/symmetric_dirichlet.hpp"
#include "materials/symmetric_gradient.hpp"

/// The material catalog. A new material is one header and one line here; potentials and tests loop over the list.
namespace rubato {

/// All materials as the arguments of a variadic template.
template <template <class...> class List>
using MaterialsIn = List<
    // clang-format off
    Arap,
    Corotated,
    FixedCorotated,
    StVenantKirchhoff,
    NeoHookean,
    StableNeoHookean,
    SymmetricDirichlet,
    SymmetricGradient
    // clang-format on
    >;

namespace catalog_detail {

template <class... Materials>
struct Each {
    template <class F>
    static void call(F&& f)
    {
        (f.template operator()<Materials>(), ...);
    }
};

} // namespace catalog_detail

/// Calls f.template operator()<Material>() for every material, in the order above:
///
///     for_each_material([&]<class Material>() { names.push_back(Material::name); });
template <class F>
void for_each_material(F&& f)
{
    MaterialsIn<catalog_detail::Each>::call(f);
}

} // namespace rubato
