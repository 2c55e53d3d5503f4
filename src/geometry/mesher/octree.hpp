#pragma once

#include "base/errors.hpp"
#include "geometry/mesher/flat_map.hpp"
#include "geometry/mesher/zero_set.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace rubato::mesher {

/// The lattice would have more cells or tetrahedra than are allowed.
class TooFine : public InputError {
public:
    using InputError::InputError;
};

using CellPlace = std::array<std::int32_t, 3>; ///< counts cells of one level from the origin

/// A cell of the octree, 2^level finest cells long.
struct Cell {
    enum State : char { leaf, split, outside };

    int level = 0;
    CellPlace at = {};
    double value = 0; ///< of the field at its centre [m]
    State state = leaf;
};

/// An octree around a body: leaves of `surface_level` wherever the surface is near, coarser ones deep inside, finer
/// ones where they are asked for, nothing outside. Leaves that touch, be it at a corner, differ by at most one level.
class Octree {
public:
    /// `cell`: edge of leaves of level 0 [m]; the coarsest leaves have `top_level`. More than `most_cells` cells are
    /// TooFine.
    Octree(const ZeroSet& surface, double cell, int surface_level, int top_level, double most_cells);

    /// Splits these leaves, and others as the balance asks.
    void refine(const std::vector<Index>& leaves);

    /// Cells that were left out as outside become leaves of the surface's level, or are halved on the way there: where
    /// a field jumps, its value does not say that the surface is near.
    void take_in(const std::vector<Index>& outside);

    Index leaf_at(const Vec3& p) const; ///< the leaf that holds p, -1 for none

    const std::vector<Cell>& cells() const { return cells_; }
    Index find(int level, const CellPlace& at) const; ///< the cell there, -1 for none
    Index covering(int level, CellPlace at) const; ///< that cell or the smallest there is around it, -1 for none
    const Vec3& origin() const { return origin_; }

private:
    void grow(std::vector<Cell> cells);
    void balance();
    void append_children(Index parent, std::vector<Cell>& children);
    Cell::State state_of(const Cell& cell) const;

    const ZeroSet& surface_;
    double cell_;
    int surface_level_, top_level_;
    double most_cells_;
    int root_level_ = 0;
    Vec3 origin_ = Vec3::Zero();
    std::vector<Cell> cells_;
    FlatMap index_;
};

} // namespace rubato::mesher
