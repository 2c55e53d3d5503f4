#include "suite/repeated.hpp"

#include "suite/clocks.hpp"

#include <benchmark/benchmark.h>

namespace rubato {

namespace {

constexpr double least_seconds = 0.05; // of a repetition

/// Takes what Google Benchmark measured, and prints nothing.
class Samples final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override
    {
        for (const Run& run : runs) {
            if (run.run_type == Run::RT_Iteration)
                seconds.push_back(run.cpu_accumulated_time / static_cast<double>(run.iterations));
        }
    }
    std::vector<double> seconds;
};

void initialise_once()
{
    static const bool once = [] {
        int count = 1;
        char name[] = "rubato-bench";
        char* arguments[] = {name, nullptr};
        benchmark::Initialize(&count, arguments);
        return true;
    }();
    static_cast<void>(once);
}

} // namespace

std::vector<double> processor_time(int repetitions, const std::function<void()>& work)
{
    initialise_once();
    benchmark::ClearRegisteredBenchmarks();
    benchmark::RegisterBenchmark("work",
        [&](benchmark::State& state) {
            for ([[maybe_unused]] auto turn : state) work();
        })
        ->Repetitions(repetitions)
        ->MinTime(least_seconds);
    Samples samples;
    benchmark::RunSpecifiedBenchmarks(&samples);
    benchmark::ClearRegisteredBenchmarks();
    return samples.seconds;
}

std::vector<double> processor_time_of_one(
    int repetitions, const std::function<void()>& prepare, const std::function<void()>& work)
{
    std::vector<double> seconds;
    for (int i = 0; i < repetitions; ++i) {
        prepare();
        const double began = processor_seconds();
        work();
        seconds.push_back(processor_seconds() - began);
    }
    return seconds;
}

void look_at(const void* result) { benchmark::DoNotOptimize(result); }

} // namespace rubato
