#include "http_workers.hpp"

#include <algorithm>
#include <iterator>

namespace rubato::cli {

namespace {

constexpr std::size_t most_queued = 512;
constexpr std::chrono::milliseconds least_wait{100}; ///< that every connection is granted, however many others wait
constexpr std::size_t fair_speed = 1 << 10; ///< of a body [bytes per millisecond]

thread_local bool refusing = false;

} // namespace

HttpWorkers::HttpWorkers(std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

bool HttpWorkers::refuses() { return refusing; }

void HttpWorkers::enqueue(std::function<void()> serve)
{
    std::function<void()> dropped;
    {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(serve));
        if (queue_.size() > most_queued) {
            dropped = std::move(queue_.front());
            queue_.pop_front();
        }
    }
    changed_.notify_one();
    if (!dropped) return;
    // The task owns the socket, so it has to run, if only to close it.
    refusing = true;
    dropped();
    refusing = false;
}

void HttpWorkers::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
        changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
        --idle_;
        if (queue_.empty()) return;
        const std::function<void()> serve = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        serve();
        lock.lock();
    }
}

void HttpWorkers::shutdown()
{
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

bool HttpWorkers::ending() const
{
    const std::lock_guard lock(mutex_);
    return ending_;
}

HttpWorkers::Ticket HttpWorkers::ticket()
{
    const std::lock_guard lock(mutex_);
    return {.number = next_ticket_++, .since = std::chrono::steady_clock::now()};
}

HttpWorkers::Waiting::Waiting(HttpWorkers& workers, const Ticket& ticket)
    : workers_(workers)
    , ticket_(ticket)
{
    const std::lock_guard lock(workers_.mutex_);
    workers_.waiting_.insert(ticket_.number);
}

HttpWorkers::Waiting::~Waiting()
{
    const std::lock_guard lock(workers_.mutex_);
    workers_.waiting_.erase(ticket_.number);
}

bool HttpWorkers::Waiting::has_to_go(std::size_t received) const
{
    const std::lock_guard lock(workers_.mutex_);
    if (workers_.ending_) return true;
    if (workers_.queue_.size() <= workers_.idle_) return false;
    const std::chrono::milliseconds granted = least_wait + std::chrono::milliseconds(received / fair_speed);
    if (std::chrono::steady_clock::now() - ticket_.since < granted) return false;
    // As many may stay as are not needed.
    const auto place = std::distance(workers_.waiting_.begin(), workers_.waiting_.find(ticket_.number));
    return static_cast<std::size_t>(place) < workers_.queue_.size() - workers_.idle_;
}

} // namespace rubato::cli
