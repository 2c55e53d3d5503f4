#pragma once

#include "potentials/isa/tet_lanes_kernel.hpp"

/// One table for each material, of this kind of processor. The tables are all that others see of this code.
namespace rubato {
inline namespace RUBATO_ISA {

template <class... Materials>
struct Tables {
    static const void* of(const char* name)
    {
        const void* found = nullptr;
        ((__builtin_strcmp(Materials::name, name) == 0 ? void(found = &lanes_of<Materials>) : void()), ...);
        return found;
    }
};

/// The TetLanes<Material> of the material with this name.
const void* tet_lanes_table(const char* name);
const void* tet_lanes_table(const char* name) { return MaterialsIn<Tables>::of(name); }

} // namespace RUBATO_ISA
} // namespace rubato
