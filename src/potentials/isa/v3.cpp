#define RUBATO_ISA isa_v3
#include "potentials/isa/tet_lanes_tables.hpp"
