#pragma once

#include "http_connection.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <httplib.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace rubato::cli {

/// A fixed number of threads that take connections in turn. Connections that have not yet sent a request are where the
/// room comes from when others wait: those that have said nothing for longest go first, so that however many a client
/// opens, one with a request is served. Where the queue is full, the one that came first is closed.
class HttpWorkers final : public httplib::TaskQueue {
public:
    explicit HttpWorkers(std::size_t threads);

    void enqueue(std::function<void()> serve) override;
    void shutdown() override; ///< serves what waits, then ends

    /// A connection that waits for its next request, in the thread that serves it.
    class Waiting {
    public:
        explicit Waiting(HttpWorkers& workers);
        ~Waiting();
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;
        bool has_to_go() const; ///< others wait, and none of them for a request for longer

    private:
        HttpWorkers& workers_;
        long ticket_;
        std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    };

    /// Whether the connection of this thread is to be closed unheard.
    static bool refuses();

private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    std::set<long> waiting_; ///< tickets, the oldest first
    long next_ticket_ = 0;
    std::size_t idle_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

/// The library's server with our own handling of connections: each request has to come in time, as a whole.
class HttpServer final : public httplib::Server {
public:
    explicit HttpServer(const HttpLimits& limits);

    /// Call it after bind: the library lets five connections wait to be taken, and each more waits a second or longer.
    void let_more_wait();

private:
    bool process_and_close_socket(socket_t socket) override;
    void serve(HttpConnection& connection);

    HttpLimits limits_;
    HttpWorkers* workers_ = nullptr; ///< while it listens
};

} // namespace rubato::cli
