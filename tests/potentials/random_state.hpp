#pragma once

#include "base/types.hpp"

#include <random>

namespace rubato {

/// A vector of `size` numbers, uniform in [-scale, scale], the same in every run.
inline Vector random_vector(Eigen::Index size, double scale, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-scale, scale);
    Vector v(size);
    for (Eigen::Index i = 0; i < size; ++i) v[i] = uniform(generator);
    return v;
}

} // namespace rubato
