#pragma once

#include "geometry/tet_mesh.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// How a cell of a structured box is cut into tetrahedra. Both fit their neighbours.
enum class CellSplit {
    kuhn, ///< six, around the diagonal from the lowest to the highest corner; every cell alike, so stiffer across it
    five, ///< one regular and four corners, mirrored from cell to cell: no preferred direction, fewer elements
};

/// The split of that name ("kuhn", "five"); an unknown name is an InputError.
CellSplit cell_split(std::string_view name);
std::vector<std::string> cell_split_names();

/// A box of `size` [m] centred at the origin, cut into cells[0] x cells[1] x cells[2] cells. Nodes run along x first,
/// then y, then z. Groups: x_min, x_max, y_min, y_max, z_min, z_max (nodes of these faces) and surface.
/// A size that is not positive and finite, fewer than one cell or more than most_generated_tets is an InputError.
TetMesh box_mesh(const Vec3& size, std::array<int, 3> cells, CellSplit split = CellSplit::kuhn);

inline constexpr int most_generated_tets = 100'000'000; ///< so that a slip of the keyboard does not eat the memory

} // namespace rubato
