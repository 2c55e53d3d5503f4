#pragma once

#include "base/random.hpp"

#include <string>
#include <vector>

namespace rubato::fuzz {

/// A whole number below `count`.
inline std::size_t below(Random& random, std::size_t count)
{
    return count == 0 ? 0 : static_cast<std::size_t>(random.bits() % count);
}

template <class T>
const T& one_of(Random& random, const std::vector<T>& all)
{
    return all[below(random, all.size())];
}

/// Damages an input in a few places, as text or as bytes. `others`: inputs of the same kind, to take pieces from.
std::string mutated(std::string input, const std::vector<std::string>& others, Random& random);

} // namespace rubato::fuzz
