#pragma once

#include "record/bounces.hpp"

#include <optional>
#include <string>
#include <vector>

namespace rubato {

/// A moment that is worth a picture.
struct TellingMoment {
    double time = 0; ///< [s]
    std::string words = {}; ///< what happens then; empty: nothing special
};

/// `count` moments from 0 to `end` [s]: the start, the first contact and the tops of bounces, as many as there is room
/// for, then the end and what lies in the middle of the longest gaps. Even steps in time would show a body that bounces
/// at whatever height it happens to have.
std::vector<TellingMoment> telling_moments(const std::optional<Bounces>& bounces, double end, std::size_t count);

} // namespace rubato
