#include "heap/heap.hpp"

#include "base/factorisation_scope.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RB_COUNTS_THE_HEAP 0
#else
#define RB_COUNTS_THE_HEAP 1
#endif

namespace {

std::atomic<long> number{0}, bytes{0}, most{0};

#if RB_COUNTS_THE_HEAP
void* taken(void* block)
{
    if (!rubato::FactorisationScope::inside()) number.fetch_add(1, std::memory_order_relaxed);
    if (block == nullptr) return block;
    const auto size = static_cast<long>(malloc_usable_size(block));
    const long now = bytes.fetch_add(size, std::memory_order_relaxed) + size;
    for (long before = most.load(std::memory_order_relaxed);
         now > before && !most.compare_exchange_weak(before, now, std::memory_order_relaxed);) { }
    return block;
}

void given_back(void* block)
{
    if (block != nullptr) bytes.fetch_sub(static_cast<long>(malloc_usable_size(block)), std::memory_order_relaxed);
}
#endif

} // namespace

#if RB_COUNTS_THE_HEAP
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) { return taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size)); }
void free(void* block)
{
    given_back(block);
    __libc_free(block);
}
void* realloc(void* old, std::size_t size)
{
    given_back(old);
    void* const block = __libc_realloc(old, size);
    if (block == nullptr && size > 0) taken(old); // it stays as it was
    return taken(block);
}
void* memalign(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size)
{
    *out = taken(__libc_memalign(alignment, size));
    return *out == nullptr ? ENOMEM : 0;
}
}
#endif

namespace rubato::heap {

bool counts() { return RB_COUNTS_THE_HEAP != 0; }
long requests() { return number.load(); }
long held() { return bytes.load(); }
long most_held() { return most.load(); }
void forget_most() { most = bytes.load(); }

} // namespace rubato::heap
