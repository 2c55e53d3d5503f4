#pragma once

#include "geometry/signed_field.hpp"

#include <random>
#include <vector>

namespace rubato {

/// Points spread evenly over a box that is `widening` times as large; the same ones on every run.
inline std::vector<Vec3> places(const Bounds& box, int count, double widening = 1, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    std::vector<Vec3> all;
    for (int i = 0; i < count; ++i) {
        const double x = uniform(random);
        const double y = uniform(random);
        const Vec3 u{x, y, uniform(random)};
        all.push_back(box.center() + widening * box.size().cwiseProduct(u));
    }
    return all;
}

/// Volume of a solid by a lattice of points, `n` along each side of its box [m^3].
inline double sampled_volume(const SignedField& field, int n)
{
    const Bounds box = field.bounds();
    const Vec3 cell = box.size() / n;
    std::int64_t inside = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < n; ++k)
                inside += field.value(box.low + cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5))) < 0;
        }
    }
    return static_cast<double>(inside) * cell.prod();
}

} // namespace rubato
