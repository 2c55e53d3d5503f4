#include "solvers/nonlinear/projection.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double much = 0.1; // of the largest negative part of a curvature that a node has
constexpr double from_try_to_try = 0.3; // smaller and smaller parts will do
constexpr int most_tries = 5; // in one iteration, to make a Hessian definite by projecting some of its elements

} // namespace

bool ProjectionPolicy::changed_after(LinearStatus status, const Vector* nodal_curvature)
{
    const bool useless = status == LinearStatus::failed || (status == LinearStatus::indefinite && projected_);
    if (everywhere_ || !useless || !safeguards_) return false;
    everywhere_before_ = everywhere_;
    marked_before_ = marked_;
    if (status == LinearStatus::indefinite && nodal_curvature != nullptr && ++tries_ <= most_tries
        && mark(*nodal_curvature)) {
        return true;
    }
    wait_ = pause_ *= 2;
    everywhere_ = true;
    return true;
}

void ProjectionPolicy::after_step(bool close, bool slow)
{
    if (!safeguards_) return;
    tries_ = 0;
    if (!projected_) { // but for the iteration in which the factorisation broke down
        everywhere_ = false;
        return;
    }
    wait_ = std::max(0, wait_ - 1);
    everywhere_ = wait_ > 0 || (everywhere_ && !close);
    patience_ = slow ? patience_ + 1 : 0;
    if (patience_ < most_patience_) return;
    marked_.clear();
    patience_ = 0;
    most_patience_ *= 2;
}

/// False if all nodes to be marked are already.
bool ProjectionPolicy::mark(const Vector& nodal_curvature)
{
    marked_.resize(static_cast<std::size_t>(nodal_curvature.size()), 0);
    const double least = much * std::pow(from_try_to_try, tries_ - 1) * nodal_curvature.minCoeff();
    bool news = false;
    for (std::size_t i = 0; i < marked_.size(); ++i) {
        if (marked_[i] != 0 || !(nodal_curvature[static_cast<Eigen::Index>(i)] <= least)) continue;
        marked_[i] = 1;
        news = true;
    }
    return news;
}

} // namespace rubato
