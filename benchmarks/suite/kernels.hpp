#pragma once

#include "geometry/generators.hpp"
#include "potentials/tet_batches.hpp"
#include "potentials/tet_lanes.hpp"
#include "suite/flops.hpp"
#include "suite/repeated.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace rubato {

/// What an element kernel is asked.
struct ElementAnswer {
    const char* name;
    bool gradient, hessian;
    unsigned projected; ///< lanes
};
inline const ElementAnswer element_answers[] = {{"energy", false, false, 0}, {"gradient", true, false, 0},
    {"exact Hessian", true, true, 0}, {"projected Hessian", true, true, 0xff}};

/// A strained cube of 3072 tetrahedra (0.4 MB with its nodes), and the kernels applied to all of it. What they answer
/// is written over again and again, so that arithmetic alone is measured.
class ElementKernels {
public:
    ElementKernels()
    {
        const TetMesh mesh = box_mesh(Vec3(1, 1, 1), {8, 8, 8});
        Vector X(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) node(X, static_cast<Index>(i)) = mesh.nodes[i];
        tets_ = TetBatches(mesh.tets, X);
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> noise(-0.005, 0.005); // a 25th of an edge
        x_ = X;
        for (Eigen::Index i = 0; i < x_.size(); ++i)
            x_[i] += 0.02 * std::sin(5 * X[(i + 1) % x_.size()]) + noise(random);
    }

    /// Processor time [s] of one element.
    template <class Material>
    std::vector<double> seconds_of_one(const ElementAnswer& answer, int repetitions, const std::string& isa = {}) const
    {
        const TetLanes<Material>& lanes = tet_lanes<Material>(isa);
        std::vector<double> seconds = processor_time(repetitions, [&] { ask_all(lanes, answer); });
        for (double& sample : seconds) sample /= static_cast<double>(tets_.size);
        return seconds;
    }

    /// Operations carried out for one, on average.
    template <class Material>
    double flops_of_one(const ElementAnswer& answer) const
    {
        counted_flops();
        ask_all(counting_lanes<Material>(), answer);
        return std::round(counted_flops() / static_cast<double>(tets_.batches.size())); // in every lane of each batch
    }

private:
    template <class Material>
    void ask_all(const TetLanes<Material>& lanes, const ElementAnswer& answer) const
    {
        const Material material(Lame::from_young_poisson(1e5, 0.3));
        TetLanesOut out;
        for (const TetBatches::Batch& batch : tets_.batches) {
            const TetLanesIn in{x_.data(), batch.nodes, batch.Dm_inv, batch.volume, answer.hessian, answer.projected};
            (answer.gradient ? lanes.gradient : lanes.value)(material, in, out);
            look_at(&out);
        }
    }

    TetBatches tets_;
    Vector x_; // [m]
};

} // namespace rubato
