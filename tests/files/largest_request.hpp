#pragma once

#include <cstddef>

namespace rubato {

/// The largest piece of memory asked for with operator new since the last call of forget_requests [bytes].
std::size_t largest_request();
void forget_requests();

} // namespace rubato
