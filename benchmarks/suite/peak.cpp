#include "suite/peak.hpp"

#include "base/processor.hpp"

// This file alone is compiled with -ffp-contract=fast: x m + c becomes one instruction where there is one.

namespace rubato {

namespace {

typedef double Eight __attribute__((vector_size(64)));

/// A one that the compiler does not know to be one.
[[gnu::always_inline]] inline Eight unknown_one()
{
    Eight one = Eight{} + 1.0;
    asm volatile("" : "+m"(one));
    return one;
}

template <int chains, bool fused>
[[gnu::always_inline]] inline double loop(long turns, double* result)
{
    const Eight m = unknown_one(), c = unknown_one();
    Eight x[chains];
    for (int i = 0; i < chains; ++i) x[i] = Eight{} + 0.1 * i;
    for (long k = 0; k < turns; ++k) {
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i) x[i] = fused ? x[i] * m + c : i % 2 == 0 ? x[i] * m : x[i] + c;
    }
    Eight sum{};
    for (int i = 0; i < chains; ++i) sum += x[i];
    for (int l = 0; l < 8; ++l) result[l] = sum[l];
    return (fused ? 2.0 : 1.0) * 8 * chains * static_cast<double>(turns);
}

constexpr int few = 6; // twelve of the sixteen registers of AVX2
constexpr int many = 12; // of the 32 of AVX-512

} // namespace

RUBATO_FOR_EVERY_PROCESSOR double fused_few(long turns, double* result) { return loop<few, true>(turns, result); }
RUBATO_FOR_EVERY_PROCESSOR double fused_many(long turns, double* result) { return loop<many, true>(turns, result); }
RUBATO_FOR_EVERY_PROCESSOR double apart_few(long turns, double* result) { return loop<few, false>(turns, result); }
RUBATO_FOR_EVERY_PROCESSOR double apart_many(long turns, double* result) { return loop<many, false>(turns, result); }

RUBATO_FOR_EVERY_PROCESSOR
void triad(double* a, const double* b, const double* c, long first, long last)
{
    for (long i = first; i < last; ++i) a[i] = b[i] + 3 * c[i];
}

} // namespace rubato
