#pragma once

#include "http_limits.hpp"
#include "http_workers.hpp"

#include <chrono>
#include <httplib.h>
#include <string>

namespace rubato::cli {

/// One connection to a client. The head of a request is read here, as a whole and against the clock, before the library
/// sees any of it; then the library reads it from memory.
class HttpConnection final : public httplib::Stream {
public:
    enum class Head { whole, closed, too_slow, too_long };

    HttpConnection(socket_t socket, const HttpLimits& limits, HttpWorkers& workers)
        : socket_(socket)
        , limits_(limits)
        , workers_(workers)
    {
    }

    /// Waits for the head of the next request, unless the server ends or the connection has to make room.
    Head wait_for_head();

    /// A short answer that the library has no part in.
    void answer(const char* status);

    /// Throws away what has come and nobody read: to close a socket that holds something takes the answer back from a
    /// client that has not read it yet.
    void discard() const;

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

    socket_t socket_;
    const HttpLimits& limits_;
    HttpWorkers& workers_;
    std::string buffer_; ///< what has come and was not yet taken
    std::size_t taken_ = 0; ///< of the buffer
    Clock::time_point body_until_;
    HttpWorkers::Ticket body_; ///< drawn when the head was there
    std::size_t received_ = 0; ///< since then [bytes]
};

} // namespace rubato::cli
