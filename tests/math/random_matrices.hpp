#pragma once

#include "base/types.hpp"

#include <Eigen/Geometry>

#include <random>

namespace rubato {

/// Repeatable random matrices for tests.
class RandomMatrices {
public:
    explicit RandomMatrices(unsigned seed)
        : engine_(seed)
    {
    }
    double normal() { return normal_(engine_); }
    double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
    Mat3 matrix()
    {
        Mat3 A;
        for (int i = 0; i < 9; ++i) A.data()[i] = normal();
        return A;
    }
    Mat3 rotation()
    {
        const Eigen::Quaterniond q(normal(), normal(), normal(), normal());
        return q.normalized().toRotationMatrix();
    }
    /// U diag(sigma) V^T with random rotations, rounded to double.
    Mat3 with_singular_values(const Vec3& sigma) { return rotation() * sigma.asDiagonal() * rotation().transpose(); }

private:
    std::mt19937 engine_;
    std::normal_distribution<double> normal_;
};

} // namespace rubato
