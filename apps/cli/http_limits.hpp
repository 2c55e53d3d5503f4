#pragma once

#include <chrono>
#include <cstddef>

namespace rubato::cli {

/// How long and how much a client may take. The library bounds each read by itself, so that a byte now and then keeps
/// a connection for ever.
struct HttpLimits {
    std::chrono::milliseconds head{10'000}; ///< from the first wait to the end of the head of a request, all of it
    std::chrono::milliseconds body{60'000}; ///< of the body of a request, all of it
    std::chrono::milliseconds write{5'000}; ///< without any progress of an answer
    std::size_t head_bytes = 16 << 10;
    std::size_t body_bytes = 64 << 20; ///< a picture
    int requests = 100; ///< over one connection
};

} // namespace rubato::cli
