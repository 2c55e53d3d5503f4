#pragma once

#include <vector>

/// Statistics that a few slow repetitions, on a machine that has other things to do, cannot spoil.
namespace rubato {

double median(std::vector<double> samples); ///< NaN if there are none

/// 1.4826 times the median distance from the median: the standard deviation, where samples are normal [as the samples].
double spread(const std::vector<double>& samples);

/// Exact two-sided test of Mann and Whitney: how likely ranks as uneven as these are if both come from the same source.
/// Ties count half.
double rank_test(const std::vector<double>& a, const std::vector<double>& b);

/// The e with which y ~ x^e fits best: slope of the line of least squares through the logarithms. NaN for fewer than
/// two different x or for numbers that are not positive.
double power_law_exponent(const std::vector<double>& x, const std::vector<double>& y);

} // namespace rubato
