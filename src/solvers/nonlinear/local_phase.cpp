#include "solvers/nonlinear/local_phase.hpp"

namespace rubato {

namespace {

constexpr Index largest_part = 5; // a fifth of the free nodes is the most that is worth it
constexpr int most_iterations = 30; // and no more than cost as much as one over everything

} // namespace

bool LocalPhase::begin(const Vector& v, double longest, const BlockMatrix& H)
{
    if (!allowed_) return false;
    const Index most = free_nodes_ / largest_part;
    region_.clear();
    for (Index i = 0; i < H.rows() && region_.size() <= most; ++i) {
        if (node(v, i).squaredNorm() > longest * longest) region_.add(i);
    }
    if (region_.size() <= most) region_.add_neighbours(H);
    if (region_.size() == 0 || region_.size() > most) return false;
    region_.sort();
    iterations_left_ = std::min<int>(most_iterations, free_nodes_ / region_.size());
    return true;
}

} // namespace rubato
