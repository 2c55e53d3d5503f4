#include "base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace rubato {

namespace {

constexpr double unlimited = 1e18;

/// The first number in a file of the system; `unlimited` if it has none ("max").
double number_in(const char* file)
{
    std::ifstream in(file);
    double value = 0;
    return in >> value ? value : unlimited;
}

/// The number behind a word; `unlimited` if the file does not have it.
double number_behind(const char* word, const char* file)
{
    std::ifstream in(file);
    std::string found;
    double value = 0;
    while (in >> found) {
        if (found == word && in >> value) return value;
    }
    return unlimited;
}

/// What a limit leaves; `unlimited` where there is none or the system does not say how much is used.
double left_of(double limit, double used)
{
    return limit < unlimited && used < unlimited ? std::max(0.0, limit - used) : unlimited;
}

/// Swap space that the machine and the control group (version 2) both leave.
double free_swap_in_control_group()
{
    const double machine = 1024 * number_behind("SwapFree:", "/proc/meminfo");
    const double group
        = left_of(number_in("/sys/fs/cgroup/memory.swap.max"), number_in("/sys/fs/cgroup/memory.swap.current"));
    const double least = std::min(machine, group);
    return least < unlimited ? least : 0;
}

/// Of a container: the files of its own control group lie at the root of what it sees, in version 2 or 1 of control
/// groups. What files take of the memory is given back when it is needed, so only the pages of programs count.
double free_in_control_group()
{
    const double second
        = left_of(number_in("/sys/fs/cgroup/memory.max"), number_behind("anon", "/sys/fs/cgroup/memory.stat"));
    const double first = left_of(number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        number_behind("total_rss", "/sys/fs/cgroup/memory/memory.stat"));
    return std::min(second + free_swap_in_control_group(), first);
}

double free_in_address_space()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    const double used = number_in("/proc/self/statm") * static_cast<double>(sysconf(_SC_PAGESIZE));
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

} // namespace

double free_on_machine(const char* meminfo)
{
    const double swap = number_behind("SwapFree:", meminfo);
    return 1024 * (number_behind("MemAvailable:", meminfo) + (swap < unlimited ? swap : 0));
}

double available_memory() { return std::min({free_on_machine(), free_in_control_group(), free_in_address_space()}); }

std::string bytes_text(double bytes)
{
    return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes / 1e6) : fmt::format("{:.3g} GB", bytes / 1e9);
}

std::string why_no_room(double bytes)
{
    const double free = available_memory();
    if (!(bytes > free)) return "";
    return fmt::format("needs about {} of memory, and {} are free", bytes_text(bytes), bytes_text(free));
}

} // namespace rubato
