#pragma once

#include "solvers/linear/operator.hpp"
#include "solvers/linear/preconditioner.hpp"

#include <vector>

namespace rubato {

/// The inverses of the 3x3 diagonal blocks.
class BlockJacobi final : public Preconditioner {
public:
    void prepare(const BlockMatrix& A, const Prescription& prescription) override
    {
        prepare(StoredOperator(A), prescription);
    }
    void prepare(const Operator& A, const Prescription& prescription);
    void apply(const Prescription& prescription, const Vector& r, Vector& z) override;
    std::size_t look_back() const override { return 4; }
    PreconditionerWork work() const override
    {
        const auto blocks = static_cast<double>(inverse_.size());
        return {blocks, blocks};
    }

private:
    std::vector<Mat3> inverse_;
};

} // namespace rubato
