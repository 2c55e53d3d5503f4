#pragma once

#include "record/stats_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace rubato {

/// How high the centre of mass rises after the first contact. Energy does not tell: it may be kept as vibration.
struct Bounces {
    struct Top {
        double time = 0; ///< [s]
        double rise = 0; ///< above the height at the first contact [m]
    };
    double contact_time = 0; ///< of the first contact [s]
    double drop = 0; ///< from the start to the first contact [m], > 0
    std::vector<Top> tops = {}; ///< of each flight, in the order of time

    double share(std::size_t bounce) const { return tops[bounce].rise / drop; } ///< of the drop
    double height() const; ///< sum of all rises: the larger, the more there is to see [m]

    /// "98, 96, 95 %", of the drop: at most five of them, the last one always; "none".
    std::string shares() const;
};

/// Of a table whose bodies weigh `weight` [N] together. A flight is a time without contact between the first contact
/// and the last row; hops lower than a hundredth of the drop do not count. Nothing if nothing falls on anything.
std::optional<Bounces> bounces(const StatsTable& table, double weight);

} // namespace rubato
