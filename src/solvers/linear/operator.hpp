#pragma once

#include "math/block_matrix.hpp"

namespace rubato {

/// A symmetric matrix of 3x3 blocks, as far as iterative solvers need to know it: products with vectors, and the blocks
/// of its diagonal. Direct solvers ask for the stored matrix.
class Operator {
public:
    virtual ~Operator() = default;
    virtual Index rows() const = 0; ///< in blocks
    virtual void multiply(const Vector& p, Vector& out) const = 0; ///< out = A p
    virtual Mat3 diagonal(Index i) const = 0; ///< block (i, i)
    virtual double work() const = 0; ///< of a product, in 3x3 blocks that are gone through
    virtual const BlockMatrix* stored() const { return nullptr; } ///< null: it exists as products only
};

/// One that is stored. Refers to the matrix.
class StoredOperator final : public Operator {
public:
    explicit StoredOperator(const BlockMatrix& A)
        : A_(A)
    {
    }
    Index rows() const override { return A_.rows(); }
    void multiply(const Vector& p, Vector& out) const override { A_.multiply(p, out); }
    Mat3 diagonal(Index i) const override { return A_.block(A_.slot(i, i)); }
    double work() const override { return static_cast<double>(A_.block_count()); }
    const BlockMatrix* stored() const override { return &A_; }

private:
    const BlockMatrix& A_;
};

} // namespace rubato
