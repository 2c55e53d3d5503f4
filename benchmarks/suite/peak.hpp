#pragma once

/// Loops that do nothing but what they are to measure.
namespace rubato {

/// Sums of products in vector registers. `turns` rounds; writes eight numbers, so that nothing is left out, and returns
/// how many additions and multiplications it did.
using PeakLoop = double (*)(long turns, double* result);

/// With few and with many sums at a time: how many the processor has registers for differs. Fused multiply-add.
double fused_few(long turns, double* result);
double fused_many(long turns, double* result);
/// Products and sums by themselves.
double apart_few(long turns, double* result);
double apart_many(long turns, double* result);

/// a = b + 3 c
void triad(double* a, const double* b, const double* c, long first, long last);

} // namespace rubato
