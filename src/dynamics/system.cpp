#include "dynamics/system.hpp"

#include <atomic>

namespace rubato {

std::uint64_t unused_id()
{
    static std::atomic<std::uint64_t> next{1};
    return next++;
}

} // namespace rubato
