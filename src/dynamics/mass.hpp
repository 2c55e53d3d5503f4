#pragma once

#include "base/types.hpp"
#include "math/block_matrix.hpp"

#include <vector>

namespace rubato {

/// Block-diagonal mass [kg]. A free node is a block of its own, m I3 (lumped). A body that moves as one (an affine
/// body has four vector unknowns) is a dense block over consecutive nodes, G (x) I3, with G symmetric positive
/// definite. A node of an obstacle has no mass: it follows a script, and M^-1 is zero there.
class Mass {
public:
    Mass() = default;
    explicit Mass(Vector nodal); ///< lumped: one mass per node, none below 0

    /// Couples nodes first .. first + G.rows() - 1 by the Gram matrix G [kg] in place of their lumped masses.
    void couple(Index first, const Eigen::MatrixXd& G);

    Index nodes() const { return static_cast<Index>(nodal_.size()); }
    const Vector& nodal() const { return nodal_; } ///< diagonal of the mass, one entry per node [kg]

    void multiply(const Vector& a, Vector& out) const; ///< out = M a
    void solve(const Vector& f, Vector& out) const; ///< out = M^-1 f, zero where there is no mass
    double inner(const Vector& a, const Vector& b) const; ///< a^T M b
    void pattern(BlockPattern& pattern) const;
    void add_to(BlockMatrix& A, double factor = 1) const; ///< A += factor M

private:
    struct Coupled {
        Index first;
        Eigen::MatrixXd G, G_inv;
    };
    Vector nodal_;
    std::vector<Coupled> coupled_;
};

} // namespace rubato
