#include "solvers/linear/multigrid.hpp"

#include "base/parallel.hpp"

#include <algorithm>

namespace rubato {

namespace {

constexpr Index most_dense = 300; // nodes up to which that is cheap enough where bodies are too many for fewer
constexpr int last_sweeps = 4; // in place of a factorisation that is too large or breaks down

typedef float Eight __attribute__((vector_size(32), aligned(4)));

/// to += w from, for the nine entries of a block.
[[gnu::always_inline]] inline void add_scaled(const float* from, float w, float* to)
{
    Eight a = *reinterpret_cast<const Eight*>(from), b = *reinterpret_cast<Eight*>(to);
    b += w * a;
    *reinterpret_cast<Eight*>(to) = b;
    to[8] += w * from[8];
}

/// One row of an interpolation, or of its transpose, times x.
void weighted_sum(
    const std::vector<Interpolation::Entry>& entries, Index first, Index last, const FloatVector& x, float* to)
{
    float sum[3] = {0, 0, 0};
    for (Index e = first; e < last; ++e) {
        const Interpolation::Entry& entry = entries[static_cast<std::size_t>(e)];
        const float* const from = &x[3 * static_cast<std::size_t>(entry.other)];
        for (int k = 0; k < 3; ++k) sum[k] += entry.weight * from[k];
    }
    for (int k = 0; k < 3; ++k) to[k] = sum[k];
}

} // namespace

void Multigrid::prepare(const BlockMatrix& A, const Prescription& prescription)
{
    if (lattices_of_ != A.root_id()) lay_lattices(A);
    if (structure_of_ != A.pattern_id()) find_structure(A);
    copy_values(A, prescription);
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) coarsen(l);

    const FloatBlocks& last = levels_.back().A;
    last_is_factorised_ = levels_.size() > 1 && last.rows() <= most_dense;
    if (!last_is_factorised_) return;
    Eigen::MatrixXf& dense = dense_;
    dense.setZero(3 * last.rows(), 3 * last.rows());
    for (Index i = 0; i < last.rows(); ++i) {
        for (Index k = last.row_begin[static_cast<std::size_t>(i)]; k < last.row_begin[static_cast<std::size_t>(i) + 1];
             ++k) {
            dense.block<3, 3>(3 * i, 3 * last.column[static_cast<std::size_t>(k)])
                = Eigen::Map<const Eigen::Matrix3f>(&last.value[9 * static_cast<std::size_t>(k)]);
        }
    }
    // Where fewer nodes than corners lie in a cube, the corners are not independent.
    constexpr float nearly_singular = 1e-5F;
    dense.diagonal() *= 1 + nearly_singular;
    last_.compute(dense);
    last_is_factorised_ = last_.info() == Eigen::Success;
}

void Multigrid::copy_values(const BlockMatrix& A, const Prescription& prescription)
{
    FloatBlocks& to = levels_[0].A;
    parallel_for(
        A.rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            const double* from = A.value().data();
            for (auto k = static_cast<std::size_t>(to.row_begin[row]);
                 k < static_cast<std::size_t>(to.row_begin[row + 1]); ++k) {
                const double* const block = from + 9 * static_cast<std::size_t>(source_[k]);
                for (std::size_t c = 0; c < 9; ++c) to.value[9 * k + c] = static_cast<float>(block[c]);
            }
        },
        256);
    for (const Eigen::Index unknown : prescription.unknowns()) { // a row and a column of zeros, but for the diagonal
        const auto i = static_cast<std::size_t>(row_of_node_[static_cast<std::size_t>(unknown / 3)]);
        const auto c = static_cast<std::size_t>(unknown % 3);
        for (Index k = to.row_begin[i]; k < to.row_begin[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(to.column[static_cast<std::size_t>(k)]);
            const Index mirror = static_cast<Index>(std::lower_bound(to.column.begin() + to.row_begin[j],
                                                        to.column.begin() + to.row_begin[j + 1], static_cast<Index>(i))
                - to.column.begin());
            for (std::size_t s = 0; s < 3; ++s) {
                to.value[9 * static_cast<std::size_t>(k) + 3 * s + c] = 0;
                to.value[9 * static_cast<std::size_t>(mirror) + 3 * c + s] = 0;
            }
        }
        to.value[9 * static_cast<std::size_t>(to.diagonal[i]) + 4 * c] = 1;
    }
    to.invert_diagonal();
}

