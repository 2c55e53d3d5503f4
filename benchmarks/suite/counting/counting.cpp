// This file alone finds the lanes that lanes.cmake wrote in place of src/math/lanes.hpp.
#define RUBATO_ISA isa_counting
#include "potentials/isa/tet_lanes_tables.hpp"
#include "suite/flops.hpp"

namespace rubato {

const void* counting_table(const char* material) { return isa_counting::tet_lanes_table(material); }

double counted_flops()
{
    const double count = static_cast<double>(isa_counting::flops);
    isa_counting::flops = 0;
    return count;
}

} // namespace rubato
