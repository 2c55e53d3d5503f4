#pragma once

#include "base/types.hpp"

#include <tbb/parallel_for.h>

#include <functional>
#include <vector>

/// Parallel loops whose results do not depend on the number of threads: every iteration writes its own place, and
/// sums are taken over blocks of fixed size in a fixed order. No floating-point atomics.
namespace rubato {

/// Upper bound on threads for all loops of this process; 0 means all cores. Call before the first loop.
void set_thread_count(int threads);
int thread_count();

/// The thread sanitizer sees nothing of how TBB synchronises, and would report every loop. Under it, loops run on plain
/// threads, so that what it does report is ours. Calls piece(first, last) for consecutive pieces of [0, n).
void for_pieces_on_plain_threads(Index n, Index grain, const std::function<void(Index, Index)>& piece);

/// Calls body(i) for i in [0, n). `grain` is the smallest piece worth handing to a thread.
template <class Body>
void parallel_for(Index n, const Body& body, Index grain = 64)
{
    if (n <= grain) {
        for (Index i = 0; i < n; ++i) body(i);
        return;
    }
#if defined(__SANITIZE_THREAD__)
    for_pieces_on_plain_threads(n, grain, [&](Index first, Index last) {
        for (Index i = first; i != last; ++i) body(i);
    });
#else
    tbb::parallel_for(tbb::blocked_range<Index>(0, n, grain), [&](const tbb::blocked_range<Index>& r) {
        for (Index i = r.begin(); i != r.end(); ++i) body(i);
    });
#endif
}

/// Sum of values[0..n) in blocks of 256, blocks added in order: the same bits for any number of threads.
double ordered_sum(const std::vector<double>& values);

} // namespace rubato
