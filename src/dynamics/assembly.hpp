#pragma once

#include "base/types.hpp"
#include "math/block_matrix.hpp"

namespace rubato {

/// Where a term leaves its value, gradient and Hessian, whichever is wanted, in one pass.
///
/// The weights make one term serve every stage: s P(x) has all three weights s, while s tau D((x - a)/tau), a function
/// of velocity, has s tau for its value, s for its gradient and s/tau for its Hessian. No term ever sees a time step.
struct Assembly {
    double* value = nullptr; ///< null: not wanted
    Vector* gradient = nullptr; ///< null: not wanted
    BlockMatrix* hessian = nullptr; ///< null: not wanted
    double value_weight = 1;
    double gradient_weight = 1;
    double hessian_weight = 1;
    bool projected = true; ///< make each element's Hessian positive semidefinite before it is added
    /// When projected: negative eigenvalues become their own size, but no more than this times the element's largest;
    /// 0 makes them zero. A term may always make them zero.
    double lift = 0;
};

} // namespace rubato
