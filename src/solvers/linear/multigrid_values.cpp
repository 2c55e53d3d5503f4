#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "solvers/linear/multigrid.hpp"

#include <algorithm>
#include <cstring>

/// What multigrid makes for every matrix: its values in single precision, and the products P^T (A P) of all levels.
namespace rubato {

namespace {

constexpr Index most_dense
    = 300; // nodes up to which a factorisation is cheap enough where bodies are too many for fewer
constexpr Index most_places = 128; // of a row whose sums are kept on the stack

/// Of which a block fills nine; the others are not used.
typedef float Sixteen __attribute__((vector_size(64)));
typedef float SixteenAnywhere __attribute__((vector_size(64), aligned(4)));
typedef float Eight __attribute__((vector_size(32), aligned(4)));
typedef double EightDoubles __attribute__((vector_size(64), aligned(8)));

/// A row of blocks at `to`: each(add) calls add(block, weight, place) for everything that it is the sum of.
template <class Each>
[[gnu::always_inline]] inline void sum_row(Index places, float* to, const Each& each)
{
    if (places > most_places) { // where very many bodies touch
        std::fill(to, to + 9 * std::ptrdiff_t{places}, 0.0F);
        each([&](const float* block, float weight, std::uint16_t place) {
            for (int k = 0; k < 9; ++k) to[9 * std::ptrdiff_t{place} + k] += weight * block[k];
        });
        return;
    }
    Sixteen sum[most_places];
    for (Index k = 0; k < places; ++k) sum[k] = Sixteen{};
    each([&](const float* block, float weight, std::uint16_t place) {
        sum[place] += weight * *reinterpret_cast<const SixteenAnywhere*>(block);
    });
    for (Index k = 0; k < places; ++k, to += 9) std::memcpy(to, &sum[k], 9 * sizeof(float));
}

struct RowOfBlocks {
    const float* value;
    const Index* column;
    Index count;
};

/// A row of A P. Of P: where the entries of each node begin.
RUBATO_FOR_EVERY_PROCESSOR
void fine_row(const RowOfBlocks& A, const Index* begin, const Interpolation::Entry* entries, const std::uint16_t* place,
    Index places, float* to)
{
    float last[16] = {}; // a copy: what lies behind the last block may just be written by another thread
    std::memcpy(last, A.value + 9 * std::ptrdiff_t{A.count - 1}, 9 * sizeof(float));
    sum_row(places, to, [&](const auto& add) {
        for (Index k = 0; k < A.count; ++k) {
            const float* const block = k + 1 < A.count ? A.value + 9 * std::ptrdiff_t{k} : last;
            for (Index e = begin[A.column[k]]; e < begin[A.column[k] + 1]; ++e) {
                add(block, entries[e].weight, *place++);
            }
        }
    });
}

/// A row of P^T (A P): `count` entries of P in its column, each with a row of A P, whose blocks go to places from
/// first_place on.
RUBATO_FOR_EVERY_PROCESSOR
void coarse_row(const Interpolation::Entry* entries, Index count, const float* AP, const Index* AP_begin,
    const std::size_t* first_place, const std::uint16_t* place, Index places, float* to)
{
    sum_row(places, to, [&](const auto& add) {
        for (Index e = 0; e < count; ++e) {
            const std::uint16_t* next = place + first_place[e];
            for (Index k = AP_begin[entries[e].other]; k < AP_begin[entries[e].other + 1]; ++k) {
                add(AP + 9 * std::ptrdiff_t{k}, entries[e].weight, *next++);
            }
        }
    });
}

/// Blocks in single precision, from where `source` says.
RUBATO_FOR_EVERY_PROCESSOR
void copy_blocks(const double* from, const Index* source, Index count, float* to)
{
    for (Index k = 0; k < count; ++k, to += 9) {
        const double* const block = from + 9 * std::ptrdiff_t{source[k]};
        *reinterpret_cast<Eight*>(to) = __builtin_convertvector(*reinterpret_cast<const EightDoubles*>(block), Eight);
        to[8] = static_cast<float>(block[8]);
    }
}

/// Asks for a row of the matrix that will be copied soon: rows are copied in another order than they lie in.
[[gnu::always_inline]] inline void fetch_row(const BlockMatrix& A, Index node)
{
    const auto row = static_cast<std::size_t>(node);
    const double* const values = A.value().data();
    for (const double *at = values + 9 * std::ptrdiff_t{A.row_begin()[row]},
                      *end = values + 9 * std::ptrdiff_t{A.row_begin()[row + 1]};
         at < end; at += 64 / sizeof(double)) {
        __builtin_prefetch(at);
    }
}

} // namespace

void Multigrid::prepare(const BlockMatrix& A, const Prescription& prescription)
{
    if (lattices_of_ != A.root_id()) lay_lattices(A);
    if (structure_of_ != A.pattern_id()) find_structure(A);
    find_held(prescription);
    constexpr Index few = 32; // rows, which are still at hand when their inverses and products are made
    parallel_for((A.rows() + few - 1) / few,
        [&](Index piece) {
            const Index first = piece * few, last = std::min(first + few, A.rows());
            for (Index i = first; i < last; ++i) copy_row(A, i);
            for (Index i = first; i < last; ++i) {
                levels_[0].A.invert_diagonal(i);
                if (levels_.size() > 1) multiply_by_P(levels_[0], i);
            }
        },
        4);
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) coarsen(l);
    factorise_last();
}

