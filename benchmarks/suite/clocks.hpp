#pragma once

#include <chrono>
#include <ctime>
#include <fstream>
#include <string>

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

/// Most memory of this program so far [byte]. Not getrusage's: that counts what the process had before it became this
/// program, a copy of its parent.
inline double peak_memory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kib = 0;
        if (word == "VmHWM:" && status >> kib) return 1024 * kib;
    }
    return 0;
}

} // namespace rubato
