#pragma once

#include "solvers/linear/float_blocks.hpp"
#include "solvers/linear/lattice.hpp"
#include "solvers/linear/preconditioner.hpp"

#include <Eigen/Cholesky>

#include <cstdint>
#include <vector>

namespace rubato {

/// One cycle of multigrid on lattices laid over the bodies (lattice.hpp).
///
///     A_0 = A,  A_{l+1} = P_l^T A_l P_l        P_l  interpolation from level l + 1 to level l
///
///     on each level:  z = (D + L)^-1 r                      one sweep down (Gauss-Seidel)
///                     e = what the coarser levels say of P^T (r - A z)
///                     z += P e
///                     z += (D + U)^-1 (r - A z)             one sweep up: the transpose, so that the whole is
///                     symmetric
///
/// From the second lattice on, a level is asked twice, the second time for what the first left over (a W-cycle): levels
/// that small cost next to nothing, and the number of iterations hardly grows with the mesh any more.
/// The last level is factorised. All in single precision. The result does not depend on the number of threads
/// (SweepOrder).
class Multigrid final : public Preconditioner {
public:
    /// X: rest positions of the nodes, 3 per node [m].
    explicit Multigrid(Vector X)
        : X_(std::move(X))
    {
    }
    void prepare(const BlockMatrix& A, const Prescription& prescription) override;
    void apply(const Prescription& prescription, const Vector& r, Vector& z) override;
    std::size_t look_back() const override { return 2; }
    PreconditionerWork work() const override;

private:
    struct Level {
        FloatBlocks A;
        Interpolation P; // from the next level
        FloatBlocks AP; // A P, whose columns are nodes of the next level
        std::vector<std::uint16_t>
            slot_in_AP; // for each block of A and each entry of P in its column: place in the row
        std::vector<std::uint16_t> slot_in_next; // for each entry of P^T and each block of AP in its column: likewise
        std::vector<std::size_t> first_in_AP; // of each row, in slot_in_AP
        std::vector<std::size_t> first_in_next; // of each entry of P^T, in slot_in_next
        FloatVector r, z, t, first; // work
    };
    void lay_lattices(const BlockMatrix& A);
    void follow_curve(const std::vector<Index>& body);
    void order_rows(const BlockMatrix& A);
    void find_structure(const BlockMatrix& A);
    void find_held(const Prescription& prescription);
    void copy_row(const BlockMatrix& A, Index i);
    static void multiply_by_P(Level& level, Index i);
    void coarsen(std::size_t level);
    void factorise_last();
    void cycle(std::size_t level);
    void again(std::size_t level);
    void solve_last();

    Vector X_;
    std::vector<Index> along_curve_; // nodes
    Interpolation P_of_nodes_; // of the finest level, in the order of nodes
    std::vector<Index> node_of_row_, row_of_node_; // of the finest level
    std::vector<Index> source_; // block of A that each block of the finest level is
    std::vector<std::uint8_t> held_; // bits of the prescribed unknowns of each row
    std::vector<Level> levels_;
    Eigen::LLT<Eigen::MatrixXf> last_;
    Eigen::MatrixXf dense_; // work
    FloatVector last_r_, last_z_; // work
    bool last_is_factorised_ = false;
    std::uint64_t lattices_of_ = 0, structure_of_ = 0; // root_id and pattern_id they are for
};

} // namespace rubato
