#pragma once

#include <chrono>
#include <ctime>
#include <sys/resource.h>

namespace rubato {

/// Of all threads of this process [s]. What else the machine does hardly changes it.
inline double processor_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Most memory of this process so far [byte].
inline double peak_memory()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss); // Linux gives KiB
}

} // namespace rubato
