#include "base/parallel.hpp"
#include "contact_scenes/judged_run.hpp"

namespace rubato::test {
namespace {

/// A small ball that falls on the ground, spinning and sliding, and beside it a box on a moving plate.
std::string falling(std::string_view integrator, double step, const std::string& controller)
{
    return fmt::format(R"({{"time": {{"step": {}, "duration": 0.1, "controller": {}}}, "integrator": "{}",
        "bodies": [{}, {}],
        "obstacles": ["half-space", {{"type": "box", "name": "plate", "center": [0.5, 0.05, 0], "size": [0.3, 0.04, 0.3],
            "motion": {{"type": "oscillation", "amplitude": [0, 0.05, 0], "frequency": 5}}}}],
        "contact": {{"friction": 0.3}}}})",
        step, controller, integrator,
        body_text("ball", R"({"type": "ball", "radius": 0.1, "nodes": 60})", {0, 0.14, 0}, {1, -4, 0}, 1e5,
            R"(, "deform": [{"type": "stretch", "factors": [1.02, 0.97, 1]}])"),
        body_text(
            "box", R"({"type": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 1, 2]})", {0.5, 0.125, 0}, {0, 0, 0}));
}

std::vector<const char*> integrators(bool with_those_that_never_stop)
{
    std::vector<const char*> names;
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (with_those_that_never_stop || may_stop(entry)) names.push_back(entry.name.c_str());
    }
    return names;
}

class ContactOf : public testing::TestWithParam<const char*> { };

TEST_P(ContactOf, EveryStepIsCleanAndOnlyComputedEndPointsMayBeRefused)
{
    JudgedRun run(falling(GetParam(), 1.0 / 100, "\"fixed\""));
    run.run_as_far_as_possible(!may_stop(integrator_named(GetParam())));
}
INSTANTIATE_TEST_SUITE_P(AllIntegrators, ContactOf, testing::ValuesIn(integrators(true)), test_name);

class HalvedContactOf : public testing::TestWithParam<const char*> { };

TEST_P(HalvedContactOf, EveryStepIsClean)
{
    JudgedRun run(falling(GetParam(), 1.0 / 200, R"({"type": "halving", "max_halvings": 8})"));
    run.run_as_far_as_possible(!integrator_named(GetParam()).is_explicit);
    EXPECT_GT(run.simulation().steps(), 8);
}
INSTANTIATE_TEST_SUITE_P(CautiousIntegrators, HalvedContactOf, testing::ValuesIn(integrators(false)), test_name);

TEST(Contact, OfAnExplicitMethodAtShortStepsBounces)
{
    for (const char* method : {"symplectic-euler", "stormer-verlet"}) {
        JudgedRun run(falling(method, 2e-5, "\"fixed\""),
            {{"contact.stiffness", "2e3", "--set"}, {"time.duration", "0.015", "--set"}});
        run.run_cleanly();
    }
}

bool same_bits(const State& a, const State& b) { return a.t == b.t && a.x == b.x && a.v == b.v; }

TEST(Contact, DoesNotDependOnTheNumberOfThreads)
{
    for (const char* method : {"a-search", "bdf2", "blending"}) {
        std::optional<State> one;
        for (const int threads : {1, 2}) {
            set_thread_count(threads);
            JudgedRun run(falling(method, 1.0 / 100, "\"fixed\""), {{"bodies[0].mesh.nodes", "150", "--set"}});
            run.run_cleanly();
            if (!one) one = run.state();
            EXPECT_TRUE(same_bits(*one, run.state())) << method << " on " << threads << " threads";
        }
        set_thread_count(0);
    }
}

/// Contacts come and go on the way; nothing that is remembered of them may make a difference.
TEST(Contact, OfAResumedRunIsThatOfTheWholeRunWhereverItWasStopped)
{
    for (const char* method : {"a-search", "bdf2"}) {
        const std::string text = falling(method, 1.0 / 100, R"({"type": "halving", "max_halvings": 4})");
        JudgedRun whole(text);
        whole.run_cleanly();
        for (long stop = 1; stop < whole.simulation().steps(); ++stop) {
            JudgedRun first(text), second(text);
            std::atomic<bool> enough = false;
            first.watch = [&](const StepRecord& record) { enough = record.step == stop; };
            ASSERT_TRUE(first.simulation().run(first.scene().duration, &enough).interrupted);
            Archive saved;
            first.simulation().serialize(saved);
            Archive loaded(saved.bytes());
            second.simulation().serialize(loaded);
            ASSERT_TRUE(second.run().finished);
            EXPECT_TRUE(same_bits(whole.state(), second.state())) << method << " after step " << stop;
            EXPECT_EQ(whole.simulation().ledger().dissipated, second.simulation().ledger().dissipated);
            EXPECT_EQ(whole.simulation().ledger().injected, second.simulation().ledger().injected);
        }
    }
}

} // namespace
} // namespace rubato::test
