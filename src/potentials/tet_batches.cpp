#include "potentials/tet_batches.hpp"

#include "base/z_order.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <numeric>

namespace rubato {

namespace {

/// Batches of a cluster. Neighbouring clusters have different colours, and what they have in common leaves the cache in
/// between: clusters are as large as leaves enough of each colour for many threads.
Index cluster_size(std::size_t batches)
{
    constexpr std::size_t enough = 256, least = 8, most = 128;
    return static_cast<Index>(std::clamp(batches / enough, least, most));
}

/// Elements in the order in which a curve that fills space meets their centres.
std::vector<Tet> along_a_curve(const std::vector<Tet>& tets, const Vector& X)
{
    std::vector<Vec3> centres;
    for (const Tet& t : tets) centres.push_back(0.25 * (node(X, t[0]) + node(X, t[1]) + node(X, t[2]) + node(X, t[3])));
    std::vector<Tet> out;
    for (const std::size_t e : z_order(centres)) out.push_back(tets[e]);
    return out;
}

/// The first colour that no cluster with one of these nodes has.
class Colouring {
public:
    explicit Colouring(Index nodes)
        : taken_(static_cast<std::size_t>(nodes), 0)
    {
    }
    std::size_t colour(const std::vector<Index>& nodes)
    {
        std::uint64_t taken = 0;
        for (const Index i : nodes) taken |= taken_[static_cast<std::size_t>(i)];
        const int free = taken == ~std::uint64_t{0} ? -1 : __builtin_ctzll(~taken);
        if (free < 0) return beyond_++; // a node with more than 64 clusters: the rest one by one
        for (const Index i : nodes) taken_[static_cast<std::size_t>(i)] |= std::uint64_t{1} << free;
        return static_cast<std::size_t>(free);
    }

private:
    std::vector<std::uint64_t> taken_;
    std::size_t beyond_ = 64;
};

/// items(nodes, lane, out) lists what each element adds to.
template <class Items>
void list_sums(const TetBatches& tets, BatchSums& sums, const Items& items)
{
    std::vector<BatchSums::Item> of_batch;
    for (Index e = 0; e < tets.size; ++e) {
        const Index lane = e % TetBatches::lanes;
        if (lane == 0) of_batch.clear();
        items(tets.nodes(e), lane, of_batch);
        if (lane + 1 == TetBatches::lanes || e + 1 == tets.size) sums.add(of_batch);
    }
}

} // namespace

TetBatches::TetBatches(std::vector<Tet> tets, const Vector& X)
    : size(static_cast<Index>(tets.size()))
{
    tets = along_a_curve(tets, X);
    batches.resize((tets.size() + lanes - 1) / lanes);
    for (Index e = 0; e < static_cast<Index>(batches.size()) * lanes; ++e) {
        Tet t = tets[static_cast<std::size_t>(std::min(e, size - 1))];
        std::sort(t.begin(), t.end());
        Mat3 Dm;
        for (int k = 0; k < 3; ++k) Dm.col(k) = node(X, t[static_cast<std::size_t>(k) + 1]) - node(X, t[0]);
        const Mat3 inverse = Dm.inverse();
        Batch& b = batches[static_cast<std::size_t>(e / lanes)];
        for (int k = 0; k < 9; ++k) b.Dm_inv[k][e % lanes] = inverse(k / 3, k % 3);
        for (std::size_t a = 0; a < 4; ++a) b.nodes[a][e % lanes] = t[a];
        b.volume[e % lanes] = e < size ? std::abs(Dm.determinant()) / 6 : 0;
    }

    list_sums(*this, forces, [](const std::array<Index, 4>& n, int lane, auto& items) {
        for (int a = 0; a < 4; ++a) {
            items.push_back({n[static_cast<std::size_t>(a)], static_cast<std::uint8_t>(TetParts::force(lane, a))});
        }
    });

    Colouring colouring(static_cast<Index>(X.size() / 3));
    const auto count = static_cast<Index>(batches.size());
    const Index together = cluster_size(batches.size());
    for (Index first = 0; first < count; first += together) {
        const Index last = std::min(first + together, count);
        std::vector<Index> touched;
        for (Index e = first * lanes; e < last * lanes; ++e) {
            for (const Index i : nodes(e)) touched.push_back(i);
        }
        const std::size_t colour = colouring.colour(touched);
        if (colours.size() <= colour) colours.resize(colour + 1);
        colours[colour].push_back({first, last});
    }
}

void TetBatches::pattern(BlockPattern& pattern) const
{
    for (Index e = 0; e < size; ++e) {
        const std::array<Index, 4> n = nodes(e);
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a + 1; b < 4; ++b) pattern.add(n[a], n[b]);
        }
    }
}

