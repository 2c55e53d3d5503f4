#include "heap/heap.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace rubato {
namespace {

/// Counts from the end of step `first` on.
class Counter final : public Observer {
public:
    explicit Counter(long first)
        : first_(first)
    {
    }
    void step(const StepRecord& record) override
    {
        if (record.step < first_) return;
        if (record.step == first_) {
            before_ = heap::requests();
            return;
        }
        allocations += heap::requests() - before_;
        before_ = heap::requests();
        ++steps;
    }

    long allocations = 0, steps = 0;

private:
    long first_, before_ = 0;
};

Counter counted(const std::string& scene, const std::vector<Override>& overrides, int steps)
{
    BuiltScene built = rubato::built(scene_named(scene, overrides));
    Simulation simulation = built.simulation();
    Counter counter(10);
    simulation.observe(counter);
    simulation.run(built.step * steps);
    return counter;
}

TEST(Allocation, IsSeenWhenThereIsOne)
{
    if (!heap::counts()) GTEST_SKIP() << "a sanitizer owns the heap";
    const long before = heap::requests();
    delete new volatile int(3);
    std::free(std::calloc(3, 5));
    EXPECT_GE(heap::requests(), before + 1);
}

TEST(Allocation, AStepOfTwistedBarAllocatesNothingAfterTheTenth)
{
    if (!heap::counts()) GTEST_SKIP() << "a sanitizer owns the heap";
    const Counter counter = counted("twisted-bar", {}, 14);
    EXPECT_EQ(counter.steps, 4);
    EXPECT_EQ(counter.allocations, 0);
}

TEST(Allocation, NoIntegratorAllocatesAfterTheTenthStep)
{
    if (!heap::counts()) GTEST_SKIP() << "a sanitizer owns the heap";
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
