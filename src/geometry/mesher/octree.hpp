#pragma once

#include "geometry/mesher/flat_map.hpp"
#include "geometry/mesher/zero_set.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace rubato::mesher {

using CellPlace = std::array<std::int32_t, 3>; ///< counts cells of one level from the origin

/// A cell of the octree, 2^level finest cells long.
struct Cell {
    enum State : char { leaf, split, outside };

    int level = 0;
    CellPlace at = {};
    double value = 0; ///< of the field at its centre [m]
    State state = leaf;
};

/// An octree around a body: leaves of the finest level wherever the surface is near, coarser ones deep inside, nothing
/// outside. Leaves that touch, be it at a corner, differ by at most one level.
class Octree {
public:
    /// `cell`: edge of the finest leaves [m]; the coarsest are 2^levels times as long. More than `most_cells` cells are
    /// an InputError.
    Octree(const ZeroSet& surface, double cell, int levels, double most_cells);

    /// Splits these leaves, and others as the balance asks.
    void refine(const std::vector<Index>& leaves);

    const std::vector<Cell>& cells() const { return cells_; }
    Index find(int level, const CellPlace& at) const; ///< the cell there, -1 for none
    const Vec3& origin() const { return origin_; }

private:
    void grow(std::vector<Cell> cells);
    void balance();
    void append_children(Index parent, std::vector<Cell>& children);
    Cell::State state_of(const Cell& cell) const;

    const ZeroSet& surface_;
    double cell_;
    int levels_;
    double most_cells_;
    int root_level_ = 0;
    Vec3 origin_ = Vec3::Zero();
    std::vector<Cell> cells_;
    FlatMap index_;
};

} // namespace rubato::mesher
