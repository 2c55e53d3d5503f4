#include "base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>

namespace rubato {

namespace {

std::unique_ptr<tbb::global_control> limit; // lives until the process ends or a new limit is set

} // namespace

void set_thread_count(int threads)
{
    limit.reset();
    if (threads > 0) {
        limit = std::make_unique<tbb::global_control>(
            tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
}

int thread_count()
{
    const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return static_cast<int>(allowed);
}

void for_pieces_on_plain_threads(Index n, Index grain, const std::function<void(Index, Index)>& piece)
{
    const Index count = std::clamp((n + grain - 1) / grain, 1, thread_count());
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(count));
    std::vector<std::thread> threads;
    const auto run = [&](Index k) {
        try {
            piece(
                static_cast<Index>(std::int64_t{n} * k / count), static_cast<Index>(std::int64_t{n} * (k + 1) / count));
        } catch (...) {
            thrown[static_cast<std::size_t>(k)] = std::current_exception();
        }
    };
    for (Index k = 1; k < count; ++k) threads.emplace_back(run, k);
    run(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& e : thrown) {
        if (e) std::rethrow_exception(e);
    }
}

double ordered_sum(const std::vector<double>& values)
{
    constexpr std::size_t block = 256;
    double sum = 0;
    for (std::size_t first = 0; first < values.size(); first += block) {
        const std::size_t last = std::min(values.size(), first + block);
        double part = 0;
        for (std::size_t i = first; i < last; ++i) part += values[i];
        sum += part;
    }
    return sum;
}

} // namespace rubato
