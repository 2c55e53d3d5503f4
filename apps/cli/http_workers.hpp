#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <httplib.h>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#undef _res // a macro of the system's headers, and a name in Eigen

namespace rubato::cli {

/// A fixed number of threads that take connections in turn. Where others wait, room comes from connections whose client
/// has yet to send something, the head of a request or more of a body: those whose request began first go first, so
/// that however many a client opens, one with a whole request is served. Where the queue is full, the one that came
/// first is closed.
class HttpWorkers final : public httplib::TaskQueue {
public:
    explicit HttpWorkers(std::size_t threads);

    void enqueue(std::function<void()> serve) override;
    void shutdown() override; ///< serves what waits, then ends
    bool ending() const;

    /// The place of a request in the order in which they go; drawn when the server begins to wait for it.
    struct Ticket {
        long number = 0;
        std::chrono::steady_clock::time_point since;
    };
    Ticket ticket();

    /// While it lives, the connection of this thread waits for its client.
    class Waiting {
    public:
        Waiting(HttpWorkers& workers, const Ticket& ticket);
        ~Waiting();
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;
        /// Whether the server ends, or others wait and this connection is among those that make room. `received`
        /// [bytes] grant it time, so that a large body that comes at a fair speed is read to its end.
        bool has_to_go(std::size_t received = 0) const;

    private:
        HttpWorkers& workers_;
        Ticket ticket_;
    };

    /// Whether the connection of this thread is to be closed unheard.
    static bool refuses();

private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    std::set<long> waiting_; ///< numbers of tickets, the oldest first
    long next_ticket_ = 0;
    std::size_t idle_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

} // namespace rubato::cli
