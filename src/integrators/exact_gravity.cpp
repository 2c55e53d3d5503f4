#include "integrators/exact_gravity.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

/// phi from u.g/(h g.g) and a.g/g.g.
double phi(double u, double falls) { return std::clamp(std::max(falls, std::abs(u)), 0.0, 1.0); }

/// u.g/(h g.g) from v.g/(h g.g): the inverse of v = u + phi(u)/2, piece by piece.
double inner(double v, double falls)
{
    const double least = std::clamp(falls, 0.0, 1.0);
    if (const double u = v - 0.5; least == 1 || std::abs(u) >= 1) return u;
    if (const double u = v - 0.5 * least; std::abs(u) <= least) return u;
    return v > 0 ? v / 1.5 : 2 * v; // |u| alone decides
}

} // namespace

OptionSpec ExactGravity::option()
{
    return {.name = "exact_gravity",
        .type = OptionType::flag,
        .fallback = false,
        .summary = "read velocities half a step later under gravity, so that free fall keeps its energy"};
}

const Vector& ExactGravity::inner_velocity(const StepRequest& r, const Vector& a)
{
    if (!on_) return r.now.v;
    u_ = r.now.v;
    add(r.dynamics.free_fall(), a, r.h, u_, [](double v, double falls) { return inner(v, falls) - v; });
    return u_;
}

void ExactGravity::read_later(const StepRequest& r, const Vector& a, State& next)
{
    if (!on_) return;
    add(r.dynamics.free_fall(), a, r.h, next.v, [](double u, double falls) { return 0.5 * phi(u, falls); });
}

template <class Shift>
void ExactGravity::add(const FreeFall& fall, const Vector& a, double h, Vector& v, Shift shift)
{
    for (Vector* sum : {&falls_, &along_, &weight_}) sum->setZero(fall.pieces);
    for (std::size_t i = 0; i < fall.piece.size(); ++i) {
        const auto k = static_cast<Index>(i);
        const Vec3 mg = fall.mass[k] * node(fall.g, k);
        falls_[fall.piece[i]] += mg.dot(node(a, k));
        along_[fall.piece[i]] += mg.dot(node(v, k));
        weight_[fall.piece[i]] += mg.dot(node(fall.g, k));
    }
    for (Eigen::Index p = 0; p < weight_.size(); ++p) { // along_ becomes the shift
        const double w = weight_[p];
        along_[p] = w > 0 ? shift(along_[p] / (h * w), falls_[p] / w) : 0.0;
    }
    for (std::size_t i = 0; i < fall.piece.size(); ++i) {
        const auto k = static_cast<Index>(i);
        node(v, k) += (h * along_[fall.piece[i]]) * node(fall.g, k);
    }
}

} // namespace rubato
