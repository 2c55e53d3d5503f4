#include "base/factorisation_scope.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <malloc.h>

/// Counts every request to the heap while `counting`, from any thread, that does not come from inside the factorisation
/// library. The sanitizers bring an allocator of their own, so there is nothing to count under them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RB_COUNTS_ALLOCATIONS 0
#else
#define RB_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<long> requests{0};

#if RB_COUNTS_ALLOCATIONS
void count()
{
    if (counting.load(std::memory_order_relaxed) && !rubato::FactorisationScope::inside()) ++requests;
}
#endif

} // namespace

#if RB_COUNTS_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size)
{
    count();
    return __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size)
{
    count();
    return __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size)
{
    count();
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size)
{
    count();
    *out = __libc_memalign(alignment, size);
    return *out == nullptr ? ENOMEM : 0;
}
}
#endif

namespace rubato {
namespace {

/// Counts from the end of step `first` on.
class Counter final : public Observer {
public:
    explicit Counter(long first)
        : first_(first)
    {
    }
    ~Counter() override { counting = false; }
    void step(const StepRecord& record) override
    {
        if (record.step < first_) return;
        if (record.step == first_) {
            requests = 0;
            counting = true;
            return;
        }
        allocations += requests.exchange(0);
        ++steps;
    }

    long allocations = 0, steps = 0;

private:
    long first_;
};

Counter counted(const std::string& scene, const std::vector<Override>& overrides, int steps)
{
    BuiltScene built = rubato::built(scene_named(scene, overrides));
    Simulation simulation = built.simulation();
    Counter counter(10);
    simulation.observe(counter);
    simulation.run(built.step * steps);
    counting = false;
    return counter;
}

TEST(Allocation, IsSeenWhenThereIsOne)
{
    if (!RB_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the heap";
    requests = 0;
    counting = true;
    delete new volatile int(3);
    std::free(std::calloc(3, 5));
    counting = false;
    EXPECT_GE(requests.load(), 1);
}

TEST(Allocation, AStepOfTwistedBarAllocatesNothingAfterTheTenth)
{
    if (!RB_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the heap";
    const Counter counter = counted("twisted-bar", {}, 14);
    EXPECT_EQ(counter.steps, 4);
    EXPECT_EQ(counter.allocations, 0);
}

TEST(Allocation, NoIntegratorAllocatesAfterTheTenthStep)
{
    if (!RB_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer owns the heap";
    for (const IntegratorEntry& entry : integrator_catalog()) {
        for (const char* linear : {"cholesky", "conjugate-gradients"}) {
            const Counter counter = counted("hanging-bar",
                {{"integrator", entry.name, "test"}, {"solver.linear", linear, "test"}, {"time.step", "1e-4", "test"},
                    {"damping", R"([{"type": "drag", "rate": 1}, {"type": "rayleigh", "coefficient": 1e-3}])", "test"}},
                20);
            EXPECT_EQ(counter.steps, 10) << entry.name;
            EXPECT_EQ(counter.allocations, 0) << entry.name << " with " << linear;
        }
    }
}

} // namespace
} // namespace rubato
