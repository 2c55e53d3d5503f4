#include "http_server.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace rubato::cli {

namespace {

constexpr std::size_t threads = 32;

/// Whether the answer that this thread gave last was the last one over its connection.
thread_local bool closing = false;

/// Closes a connection whatever happens to it.
class OwnedSocket {
public:
    explicit OwnedSocket(socket_t socket)
        : socket_(socket)
    {
    }
    ~OwnedSocket()
    {
        ::shutdown(socket_, SHUT_RDWR);
        ::close(socket_);
    }
    OwnedSocket(const OwnedSocket&) = delete;
    OwnedSocket& operator=(const OwnedSocket&) = delete;

private:
    socket_t socket_;
};

/// Whether the head was all of a request, for certain. What is left of any other would be read as the next request: a
/// page elsewhere, which may post anything but not read the answer, could ask in the name of nobody.
bool ends_with_head(const httplib::Request& request)
{
    return (request.method == "GET" || request.method == "HEAD") && !request.has_header("Content-Length")
        && !request.has_header("Transfer-Encoding");
}

/// The library calls it before it writes any answer, also to what it could not read as a request.
void close_where_something_may_be_left(const httplib::Request& request, httplib::Response& response)
{
    closing = response.status >= 400 || !ends_with_head(request);
    if (!closing) return;
    response.headers.erase("Keep-Alive");
    response.headers.erase("Connection");
    response.set_header("Connection", "close");
}

} // namespace

HttpServer::HttpServer(const HttpLimits& limits)
    : limits_(limits)
{
    set_payload_max_length(limits_.body_bytes);
    // It waits by itself (HttpConnection): these are what the library announces.
    set_keep_alive_max_count(static_cast<std::size_t>(limits_.requests));
    set_keep_alive_timeout(std::chrono::floor<std::chrono::seconds>(limits_.head).count());
    set_post_routing_handler(close_where_something_may_be_left);
    set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        response.status = 500; // without its text, which may name files
    });
    new_task_queue = [this] { return workers_ = new HttpWorkers(threads); }; // the library deletes it
}

void HttpServer::let_more_wait() { ::listen(svr_sock_, SOMAXCONN); }

/// The library calls it for each connection, in a thread of the queue.
bool HttpServer::process_and_close_socket(socket_t socket)
{
    const OwnedSocket owned(socket);
    if (HttpWorkers::refuses()) return true;
    try {
        HttpConnection connection(socket, limits_, *workers_);
        serve(connection);
        connection.discard();
    } catch (...) {
        // The library writes answers outside of its own `try`. Nothing that one request brings about may end the
        // server, and the client sees that its connection is closed.
    }
    return true;
}

void HttpServer::serve(HttpConnection& connection)
{
    for (int left = limits_.requests; left > 0 && svr_sock_ != INVALID_SOCKET; --left) {
        const HttpConnection::Head head = connection.wait_for_head();
        if (head == HttpConnection::Head::too_slow) connection.answer("408 Request Timeout");
        if (head == HttpConnection::Head::too_long) connection.answer("431 Request Header Fields Too Large");
        if (head != HttpConnection::Head::whole) return;
        bool closed = false;
        const auto without_ranges = [](httplib::Request& request) { request.ranges.clear(); };
        if (!process_request(connection, left == 1, closed, without_ranges) || closed || closing) return;
    }
}

} // namespace rubato::cli
