#include "suite/isa/decompositions_kernel.hpp"