/// Which of the three unknowns of each row are prescribed, as bits.
void Multigrid::find_held(const Prescription& prescription)
{
    std::fill(held_.begin(), held_.end(), std::uint8_t{0});
    for (const Eigen::Index unknown : prescription.unknowns()) {
        const auto row = static_cast<std::size_t>(row_of_node_[static_cast<std::size_t>(unknown / 3)]);
        held_[row] = static_cast<std::uint8_t>(held_[row] | 1U << unknown % 3);
    }
}

/// Prescribed unknowns have a row and a column of zeros, but for a one on the diagonal.
void Multigrid::copy_row(const BlockMatrix& A, Index i)
{
    constexpr Index ahead = 4; // rows
    if (i + ahead < A.rows()) fetch_row(A, node_of_row_[static_cast<std::size_t>(i + ahead)]);
    FloatBlocks& to = levels_[0].A;
    const auto row = static_cast<std::size_t>(i);
    const auto first = static_cast<std::size_t>(to.row_begin[row]),
               last = static_cast<std::size_t>(to.row_begin[row + 1]);
    copy_blocks(A.value().data(), &source_[first], static_cast<Index>(last - first), &to.value[9 * first]);
    for (std::size_t k = first; k < last; ++k) {
        const unsigned of_row = held_[row], of_column = held_[static_cast<std::size_t>(to.column[k])];
        if ((of_row | of_column) == 0) continue;
        for (unsigned c = 0; c < 3; ++c) {
            for (unsigned r = 0; r < 3; ++r) {
                if (((of_row >> r | of_column >> c) & 1) != 0) to.value[9 * k + 3 * c + r] = 0;
            }
        }
    }
    for (unsigned c = 0; c < 3; ++c) {
        if ((held_[row] >> c & 1) != 0) to.value[9 * static_cast<std::size_t>(to.diagonal[row]) + 4 * c] = 1;
    }
}

void Multigrid::multiply_by_P(Level& level, Index i)
{
    const auto row = static_cast<std::size_t>(i);
    const Index first = level.A.row_begin[row], first_to = level.AP.row_begin[row];
    fine_row({&level.A.value[9 * static_cast<std::size_t>(first)], &level.A.column[static_cast<std::size_t>(first)],
                 level.A.row_begin[row + 1] - first},
        level.P.begin.data(), level.P.entries.data(), &level.slot_in_AP[level.first_in_AP[row]],
        level.AP.row_begin[row + 1] - first_to, &level.AP.value[9 * static_cast<std::size_t>(first_to)]);
}

/// A_{l+1} = P^T (A P), and A P of that level.
void Multigrid::coarsen(std::size_t l)
{
    const Level& level = levels_[l];
    const Interpolation& P = level.P;
    Level& next = levels_[l + 1];
    parallel_for(
        P.coarse,
        [&](Index row) {
            const auto I = static_cast<std::size_t>(row);
            const auto first = static_cast<std::size_t>(P.begin_of_coarse[I]);
            const Index first_to = next.A.row_begin[I];
            coarse_row(&P.entries_of_coarse[first], P.begin_of_coarse[I + 1] - P.begin_of_coarse[I],
                level.AP.value.data(), level.AP.row_begin.data(), &level.first_in_next[first],
                level.slot_in_next.data(), next.A.row_begin[I + 1] - first_to,
                &next.A.value[9 * static_cast<std::size_t>(first_to)]);
            next.A.invert_diagonal(row);
            if (l + 2 < levels_.size()) multiply_by_P(next, row);
        },
        16);
}

void Multigrid::factorise_last()
{
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

} // namespace rubato
