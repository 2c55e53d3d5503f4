#include "integrators/exact_gravity.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

/// phi from u.g/(h g.g) and a.g/g.g.
double phi(double u, double falls) { return std::clamp(std::max(falls, std::abs(u)), 0.0, 1.0); }

/// u.g/(h g.g) from v.g/(h g.g): the inverse of v = u + phi(u)/2, piece by piece.
double inner_of(double v, double falls)
{
    const double least = std::clamp(falls, 0.0, 1.0);
    if (const double u = v - 0.5; least == 1 || std::abs(u) >= 1) return u;
    if (const double u = v - 0.5 * least; std::abs(u) <= least) return u;
    return v > 0 ? v / 1.5 : 2 * v; // |u| alone decides
}

} // namespace

void ExactGravity::inner(const StepRequest& r, Vector& v)
{
    at_end_ = false;
    r.dynamics.conservative_acceleration(r.now.t, r.now.x, a_);
    add(r, v, [](double along, double falls) { return inner_of(along, falls) - along; });
}

void ExactGravity::read(const StepRequest& r, State& end)
{
    if (!at_end_) r.dynamics.conservative_acceleration(end.t, end.x, a_);
    at_end_ = true;
    add(r, end.v, [](double along, double falls) { return 0.5 * phi(along, falls); });
}

template <class Shift>
void ExactGravity::add(const StepRequest& r, Vector& v, Shift shift)
{
    r.dynamics.along_gravity(a_, falls_);
    r.dynamics.along_gravity(v, along_);
    r.dynamics.along_gravity(r.dynamics.free_fall().g, weight_);
    for (std::size_t p = 0; p < along_.size(); ++p) { // along_ becomes the time for which g is added
        const double w = weight_[p];
        along_[p] = w > 0 ? r.h * shift(along_[p] / (r.h * w), falls_[p] / w) : 0.0;
    }
    r.dynamics.add_gravity(along_, v);
}

} // namespace rubato
