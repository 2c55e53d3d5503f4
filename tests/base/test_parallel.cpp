#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>

using namespace rubato;

namespace {

/// Restores the number of threads when a test ends.
struct Threads {
    explicit Threads(int n) { set_thread_count(n); }
    ~Threads() { set_thread_count(0); }
};

/// Numbers of very different size and sign: any other order of addition gives other bits.
std::vector<double> rough_values(std::size_t n)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-20, 20);
    std::vector<double> values(n);
    for (double& v : values) v = std::ldexp(mantissa(random), static_cast<int>(exponent(random)));
    return values;
}

} // namespace

TEST(ParallelFor, VisitsEveryIndexOnce)
{
    for (const Index n : {0, 1, 63, 64, 65, 1000, 100003}) {
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
        parallel_for(n, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
        for (std::size_t i = 0; i < visits.size(); ++i) ASSERT_EQ(visits[i], 1) << i << " of " << n;
    }
}

TEST(ParallelFor, HonoursTheGrain)
{
    std::vector<int> visits(10, 0);
    parallel_for(
        10, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; }, 1);
    EXPECT_EQ(visits, std::vector<int>(10, 1));
}

TEST(ParallelFor, PassesExceptionsOn)
{
    EXPECT_THROW(parallel_for(
                     1000,
                     [](Index i) {
                         if (i == 777) throw std::runtime_error("found");
                     },
                     8),
        std::runtime_error);
}

TEST(PlainThreads, CoverTheRangeInConsecutivePieces)
{
    for (const int threads : {1, 2, 7}) {
        const Threads limit(threads);
        for (const Index n : {1, 2, 64, 1000}) {
            std::vector<int> visits(static_cast<std::size_t>(n), 0);
            for_pieces_on_plain_threads(n, 1, [&](Index first, Index last) {
                for (Index i = first; i < last; ++i) ++visits[static_cast<std::size_t>(i)];
            });
            EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(n), 1)) << n << " on " << threads;
        }
    }
}

TEST(PlainThreads, PassExceptionsOn)
{
    const Threads limit(3);
    EXPECT_THROW(for_pieces_on_plain_threads(10, 1,
                     [](Index, Index last) {
                         if (last == 10) throw std::runtime_error("found");
                     }),
        std::runtime_error);
}

TEST(ThreadCount, IsWhatWasSet)
{
    {
        const Threads one(1);
        EXPECT_EQ(thread_count(), 1);
        set_thread_count(2);
        EXPECT_EQ(thread_count(), 2);
    }
    EXPECT_GE(thread_count(), 1);
}

TEST(ParallelFor, GivesTheSameBitsForAnyNumberOfThreads)
{
    const std::vector<double> in = rough_values(5000);
    const auto smoothed = [&](int threads) {
        const Threads limit(threads);
        std::vector<double> out(in.size());
        parallel_for(static_cast<Index>(in.size()), [&](Index i) {
            const auto k = static_cast<std::size_t>(i);
            out[k] = std::sin(in[k]) + in[(k + 1) % in.size()] / 3;
        });
        return ordered_sum(out);
    };
    const double one = smoothed(1);
    for (int threads : {2, 5, 16}) EXPECT_EQ(smoothed(threads), one) << threads << " threads";
}

TEST(OrderedSum, AddsEverythingAcrossBlockBoundaries)
{
    for (const std::size_t n : {0, 1, 255, 256, 257, 512, 1000}) {
        std::vector<double> values(n);
        for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i + 1);
        const auto count = static_cast<double>(n);
        EXPECT_EQ(ordered_sum(values), count * (count + 1) / 2) << n;
    }
}

TEST(OrderedSum, IsTheSumOfBlocksOf256InOrder)
{
    const std::vector<double> values = rough_values(1000);
    double expected = 0, plain = 0;
    for (std::size_t first = 0; first < values.size(); first += 256) {
        double part = 0;
        for (std::size_t i = first; i < std::min(values.size(), first + 256); ++i) part += values[i];
        expected += part;
    }
    for (double v : values) plain += v;
    EXPECT_EQ(ordered_sum(values), expected);
    EXPECT_NE(plain, expected) << "the sample does not tell orders of addition apart";
}