/// A_{l+1} = P^T (A P)
void Multigrid::coarsen(std::size_t l)
{
    Level& level = levels_[l];
    const Interpolation& P = level.P;
    FloatBlocks& AP = level.AP;
    parallel_for(
        level.A.rows(),
        [&](Index row) {
            const auto i = static_cast<std::size_t>(row);
            float* const to = &AP.value[9 * static_cast<std::size_t>(AP.row_begin[i])];
            std::fill(to, &AP.value[9 * static_cast<std::size_t>(AP.row_begin[i + 1])], 0.0F);
            const std::uint16_t* slot = &level.slot_in_AP[level.first_in_AP[i]];
            for (Index k = level.A.row_begin[i]; k < level.A.row_begin[i + 1]; ++k) {
                const float* const block = &level.A.value[9 * static_cast<std::size_t>(k)];
                const auto j = static_cast<std::size_t>(level.A.column[static_cast<std::size_t>(k)]);
                for (Index e = P.begin[j]; e < P.begin[j + 1]; ++e, ++slot) {
                    add_scaled(block, P.entries[static_cast<std::size_t>(e)].weight, to + 9 * std::size_t{*slot});
                }
            }
        },
        128);
    FloatBlocks& next = levels_[l + 1].A;
    parallel_for(
        P.coarse,
        [&](Index row) {
            const auto I = static_cast<std::size_t>(row);
            float* const to = &next.value[9 * static_cast<std::size_t>(next.row_begin[I])];
            std::fill(to, &next.value[9 * static_cast<std::size_t>(next.row_begin[I + 1])], 0.0F);
            for (Index e = P.begin_of_coarse[I]; e < P.begin_of_coarse[I + 1]; ++e) {
                const Interpolation::Entry& entry = P.entries_of_coarse[static_cast<std::size_t>(e)];
                const std::uint16_t* slot = &level.slot_in_next[level.first_in_next[static_cast<std::size_t>(e)]];
                const auto i = static_cast<std::size_t>(entry.other);
                for (Index k = AP.row_begin[i]; k < AP.row_begin[i + 1]; ++k, ++slot) {
                    add_scaled(&AP.value[9 * static_cast<std::size_t>(k)], entry.weight, to + 9 * std::size_t{*slot});
                }
            }
        },
        16);
    next.invert_diagonal();
}

void Multigrid::apply(const Prescription& prescription, const Vector& r, Vector& z)
{
    Level& finest = levels_[0];
    const auto rows = static_cast<Index>(node_of_row_.size());
    constexpr Index grain = 2048;
    parallel_for(
        rows,
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            const double* const from = r.data() + 3 * std::ptrdiff_t{node_of_row_[row]};
            for (std::size_t k = 0; k < 3; ++k) finest.r[3 * row + k] = static_cast<float>(from[k]);
        },
        grain);
    cycle(0);
    z.resize(r.size());
    parallel_for(
        rows,
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            double* const to = z.data() + 3 * std::ptrdiff_t{node_of_row_[row]};
            for (std::size_t k = 0; k < 3; ++k) to[k] = finest.z[3 * row + k];
        },
        grain);
    prescription.set_zero(z);
}

/// levels_[l].z from levels_[l].r
void Multigrid::cycle(std::size_t l)
{
    Level& level = levels_[l];
    if (l + 1 == levels_.size()) return solve_last();
    level.A.sweep_down(level.r, level.z, level.t);

    Level& next = levels_[l + 1];
    const Interpolation& P = level.P;
    parallel_for(
        P.coarse,
        [&](Index row) {
            const auto I = static_cast<std::size_t>(row);
            weighted_sum(P.entries_of_coarse, P.begin_of_coarse[I], P.begin_of_coarse[I + 1], level.t, &next.r[3 * I]);
        },
        256);
    cycle(l + 1);
    if (l > 0 && l + 2 < levels_.size()) again(l + 1);

    parallel_for( // z += P e
        level.A.rows(),
        [&](Index row) {
            const auto i = static_cast<std::size_t>(row);
            float e[3];
            weighted_sum(P.entries, P.begin[i], P.begin[i + 1], next.z, e);
            for (std::size_t k = 0; k < 3; ++k) level.z[3 * i + k] += e[k];
        },
        256);
    level.A.sweep_up(level.r, level.z);
}

/// levels_[l].z += what a further cycle says of levels_[l].r - A levels_[l].z
void Multigrid::again(std::size_t l)
{
    Level& level = levels_[l];
    level.first = level.z;
    level.A.subtract_product(level.z, level.r);
    cycle(l);
    for (std::size_t i = 0; i < level.first.size(); ++i) level.z[i] += level.first[i];
}

void Multigrid::solve_last()
{
    Level& level = levels_.back();
    if (last_is_factorised_) {
        const Eigen::Index n = 3 * Eigen::Index{level.A.rows()};
        Eigen::Map<Eigen::VectorXf> z(level.z.data(), n);
        z = Eigen::Map<const Eigen::VectorXf>(level.r.data(), n);
        last_.solveInPlace(z);
        return;
    }
    // Symmetric sweeps: z_{k+1} = z_k + S (r - A z_k)
    FloatVector &r = last_r_, &z = last_z_;
    r = level.r;
    z.assign(level.z.size(), 0);
    for (int k = 0; k < last_sweeps; ++k) {
        level.A.sweep_down(r, level.z, level.t);
        level.A.sweep_up(r, level.z);
        for (std::size_t i = 0; i + 1 < z.size(); ++i) z[i] += level.z[i];
        if (k + 1 == last_sweeps) break;
        r = level.r;
        level.A.subtract_product(z, r);
    }
    level.z = z;
}

} // namespace rubato
