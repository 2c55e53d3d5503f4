#define RUBATO_ISA isa_v3
#include "suite/isa/decompositions_kernel.hpp"
