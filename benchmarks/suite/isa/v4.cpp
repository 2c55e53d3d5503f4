#define RUBATO_ISA isa_v4
#include "suite/isa/decompositions_kernel.hpp"
