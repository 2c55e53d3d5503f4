#pragma once

#include "base/types.hpp"

#include <random>
#include <vector>

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

/// Positions of nodes as one vector of unknowns.
inline Vector stacked(const std::vector<Vec3>& nodes)
{
    Vector x(3 * static_cast<Eigen::Index>(nodes.size()));
    for (Index i = 0; i < static_cast<Index>(nodes.size()); ++i) node(x, i) = nodes[static_cast<std::size_t>(i)];
    return x;
}

} // namespace rubato
