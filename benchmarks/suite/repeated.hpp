#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rubato {

/// Processor time of one call of `work` [s], as often as wanted. Google Benchmark finds out how many calls one
/// repetition takes to be long enough for the clock.
std::vector<double> processor_time(int repetitions, const std::function<void()>& work);

/// The same for work that is long enough, or can be done only once: each repetition prepares it first, and that does
/// not count.
std::vector<double> processor_time_of_one(
    int repetitions, const std::function<void()>& prepare, const std::function<void()>& work);

/// Keeps the compiler from leaving out work whose result nobody looks at.
void look_at(const void* result);

} // namespace rubato
