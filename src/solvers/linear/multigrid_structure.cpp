#include "base/z_order.hpp"
#include "solvers/linear/multigrid.hpp"

#include <algorithm>

/// What multigrid makes once for a body, or when contacts come and go: levels, orders, and where products go.
namespace rubato {

namespace {

constexpr double spacing = 2.6; // of the first lattice, in mean edges of the mesh
constexpr Index few = 48; // nodes of a level that is factorised

/// Adds rows to the structure of a product, and notes where in its row each contribution goes.
class ProductRows {
public:
    explicit ProductRows(Index columns)
        : place_(static_cast<std::size_t>(columns), -1)
    {
    }
    /// each(f) calls f(J) for the column J of every contribution, in the order in which they will be added up.
    template <class Each>
    void add(FloatBlocks& product, std::vector<std::uint16_t>& slots, const Each& each)
    {
        columns_.clear();
        each([&](Index J) {
            if (place_[static_cast<std::size_t>(J)] >= 0) return;
            place_[static_cast<std::size_t>(J)] = 0;
            columns_.push_back(J);
        });
        std::sort(columns_.begin(), columns_.end());
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            place_[static_cast<std::size_t>(columns_[k])] = static_cast<Index>(k);
        }
        each([&](Index J) { slots.push_back(static_cast<std::uint16_t>(place_[static_cast<std::size_t>(J)])); });
        for (const Index J : columns_) place_[static_cast<std::size_t>(J)] = -1;
        product.column.insert(product.column.end(), columns_.begin(), columns_.end());
        product.row_begin.push_back(static_cast<Index>(product.column.size()));
    }

private:
    std::vector<Index> place_, columns_;
};

} // namespace

void Multigrid::lay_lattices(const BlockMatrix& A)
{
    lattices_of_ = A.root_id();
    structure_of_ = 0;
    levels_.assign(1, {});
    std::vector<LatticeNode> lattice, coarser;
    const std::vector<Index> body = connected_bodies(A.root());
    follow_curve(body);
    Interpolation next = onto_lattices(A.root(), body, X_, spacing, lattice);
    for (Index rows = A.rows(); next.coarse > 0 && next.coarse < rows;) {
        rows = next.coarse;
        (levels_.size() == 1 ? P_of_nodes_ : levels_.back().P) = std::move(next);
        levels_.push_back({});
        if (rows <= few) break;
        next = onto_coarser(lattice, coarser);
        lattice.swap(coarser);
    }
}

/// Bodies one after the other, each along a curve: what is swept together is close together.
void Multigrid::follow_curve(const std::vector<Index>& body)
{
    std::vector<Vec3> points;
    for (Index i = 0; i < static_cast<Index>(body.size()); ++i) points.push_back(node(X_, i));
    along_curve_.clear();
    for (const std::size_t i : z_order(points)) along_curve_.push_back(static_cast<Index>(i));
    std::stable_sort(along_curve_.begin(), along_curve_.end(),
        [&](Index i, Index j) { return body[static_cast<std::size_t>(i)] < body[static_cast<std::size_t>(j)]; });
}

/// The rows of the finest level, in an order that suits sweeps.
void Multigrid::order_rows(const BlockMatrix& A)
{
    node_of_row_ = along_curve_;
    FloatBlocks& finest = levels_[0].A;
    finest.order = SweepOrder::coloured(A.row_begin(), A.column(), node_of_row_);
    row_of_node_.resize(node_of_row_.size());
    held_.resize(node_of_row_.size());
    for (std::size_t row = 0; row < node_of_row_.size(); ++row) {
        row_of_node_[static_cast<std::size_t>(node_of_row_[row])] = static_cast<Index>(row);
    }
    finest.row_begin.assign(1, 0);
    finest.column.clear();
    source_.clear();
    std::vector<std::pair<Index, Index>> row; // column, block of A
    for (const Index i : node_of_row_) {
        row.clear();
        for (Index k = A.row_begin()[static_cast<std::size_t>(i)]; k < A.row_begin()[static_cast<std::size_t>(i) + 1];
             ++k) {
            row.emplace_back(row_of_node_[static_cast<std::size_t>(A.column()[static_cast<std::size_t>(k)])], k);
        }
        std::sort(row.begin(), row.end());
        for (const auto& [column, k] : row) {
            finest.column.push_back(column);
            source_.push_back(k);
        }
        finest.row_begin.push_back(static_cast<Index>(finest.column.size()));
    }
    if (levels_.size() > 1) levels_[0].P = P_of_nodes_.with_rows(node_of_row_);
}

/// Which blocks the matrices of all levels have, and where the products go.
void Multigrid::find_structure(const BlockMatrix& A)
{
    structure_of_ = A.pattern_id();
    order_rows(A);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        Level& level = levels_[l];
        level.A.make_room();
        level.A.find_diagonal();
        if (l > 0) level.A.order = SweepOrder::one_after_the_other(level.A.rows());
        const auto n = static_cast<std::size_t>(level.A.rows());
        for (FloatVector* v : {&level.r, &level.z, &level.t}) v->assign(3 * n + 1, 0);
        if (l + 1 == levels_.size()) break;

        const Interpolation& P = level.P;
        ProductRows rows(P.coarse);
        level.AP = {};
        level.slot_in_AP.clear();
        level.first_in_AP.clear();
        for (std::size_t i = 0; i < n; ++i) {
            level.first_in_AP.push_back(level.slot_in_AP.size());
            rows.add(level.AP, level.slot_in_AP, [&](const auto& with) {
                for (Index k = level.A.row_begin[i]; k < level.A.row_begin[i + 1]; ++k) {
                    const auto j = static_cast<std::size_t>(level.A.column[static_cast<std::size_t>(k)]);
                    for (Index e = P.begin[j]; e < P.begin[j + 1]; ++e)
                        with(P.entries[static_cast<std::size_t>(e)].other);
                }
            });
        }
        level.AP.make_room();

        FloatBlocks& next = levels_[l + 1].A;
        next = {};
        level.slot_in_next.clear();
        level.first_in_next.clear();
        std::size_t first = 0;
        for (std::size_t I = 0; I < static_cast<std::size_t>(P.coarse); ++I) {
            rows.add(next, level.slot_in_next, [&](const auto& with) {
                for (Index e = P.begin_of_coarse[I]; e < P.begin_of_coarse[I + 1]; ++e) {
                    const auto i = static_cast<std::size_t>(P.entries_of_coarse[static_cast<std::size_t>(e)].other);
                    for (Index k = level.AP.row_begin[i]; k < level.AP.row_begin[i + 1]; ++k) {
                        with(level.AP.column[static_cast<std::size_t>(k)]);
                    }
                }
            });
            for (Index e = P.begin_of_coarse[I]; e < P.begin_of_coarse[I + 1]; ++e) {
                const auto i = static_cast<std::size_t>(P.entries_of_coarse[static_cast<std::size_t>(e)].other);
                level.first_in_next.push_back(first);
                first += static_cast<std::size_t>(level.AP.row_begin[i + 1] - level.AP.row_begin[i]);
            }
        }
    }
}

} // namespace rubato
