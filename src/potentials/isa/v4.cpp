#define RUBATO_ISA isa_v4
#include "potentials/isa/tet_lanes_tables.hpp"
