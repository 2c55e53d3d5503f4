#pragma once

#include <string>

namespace rubato {

/// Memory that this program may still take [bytes]: what the machine has free, what the control group it runs in is
/// allowed, what `ulimit -v` leaves; the least of them. Swap space counts as memory. A large number where the system
/// says nothing.
double available_memory();

/// What the machine has free, with its swap space, by a file like /proc/meminfo [bytes]. A large number where the file
/// does not say.
double free_on_machine(const char* meminfo = "/proc/meminfo");

/// "1.5 GB"
std::string bytes_text(double bytes);

/// Why something that will take so many bytes should not be begun: "needs about 12 GB of memory, and 8 GB are free".
/// Empty: it fits.
std::string why_no_room(double bytes);

} // namespace rubato
