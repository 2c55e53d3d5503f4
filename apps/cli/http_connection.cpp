#include "http_connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

namespace rubato::cli {

namespace {

constexpr std::chrono::milliseconds glance{50}; ///< between two looks at whether to give up

/// Waits for an event of a socket: 1 when it came, 0 when it did not, -1 for an error.
int polled(socket_t socket, short events, std::chrono::milliseconds time)
{
    pollfd entry{.fd = socket, .events = events, .revents = 0};
    const int count = ::poll(&entry, 1, static_cast<int>(std::max<std::chrono::milliseconds::rep>(0, time.count())));
    if (count < 0) return errno == EINTR ? 0 : -1;
    return count;
}

} // namespace

int HttpConnection::receive(Clock::time_point until)
{
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    const int ready = polled(socket_, POLLIN, left);
    if (ready <= 0) return ready;
    std::array<char, 4096> piece;
    const ssize_t count = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (count <= 0) return -1;
    buffer_.erase(0, taken_);
    taken_ = 0;
    buffer_.append(piece.data(), static_cast<std::size_t>(count));
    received_ += static_cast<std::size_t>(count);
    return 1;
}

HttpConnection::Head HttpConnection::wait_for_head()
{
    constexpr std::string_view end = "\r\n\r\n";
    const Clock::time_point until = Clock::now() + limits_.head;
    const HttpWorkers::Waiting waiting(workers_, workers_.ticket());
    while (true) {
        const std::size_t found = buffer_.find(end, taken_);
        const bool whole = found != std::string::npos;
        const std::size_t length = (whole ? found + end.size() : buffer_.size()) - taken_;
        if (length > limits_.head_bytes) return Head::too_long;
        if (whole) {
            body_until_ = Clock::now() + limits_.body;
            body_ = workers_.ticket();
            received_ = 0;
            return Head::whole;
        }
        const Clock::time_point now = Clock::now();
        if (now >= until) return length == 0 ? Head::closed : Head::too_slow; // one at rest is closed without a word
        if (receive(std::min(until, now + glance)) < 0 || waiting.has_to_go()) return Head::closed;
    }
}

void HttpConnection::answer(const char* status)
{
    const std::string text = fmt::format(
        "HTTP/1.1 {}\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n", status);
    write(text.data(), text.size());
}

void HttpConnection::discard() const
{
    std::array<char, 4096> piece;
    for (int i = 0; i < 256 && ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT) > 0; ++i) continue;
}

bool HttpConnection::is_writable() const
{
    const Clock::time_point until = Clock::now() + limits_.write;
    while (true) {
        const int ready = polled(socket_, POLLOUT, glance);
        if (ready != 0) return ready > 0;
        if (Clock::now() >= until || workers_.ending()) return false;
    }
}

/// The library asks for more only while it reads a body.
ssize_t HttpConnection::read(char* out, size_t size)
{
    if (taken_ == buffer_.size()) {
        const HttpWorkers::Waiting waiting(workers_, body_);
        do {
            const Clock::time_point now = Clock::now();
            if (now >= body_until_) return -1;
            if (receive(std::min(body_until_, now + glance)) < 0) return 0;
            if (waiting.has_to_go(received_)) return -1;
        } while (taken_ == buffer_.size());
    }
    const std::size_t count = std::min(size, buffer_.size() - taken_);
    buffer_.copy(out, count, taken_);
    taken_ += count;
    return static_cast<ssize_t>(count);
}

ssize_t HttpConnection::write(const char* bytes, size_t size)
{
    while (true) {
        const ssize_t count = ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) return count;
        if (errno == EINTR) continue;
        if (errno != EAGAIN || !is_writable()) return -1;
    }
}

void HttpConnection::get_remote_ip_and_port(std::string& ip, int& port) const
{
    ip = "127.0.0.1"; // nobody else can reach us
    port = 0;
}

void HttpConnection::get_local_ip_and_port(std::string& ip, int& port) const { get_remote_ip_and_port(ip, port); }

} // namespace rubato::cli
