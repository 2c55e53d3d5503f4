#pragma once

#include "program.hpp"

#include <chrono>
#include <cstdint>
#include <sys/resource.h>
#include <thread>

namespace rubato {

/// What the program may take before it is ended. Far more than it needs where it is right: reached only by what waits
/// for ever, or fills the memory.
struct RunLimits {
    int seconds = 60;
    std::uint64_t memory = 0; ///< address space [bytes]; 0: any
};

class BoundedProgramTest : public ProgramTest {
protected:
    void SetUp() override
    {
        ProgramTest::SetUp();
        ::setenv("MALLOC_ARENA_MAX", "2", 1); // each thread would set address space aside
    }
    void TearDown() override
    {
        ::unsetenv("MALLOC_ARENA_MAX");
        ProgramTest::TearDown();
    }

    /// Status -9: it was ended.
    ProgramResult run_within(const RunLimits& limits, const std::vector<std::string>& arguments) const
    {
        const pid_t child = start_limited(limits.memory, arguments);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds);
        int status = 0;
        while (waitpid(child, &status, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() > end) kill(child, SIGKILL);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read(".out"), read(".err")};
    }

private:
    /// Limits are inherited: this process takes the lower ones for the moment in which it forks.
    pid_t start_limited(std::uint64_t memory, const std::vector<std::string>& arguments) const
    {
        if (memory == 0) return start(arguments);
        rlimit before{};
        getrlimit(RLIMIT_AS, &before);
        rlimit lower = before;
        lower.rlim_cur = memory;
        setrlimit(RLIMIT_AS, &lower);
        const pid_t child = start(arguments);
        setrlimit(RLIMIT_AS, &before);
        return child;
    }
};

} // namespace rubato
