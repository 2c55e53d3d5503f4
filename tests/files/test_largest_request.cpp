/// Replaces operator new of this program by one that remembers the largest request. In a file of its own, so that the
/// compiler does not inline one half of a pair of new and delete.

#include "files/largest_request.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> largest = 0;
}

void* operator new(std::size_t size)
{
    if (size > largest) largest = size;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept // std::stable_sort asks so
{
    if (size > largest) largest = size;
    return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace rubato {

std::size_t largest_request() { return largest; }

void forget_requests() { largest = 0; }

} // namespace rubato
