#include "potentials/isa/tet_lanes_tables.hpp"
