#pragma once

#include <csignal>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rubato::test {

enum class KillOutcome {
    killed, ///< in the middle of the work
    over, ///< the work has fewer system calls
    impossible, ///< processes may not be traced here
};

/// Does work in a process of its own that is killed as it enters its system call number `call` (0, 1, ...). Files
/// change in system calls only, so that all numbers in turn show every state of the files that a kill can leave. `work`
/// gets a function that it calls where the calls that count begin.
template <class Work>
KillOutcome killed_at_call(int call, const Work& work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        work([] {
            if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
            ::raise(SIGSTOP);
        });
        ::raise(SIGSTOP); // the end of the work
        ::_exit(0);
    }
    int status = 0;
    const auto next_stop = [&] { return ::waitpid(child, &status, __WALL) == child && WIFSTOPPED(status); };
    const auto end = [&](KillOutcome outcome) {
        ::kill(child, SIGKILL);
        while (!WIFEXITED(status) && !WIFSIGNALED(status) && ::waitpid(child, &status, __WALL) == child) { }
        return outcome;
    };
    if (!next_stop() || WSTOPSIG(status) != SIGSTOP) return end(KillOutcome::impossible);
    constexpr long tell_calls_apart = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
    if (::ptrace(PTRACE_SETOPTIONS, child, nullptr, tell_calls_apart) != 0) return end(KillOutcome::impossible);
    constexpr int at_call = SIGTRAP | 0x80; // on the way in and on the way out
    for (int stop = 0; stop <= 2 * call; ++stop) {
        ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
        if (!next_stop() || WSTOPSIG(status) != at_call) return end(KillOutcome::over);
    }
    return end(KillOutcome::killed);
}

} // namespace rubato::test
