#pragma once

#include <map>
#include <string>
#include <vector>

/// What this machine is, and what it can do at best.
namespace rubato {

/// Processor, cores, caches, compiler, program: for people, and to tell files of different machines apart.
std::map<std::string, std::string> machine_description();

/// a = b + s c on arrays that together are several times the last cache: bytes read and written per second, 24 for each
/// number, as the STREAM benchmark counts them.
std::vector<double> triad_bandwidth(int threads, int repetitions);

/// Additions and multiplications of doubles per second, in registers: fused, or each by itself as the kernels of the
/// engine have them.
std::vector<double> peak_flops(int threads, int repetitions, bool fused);

} // namespace rubato
