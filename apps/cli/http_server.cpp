#include "http_server.hpp"

#include <algorithm>
#include <iterator>
#include <sys/socket.h>
#include <unistd.h>

namespace rubato::cli {

namespace {

constexpr std::size_t threads = 32;
constexpr std::size_t most_queued = 512;
constexpr std::chrono::milliseconds least_wait{100}; ///< that every connection is granted, however many others wait

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

HttpWorkers::Waiting::Waiting(HttpWorkers& workers)
    : workers_(workers)
{
    const std::lock_guard lock(workers_.mutex_);
    ticket_ = workers_.next_ticket_++;
    workers_.waiting_.insert(ticket_);
}

HttpWorkers::Waiting::~Waiting()
{
    const std::lock_guard lock(workers_.mutex_);
    workers_.waiting_.erase(ticket_);
}

bool HttpWorkers::Waiting::has_to_go() const
{
    const std::lock_guard lock(workers_.mutex_);
    if (workers_.ending_) return true;
    if (workers_.queue_.size() <= workers_.idle_) return false;
    if (std::chrono::steady_clock::now() - since_ < least_wait) return false;
    // As many may stay as are not needed.
    const auto place = std::distance(workers_.waiting_.begin(), workers_.waiting_.find(ticket_));
    return static_cast<std::size_t>(place) < workers_.queue_.size() - workers_.idle_;
}

HttpServer::HttpServer(const HttpLimits& limits)
    : limits_(limits)
{
    set_payload_max_length(limits_.body_bytes);
    new_task_queue = [this] { return workers_ = new HttpWorkers(threads); }; // the library deletes it
}

void HttpServer::let_more_wait() { ::listen(svr_sock_, SOMAXCONN); }

/// The library calls it for each connection, in a thread of the queue.
bool HttpServer::process_and_close_socket(socket_t socket)
{
    if (!HttpWorkers::refuses()) {
        HttpConnection connection(socket, limits_);
        serve(connection);
    }
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return true;
}

void HttpServer::serve(HttpConnection& connection)
{
    for (int left = limits_.requests; left > 0 && svr_sock_ != INVALID_SOCKET; --left) {
        HttpConnection::Head head{};
        {
            const HttpWorkers::Waiting waiting(*workers_);
            head = connection.wait_for_head([&] { return waiting.has_to_go() || svr_sock_ == INVALID_SOCKET; });
        }
        if (head == HttpConnection::Head::too_slow) connection.answer("408 Request Timeout");
        if (head == HttpConnection::Head::too_long) connection.answer("431 Request Header Fields Too Large");
        if (head != HttpConnection::Head::whole) return;
        bool closed = false;
        if (!process_request(connection, left == 1, closed, nullptr) || closed) return;
    }
}

} // namespace rubato::cli
