#pragma once

#include <chrono>
#include <cstddef>

namespace rubato::cli {

/// How long and how much a client may take. The times of head and body are of all of it: the library's own bound each
/// read alone, and a byte now and then would keep a connection for ever.
struct HttpLimits {
    std::chrono::milliseconds head{10'000}; ///< from the first wait to the end of the head of a request
    std::chrono::milliseconds body{60'000}; ///< of a request
    std::chrono::milliseconds write{5'000}; ///< without any progress of an answer
    std::size_t head_bytes = 16 << 10;
    std::size_t body_bytes = 1 << 20; ///< of a request; what takes pictures needs more
    int requests = 100; ///< over one connection
};

} // namespace rubato::cli
