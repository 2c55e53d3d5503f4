#pragma once

#include "base/types.hpp"
#include "dynamics/region.hpp"

#include <array>
#include <vector>

namespace rubato {

/// Which elements get a positive semidefinite Hessian in place of their true one: all, none, or those with a node that
/// is marked.
class Projected {
public:
    Projected(bool everywhere)
        : everywhere_(everywhere)
    {
    }
    explicit Projected(const std::vector<char>& marked) ///< one entry for each node; is referred to
        : marked_(&marked)
    {
    }
    /// Whether an element with these nodes is to be projected; those below zero are none.
    template <class Nodes>
    bool at(const Nodes& nodes) const
    {
        if (marked_ == nullptr) return everywhere_;
        for (const Index i : nodes) {
            if (i >= 0 && (*marked_)[static_cast<std::size_t>(i)] != 0) return true;
        }
        return false;
    }
    bool everywhere() const { return marked_ == nullptr && everywhere_; }
    bool at(Index node) const { return at(std::array<Index, 1>{node}); }

private:
    bool everywhere_ = false;
    const std::vector<char>* marked_ = nullptr;
};

/// Where a term leaves its value, gradient and Hessian, whichever is wanted, in one pass.
///
/// The weights make one term serve every stage: s P(x) has all three weights s, while s tau D((x - a)/tau), a function
/// of velocity, has s tau for its value, s for its gradient and s/tau for its Hessian. No term ever sees a time step.
struct Assembly {
    double* value = nullptr; ///< null: not wanted
    Vector* gradient = nullptr; ///< null: not wanted
    BlockMatrix* hessian = nullptr; ///< null: not wanted. Blocks on and right of the diagonal; others are ignored
    double value_weight = 1;
    double gradient_weight = 1;
    double hessian_weight = 1;
    Projected projected = true; ///< where Hessians are made positive semidefinite before they are added
    /// When projected: negative eigenvalues become their own size, but no more than this times the element's largest;
    /// 0 makes them zero. A term may always make them zero.
    double lift = 0;
    /// If given, only what the nodes of this region feel is wanted: the value may lack elements that have none of them,
    /// the gradient counts at these nodes, the Hessian in blocks between two of them. A term may ignore it.
    const Region* only = nullptr;
    /// If given, the last Hessian was asked for at this very place, of the same nodes, with this choice of what to
    /// project, and is to be had with another: only elements that are to be projected now and were not then, or the
    /// other way round, need to be computed anew. A term may ignore it.
    const Projected* computed = nullptr;

    /// Whether the Hessian of an element with these nodes is known from the last time.
    template <class Nodes>
    bool knows(const Nodes& nodes) const
    {
        return computed != nullptr && computed->at(nodes) == projected.at(nodes);
    }
};

} // namespace rubato
