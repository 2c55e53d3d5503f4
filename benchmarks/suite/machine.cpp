#include "suite/machine.hpp"

#include "potentials/tet_lanes.hpp"
#include "suite/clocks.hpp"
#include "suite/peak.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>
#include <unistd.h>

namespace rubato {

namespace {

constexpr double times_of_cache = 4; // three arrays together against the last cache
constexpr double usual_cache = 32 << 20; // where the system does not say [byte]

/// "model name" of /proc/cpuinfo; empty where there is none.
std::string processor_name()
{
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(':') + 2, line.size()));
    }
    return "unknown";
}

double last_cache() ///< [byte]
{
#if defined(_SC_LEVEL3_CACHE_SIZE)
    const long size = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (size > 0) return static_cast<double>(size);
#endif
    return usual_cache;
}

/// Does piece(k) for k below `threads` at the same time and returns what that took: processor time of one, wall-clock
/// time of several.
double seconds_of(int threads, const std::function<void(int)>& piece)
{
    if (threads == 1) {
        const double began = processor_seconds();
        piece(0);
        return processor_seconds() - began;
    }
    const double began = wall_seconds();
    std::vector<std::thread> all;
    for (int k = 0; k < threads; ++k) all.emplace_back(piece, k);
    for (std::thread& thread : all) thread.join();
    return wall_seconds() - began;
}

} // namespace

std::map<std::string, std::string> machine_description()
{
    return {{"processor", processor_name()}, {"cores", std::to_string(std::thread::hardware_concurrency())},
        {"last cache", fmt::format("{:.0f} MiB", last_cache() / (1 << 20))},
        {"vectors", fmt::format("{}", fmt::join(tet_lanes_isas(), ", "))},
        {"compiler", fmt::format("GCC {}", __VERSION__)}, {"program", "rubato " RUBATO_VERSION}};
}

std::vector<double> triad_bandwidth(int threads, int repetitions)
{
    const auto count = static_cast<long>(times_of_cache / 3 * last_cache() / sizeof(double));
    const auto size = static_cast<std::size_t>(count);
    const auto a = std::make_unique<double[]>(size), b = std::make_unique<double[]>(size),
               c = std::make_unique<double[]>(size);
    const auto piece = [&](int k) { triad(a.get(), b.get(), c.get(), k * count / threads, (k + 1) * count / threads); };
    std::vector<double> out;
    piece(0); // pages are there
    for (int i = 0; i < repetitions; ++i)
        out.push_back(3 * sizeof(double) * static_cast<double>(count) / seconds_of(threads, piece));
    return out;
}

std::vector<double> peak_flops(int threads, int repetitions, bool fused)
{
    constexpr long turns = 4'000'000;
    const auto rate = [&](PeakLoop loop) {
        double operations = 0;
        const double seconds = seconds_of(threads, [&](int k) {
            double result[8];
            const double done = loop(turns, result);
            if (k == 0) operations = done;
        });
        return threads * operations / seconds;
    };
    std::vector<double> out;
    for (int i = 0; i < repetitions; ++i)
        out.push_back(std::max(rate(fused ? fused_few : apart_few), rate(fused ? fused_many : apart_many)));
    return out;
}

} // namespace rubato
