#include "suite/parts.hpp"

namespace rubato {

const std::vector<Part>& suite_parts()
{
    static const std::vector<Part> all{
        {"elements", "tetrahedra by material: energy, gradient, exact and projected Hessian", &measure_elements},
        {"decompositions", "singular values and polar factors of 3x3 matrices, one and eight at a time",
            &measure_decompositions},
        {"distances", "nearest points, derivatives and collision times by kind of pair", &measure_distances},
        {"assembly", "energy, gradient and Hessian of a whole body by material", &measure_assembly},
        {"linear", "factorisation, product, preconditioners and solves on one matrix", &measure_linear},
        {"preconditioners", "iterations and time of conjugate gradients on several matrices", &measure_preconditioners},
        {"roofline", "bandwidth and arithmetic of the machine, and what share of them is reached", &measure_roofline},
        {"scenes", "whole runs: iterations, processor time per step and phase, memory", &measure_scenes},
        {"scaling", "one body from 5 000 to 500 000 tetrahedra, conjugate gradients and Cholesky", &measure_scaling},
        {"threads", "all cores against one, and whether they give the same bytes", &measure_threads},
    };
    return all;
}

} // namespace rubato
