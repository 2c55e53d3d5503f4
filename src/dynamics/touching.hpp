#pragma once

#include <algorithm>
#include <limits>

namespace rubato {

/// How much of a system touches, at one configuration.
struct Touching {
    long contacts = 0; ///< pairs of primitives that repel each other
    long candidates = 0; ///< pairs that were looked at
    double min_distance = std::numeric_limits<double>::infinity(); ///< of the closest pair [m]

    void add(const Touching& more)
    {
        contacts += more.contacts;
        candidates += more.candidates;
        min_distance = std::min(min_distance, more.min_distance);
    }
};

} // namespace rubato
