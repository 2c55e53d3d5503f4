#pragma once

#include "http_limits.hpp"

#include <chrono>
#include <functional>
#include <httplib.h>
#include <string>

#undef _res // a macro of the system's headers, and a name in Eigen

namespace rubato::cli {

/// One connection to a client. The head of a request is read here, as a whole and against the clock, before the library
/// sees any of it; then the library reads it from memory.
class HttpConnection final : public httplib::Stream {
public:
    enum class Head { whole, closed, too_slow, too_long };

    HttpConnection(socket_t socket, const HttpLimits& limits)
        : socket_(socket)
        , limits_(limits)
    {
    }

    /// Waits for the head of the next request. `give_up` is asked several times a second.
    Head wait_for_head(const std::function<bool()>& give_up);

    /// A short answer that the library has no part in.
    void answer(const char* status);

    bool is_readable() const override { return true; } // read waits by itself
    bool is_writable() const override;
    ssize_t read(char* out, size_t size) override;
    ssize_t write(const char* bytes, size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

private:
    using Clock = std::chrono::steady_clock;

    /// Adds what has come to the buffer: 1 for something, 0 for nothing until then, -1 for the end.
    int receive(Clock::time_point until);
    bool writable_within(std::chrono::milliseconds time) const;

    socket_t socket_;
    const HttpLimits& limits_;
    std::string buffer_; ///< what has come and was not yet taken
    std::size_t taken_ = 0; ///< of the buffer
    Clock::time_point body_until_;
};

} // namespace rubato::cli
