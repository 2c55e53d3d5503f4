#pragma once

#include "math/block_matrix.hpp"

#include <vector>

/// Coarse spaces for bodies of any shape: regular lattices laid over their rest shapes.
///
/// Every cube of a lattice is cut into six tetrahedra along its diagonal (Kuhn), and a node inside one of them takes
/// its displacement from the four corners, linearly. So a coarse space holds all motions that are linear in the rest
/// positions, turns of the deformed body among them as far as it is deformed evenly over a cube, and the interpolation
/// is the same for the whole simulation. A lattice of twice the spacing interpolates the next finer one exactly along
/// the edges of these tetrahedra: every node is either a node of it or the midpoint of one edge.
namespace rubato {

/// x_fine = sum of weight x_coarse, row by row, and the same by columns.
struct Interpolation {
    struct Entry {
        Index other;
        float weight;
    };
    Index coarse = 0; ///< number of coarse nodes
    std::vector<Index> begin{0}; ///< first entry of each fine node
    std::vector<Entry> entries;
    std::vector<Index> begin_of_coarse; ///< first entry of each coarse node
    std::vector<Entry> entries_of_coarse;

    void finish(); ///< makes the columns from the rows
    Interpolation with_rows(const std::vector<Index>& order) const; ///< row r of it is row order[r] of this one
};

/// A node of a lattice: three whole numbers, and the body to which it belongs.
struct LatticeNode {
    Index body;
    int at[3];
    auto operator<=>(const LatticeNode&) const = default;
};

/// The connected parts of a graph, numbered; nodes without neighbours are in none (-1).
std::vector<Index> connected_bodies(const BlockStructure& graph);

/// Lays a lattice over each body, with a spacing of `ratio` mean edges of its mesh. X: rest positions, 3 per node.
Interpolation onto_lattices(const BlockStructure& graph, const std::vector<Index>& body, const Vector& X, double ratio,
    std::vector<LatticeNode>& lattice);

/// From a lattice to that of twice the spacing.
Interpolation onto_coarser(const std::vector<LatticeNode>& fine, std::vector<LatticeNode>& coarse);

} // namespace rubato