ListedBatches::ListedBatches(const TetBatches& tets)
    : all_(tets.batches.size(), 0)
{
    Index most = -1;
    for (Index e = 0; e < tets.size; ++e) {
        for (const Index i : tets.nodes(e)) most = std::max(most, i);
        all_[static_cast<std::size_t>(e / TetBatches::lanes)] |= static_cast<std::uint8_t>(1u << e % TetBatches::lanes);
    }
    lanes_ = all_;
    node_begin_.assign(static_cast<std::size_t>(most) + 2, 0);
    for (Index e = 0; e < tets.size; ++e) {
        for (const Index i : tets.nodes(e)) ++node_begin_[static_cast<std::size_t>(i) + 1];
    }
    std::partial_sum(node_begin_.begin(), node_begin_.end(), node_begin_.begin());
    node_elements_.resize(static_cast<std::size_t>(tets.size) * 4);
    std::vector<Index> next = node_begin_;
    for (Index e = 0; e < tets.size; ++e) {
        for (const Index i : tets.nodes(e))
            node_elements_[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = e;
    }
}

void ListedBatches::list(const Region* only)
{
    if (only == nullptr) {
        if (!everything_) lanes_ = all_;
        everything_ = true;
        return;
    }
    if (everything_) {
        std::fill(lanes_.begin(), lanes_.end(), std::uint8_t{0});
    } else {
        for (const Index b : touched_) lanes_[static_cast<std::size_t>(b)] = 0;
    }
    everything_ = false;
    touched_.clear();
    for (const Index i : only->nodes()) {
        if (static_cast<std::size_t>(i) + 1 >= node_begin_.size()) continue;
        for (Index k = node_begin_[static_cast<std::size_t>(i)]; k < node_begin_[static_cast<std::size_t>(i) + 1];
             ++k) {
            const Index e = node_elements_[static_cast<std::size_t>(k)];
            std::uint8_t& bits = lanes_[static_cast<std::size_t>(e / TetBatches::lanes)];
            if (bits == 0) touched_.push_back(e / TetBatches::lanes);
            bits |= static_cast<std::uint8_t>(1u << e % TetBatches::lanes);
        }
    }
}

const BatchSums& BatchSlots::in(const TetBatches& tets, const BlockMatrix& matrix)
{
    constexpr std::size_t most_tables = 16; // the system's matrix and those of terms that freeze their own take turns
    for (const Table& table : tables_) {
        if (table.root_id == matrix.root_id()) return table.slots;
    }
    if (tables_.size() == most_tables) tables_.erase(tables_.begin());
    Table table{.root_id = matrix.root_id(), .slots = {}};
    list_sums(tets, table.slots, [&](const std::array<Index, 4>& n, int lane, auto& items) {
        std::uint8_t part = static_cast<std::uint8_t>(TetParts::block(lane, 0));
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = a; b < 4; ++b) items.push_back({matrix.root_slot(n[a], n[b]), part++});
        }
    });
    tables_.push_back(std::move(table));
    return tables_.back().slots;
}

} // namespace rubato
