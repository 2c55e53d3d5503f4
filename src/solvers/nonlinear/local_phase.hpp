#pragma once

#include "dynamics/region.hpp"

namespace rubato {

/// When Newton's method works on a part of the nodes only, and on which (nonlinear elimination, after Lanzkron, Rose
/// and Wilkes 1996).
///
/// Where many contacts open and close, most of a step is found after a few iterations; what goes on are contacts here
/// and there that take turns to flip, each of them at the price of an iteration over everything. So, when only few
/// nodes still move, those and their neighbours are solved for on their own, the others held where they are. E falls
/// all the same, and it is iterations over everything alone that may find the solution reached.
class LocalPhase {
public:
    /// For a new solve, over so many nodes of which so many are free.
    void allow(bool allowed, Index nodes, Index free_nodes)
    {
        allowed_ = allowed && free_nodes >= least_nodes;
        free_nodes_ = free_nodes;
        if (allowed_ && static_cast<Index>(region_.marked().size()) != nodes) region_ = Region(nodes);
    }
    const Region& region() const { return region_; }

    /// Begins if the nodes whose entry of `v` is longer than `longest` are few, with their neighbours in H.
    bool begin(const Vector& v, double longest, const BlockMatrix& H);
    /// One iteration of the phase is done; true if it may have another.
    bool goes_on() { return --iterations_left_ > 0; }

private:
    static constexpr Index least_nodes = 300; // below, an iteration over everything costs next to nothing

    bool allowed_ = false;
    Index free_nodes_ = 0;
    Region region_;
    int iterations_left_ = 0;
};

} // namespace rubato
