#pragma once

#include "dynamics/assembly.hpp"
#include "geometry/tet_mesh.hpp"
#include "potentials/batch_sums.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace rubato {

/// Rest geometry of linear tetrahedra in groups of eight, as the vector kernels want it.
///
/// Elements are sorted along a curve that fills space, so that those close to each other in memory share nodes. Eight
/// of them make a batch, eight batches or more a cluster. Clusters are coloured such that two of the same colour share
/// no node: those of one colour may write into gradient and Hessian at the same time, and colours follow one another,
/// so every sum is taken in the same order whatever the number of threads. The nodes of an element are ascending, so
/// that its blocks (a, b), a <= b, all lie above the diagonal.
struct TetBatches {
    static constexpr int lanes = 8; ///< elements of a batch

    struct Batch {
        alignas(64) double Dm_inv[9][lanes]; ///< inverse of the rest edge matrix, row by row [1/m]
        alignas(64) double volume[lanes]; ///< rest volume [m^3]; 0 for elements that only fill the last batch up
        Index nodes[4][lanes];
    };
    struct Cluster {
        Index first, last; ///< its batches
    };

    std::vector<Batch> batches;
    std::vector<std::vector<Cluster>> colours;
    BatchSums forces; ///< to nodes
    Index size = 0; ///< elements

    TetBatches() = default;
    /// X: rest positions of all nodes of the system, 3 per node. Every tetrahedron must have positive volume.
    TetBatches(std::vector<Tet> tets, const Vector& X);

    /// Element e is lane e % 8 of batch e / 8.
    std::array<Index, 4> nodes(Index e) const
    {
        const Batch& b = batches[static_cast<std::size_t>(e / lanes)];
        return {b.nodes[0][e % lanes], b.nodes[1][e % lanes], b.nodes[2][e % lanes], b.nodes[3][e % lanes]};
    }
    double volume(Index e) const { return batches[static_cast<std::size_t>(e / lanes)].volume[e % lanes]; }
    Mat3 Dm_inv(Index e) const
    {
        const Batch& b = batches[static_cast<std::size_t>(e / lanes)];
        Mat3 out;
        for (int k = 0; k < 9; ++k) out(k / 3, k % 3) = b.Dm_inv[k][e % lanes];
        return out;
    }
    void pattern(BlockPattern& pattern) const;
};

/// Which elements a region feels, batch by batch: bits of lanes.
class ListedBatches {
public:
    explicit ListedBatches(const TetBatches& tets);
    /// Null: all of them.
    void list(const Region* only);
    unsigned lanes_of(Index batch) const { return lanes_[static_cast<std::size_t>(batch)]; }

private:
    std::vector<Index> node_begin_, node_elements_; // elements at each node
    std::vector<std::uint8_t> lanes_, all_;
    std::vector<Index> touched_; // batches that are not as in all_
    bool everything_ = true;
};

/// Where the blocks of the elements go in a matrix, made once for each pattern: to slots of the root.
class BatchSlots {
public:
    const BatchSums& in(const TetBatches& tets, const BlockMatrix& matrix);

private:
    struct Table {
        std::uint64_t root_id;
        BatchSums slots;
    };
    std::vector<Table> tables_;
};

} // namespace rubato
