#pragma once

#include "base/types.hpp"

#include <vector>

namespace rubato {

/// How the system would fall: the acceleration that gravity gives, and which nodes hang together.
struct FreeFall {
    Vector g; ///< of every unknown [m/s^2]; zero where a script holds it
    Vector mass; ///< of every node [kg]
    std::vector<Index> piece; ///< of every node: the piece it belongs to, joined by forces other than contact
    Index pieces = 0;
};

} // namespace rubato
