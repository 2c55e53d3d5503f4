#include "solvers/linear/multigrid.hpp"

#include "base/parallel.hpp"

namespace rubato {

namespace {

constexpr double making = 8; // blocks gone through in the time in which one is copied, inverted and multiplied by P
constexpr int last_sweeps = 4; // in place of a factorisation that is too large or breaks down

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

/// Every visit of a level goes through its matrix twice, and the last level through its dense factor.
PreconditionerWork Multigrid::work() const
{
    PreconditionerWork work;
    double visits = 1;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const auto blocks = static_cast<double>(levels_[l].A.column.size());
        const bool is_last = l + 1 == levels_.size();
        if (l > 1 && !is_last) visits *= 2; // W-cycle
        work.to_make += making * blocks;
        if (!is_last) {
            work.to_apply += visits * 2 * blocks;
        } else if (last_is_factorised_) {
            const auto nodes = static_cast<double>(levels_[l].A.rows());
            work.to_make += nodes * nodes * nodes / 2; // (3 nodes)^3/3 operations, 18 in the time of a block
            work.to_apply += visits * nodes * nodes;
        } else {
            work.to_apply += visits * 3 * last_sweeps * blocks;
        }
    }
    return work;
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
