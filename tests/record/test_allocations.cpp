#include "fixture.hpp"
#include "record/progress.hpp"
#include "record/stats.hpp"
#include "record/summary.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0; ///< calls of operator new by this thread

} // namespace

// Counting replacements for the whole executable.
void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace rubato::test {

TEST(ObserversOfEveryStep, AllocateNothing)
{
    Folder folder;
    StatsWriter stats(folder / "stats.csv", true);
    stats.begin();
    RunSummary summary({});
    std::size_t shown = 0;
    double now = 0;
    Progress progress({
        .end_time = 10,
        .terminal = true,
        .sink = [&](std::string_view text) { shown += text.size(); },
        .clock = [&] { return now += 0.2; }, // draws at every step
    });
    Moment moment;
    moment.outcome.alpha = 0.123456789;

    const long before = allocations;
    for (long i = 0; i < 2000; ++i) {
        moment.kinetic = 1.0 / static_cast<double>(i + 3);
        moment.wall = 0.01 * static_cast<double>(i);
        const StepRecord record = moment.record(i, static_cast<double>(i) / 30, 1.0 / 30);
        stats.step(record);
        summary.step(record);
        progress.step(record);
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(shown, 2000u);
    EXPECT_GT(stats.bytes(), 1u << 16) << "the buffer was emptied on the way";

    const std::string counted(100, 'x');
    EXPECT_GT(allocations, before) << "the count counts " << counted;
}

} // namespace rubato::test
