#pragma once

#include "base/parallel.hpp"
#include "dynamics/assembly.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

/// From elements to the system: how element results become global sums. Tetrahedra, of which there are many, add theirs
/// without tables (tet_batches.hpp).
///
/// Elements of K nodes are evaluated in parallel, each writing into its own row of three tables; then every node (and
/// every block of the matrix) gathers what belongs to it through a list fixed when the scene is built:
///
///     element e:   value[e]   gradient[e] (3K)   block[e][(a, b)], a <= b (9 each)
///                     |            |                  |
///                 ordered sum   per node           per block (i, j), i <= j
///
/// Nothing is added concurrently, so the result has the same bits for any number of threads, and nothing is allocated
/// after the first call with a given matrix pattern.
namespace rubato {

template <int K>
class ElementScatter {
public:
    using Nodes = std::array<Index, K>;
    using LocalVector = Eigen::Matrix<double, 3 * K, 1>;
    using LocalMatrix = Eigen::Matrix<double, 3 * K, 3 * K>;
    static constexpr int pairs = K * (K + 1) / 2; ///< blocks (a, b) with a <= b, row by row

    ElementScatter() = default;
    explicit ElementScatter(std::vector<Nodes> elements)
        : elements_(std::move(elements))
    {
        values_.resize(elements_.size());
        gradients_.resize(elements_.size());
        group_by_node();
    }

    Index size() const { return static_cast<Index>(elements_.size()); }
    const Nodes& nodes(Index e) const { return elements_[static_cast<std::size_t>(e)]; }

    void pattern(BlockPattern& pattern) const
    {
        for (const Nodes& element : elements_) {
            for (int a = 0; a < K; ++a) {
                for (int b = a + 1; b < K; ++b) pattern.add(element[a], element[b]);
            }
        }
    }

    /// Evaluates `kernel(e, g, H)` for every element and adds the sums to `out`. The kernel returns the element's value
    /// and fills g and H where they are not null. Blocks of elements that `out` knows are still there.
    template <class Kernel>
    void run(Assembly& out, const Kernel& kernel)
    {
        const bool wants_gradient = out.gradient != nullptr;
        const bool wants_hessian = out.hessian != nullptr;
        if (wants_hessian) {
            blocks_.resize(static_cast<std::size_t>(size()) * pairs);
        }
        list_elements(out.only);
        const auto element = [&](Index k) { return out.only != nullptr ? listed_[static_cast<std::size_t>(k)] : k; };
        values_.resize(out.only != nullptr ? listed_.size() : elements_.size());
        parallel_for(
            static_cast<Index>(values_.size()),
            [&](Index k) {
                const Index e = element(k);
                const auto row = static_cast<std::size_t>(e);
                if (out.knows(nodes(e))) return;
                LocalMatrix H;
                if (wants_hessian) H.setZero();
                if (wants_gradient) gradients_[row].setZero();
                values_[static_cast<std::size_t>(k)]
                    = kernel(e, wants_gradient ? &gradients_[row] : nullptr, wants_hessian ? &H : nullptr);
                if (!wants_hessian) return;
                Mat3* block = &blocks_[row * pairs];
                for (int a = 0; a < K; ++a) {
                    for (int b = a; b < K; ++b) *block++ = H.template block<3, 3>(3 * a, 3 * b);
                }
            },
            32);
        if (out.value != nullptr) *out.value += out.value_weight * ordered_sum(values_);
        if (wants_gradient) gather_gradient(*out.gradient, out.gradient_weight, out.only);
        if (wants_hessian) gather_hessian(slots_in(*out.hessian), *out.hessian, out.hessian_weight, out.only);
    }

private:
    struct NodeEntry {
        Index element;
        int local;
    };
    struct SlotGroup {
        Index slot; // of (i, j), i <= j, in the root pattern
        Index begin; // first entry in SlotTable::entries
    };
    struct SlotEntry {
        Index block; // in blocks_
        bool transposed; // the element numbers its nodes the other way round
    };
    struct SlotTable { // what each block of one matrix pattern gathers
        std::uint64_t root_id = 0;
        std::vector<SlotGroup> groups; // the last one only marks the end
        std::vector<SlotEntry> entries;
        std::vector<Index> row_begin; // first group of each row i
    };

    void group_by_node()
    {
        Index most = -1;
        for (const Nodes& element : elements_) {
            for (const Index i : element) most = std::max(most, i);
        }
        node_begin_.assign(static_cast<std::size_t>(most) + 2, 0);
        for (const Nodes& element : elements_) {
            for (const Index i : element) ++node_begin_[static_cast<std::size_t>(i) + 1];
        }
        for (std::size_t i = 1; i < node_begin_.size(); ++i) node_begin_[i] += node_begin_[i - 1];
        node_entries_.resize(elements_.size() * K);
        std::vector<Index> next(node_begin_.begin(), node_begin_.end());
        for (Index e = 0; e < size(); ++e) {
            for (int a = 0; a < K; ++a) {
                auto& position = next[static_cast<std::size_t>(nodes(e)[a])];
                node_entries_[static_cast<std::size_t>(position++)] = {e, a};
            }
        }
    }

    /// The table for this pattern, made on first sight. A few are kept: the system's matrix and those of terms that
    /// freeze a stiffness of their own take turns.
    const SlotTable& slots_in(const BlockMatrix& matrix)
    {
        constexpr std::size_t most_tables = 16;
        for (const SlotTable& table : slot_tables_) {
            if (table.root_id == matrix.root_id()) return table;
        }
        if (slot_tables_.size() == most_tables) slot_tables_.erase(slot_tables_.begin());
        slot_tables_.push_back(grouped_by_slot(matrix));
        return slot_tables_.back();
    }

    SlotTable grouped_by_slot(const BlockMatrix& matrix) const
    {
        struct Item {
            Index slot;
            SlotEntry entry;
        };
        std::vector<Item> items;
        items.reserve(elements_.size() * pairs);
        for (Index e = 0; e < size(); ++e) {
            Index block = e * pairs;
            for (int a = 0; a < K; ++a) {
                for (int b = a; b < K; ++b, ++block) {
                    const Index i = std::min(nodes(e)[a], nodes(e)[b]);
                    const Index j = std::max(nodes(e)[a], nodes(e)[b]);
                    items.push_back({matrix.root_slot(i, j), {block, nodes(e)[a] > nodes(e)[b]}});
                }
            }
        }
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.slot < b.slot; });
        SlotTable table{.root_id = matrix.root_id(), .groups = {}, .entries = {}, .row_begin = {}};
        for (const Item& item : items) {
            if (table.groups.empty() || table.groups.back().slot != item.slot) {
                table.groups.push_back({item.slot, static_cast<Index>(table.entries.size())});
            }
            table.entries.push_back(item.entry);
        }
        Index group = 0;
        for (Index row = 0; row <= matrix.rows(); ++row) {
            const auto groups = static_cast<Index>(table.groups.size());
            const Index first = matrix.root().row_begin[static_cast<std::size_t>(row)];
            while (group < groups && table.groups[static_cast<std::size_t>(group)].slot < first) ++group;
            table.row_begin.push_back(group);
        }
        table.groups.push_back({-1, static_cast<Index>(table.entries.size())});
        return table;
    }

    /// listed_: the elements that have a node of the region, in the order in which its nodes meet them.
    void list_elements(const Region* only)
    {
        listed_.clear();
        if (only == nullptr) return;
        is_listed_.resize(elements_.size(), 0);
        for (const Index i : only->nodes()) {
            if (static_cast<std::size_t>(i) + 1 >= node_begin_.size()) continue;
            for (Index k = node_begin_[static_cast<std::size_t>(i)]; k < node_begin_[static_cast<std::size_t>(i) + 1];
                 ++k) {
                const Index e = node_entries_[static_cast<std::size_t>(k)].element;
                if (is_listed_[static_cast<std::size_t>(e)] != 0) continue;
                is_listed_[static_cast<std::size_t>(e)] = 1;
                listed_.push_back(e);
            }
        }
        for (const Index e : listed_) is_listed_[static_cast<std::size_t>(e)] = 0;
    }

    void gather_gradient(Vector& gradient, double weight, const Region* only) const
    {
        const auto count = static_cast<Index>(node_begin_.size()) - 1;
        parallel_for(
            only != nullptr ? only->size() : count,
            [&](Index n) {
                const Index i = only != nullptr ? only->nodes()[static_cast<std::size_t>(n)] : n;
                if (i >= count) return;
                const Index first = node_begin_[static_cast<std::size_t>(i)];
                const Index last = node_begin_[static_cast<std::size_t>(i) + 1];
                if (first == last) return;
                Vec3 sum = Vec3::Zero();
                for (Index k = first; k < last; ++k) {
                    const NodeEntry& entry = node_entries_[static_cast<std::size_t>(k)];
                    sum += gradients_[static_cast<std::size_t>(entry.element)].template segment<3>(3 * entry.local);
                }
                node(gradient, i) += weight * sum;
            },
            128);
    }

    /// Blocks (i, j), i <= j, belong to the groups of row i. All elements that meet at a node of a region are listed.
    void gather_hessian(const SlotTable& slots, BlockMatrix& hessian, double weight, const Region* only) const
    {
        const auto gather = [&](Index k) { gather_block(slots, k, hessian, weight); };
        if (only == nullptr) {
            parallel_for(static_cast<Index>(slots.groups.size()) - 1, gather, 128);
            return;
        }
        parallel_for(
            only->size(),
            [&](Index n) {
                const auto i = static_cast<std::size_t>(only->nodes()[static_cast<std::size_t>(n)]);
                for (Index k = slots.row_begin[i]; k < slots.row_begin[i + 1]; ++k) gather(k);
            },
            8);
    }

    void gather_block(const SlotTable& slots, Index k, BlockMatrix& hessian, double weight) const
    {
        const SlotGroup& group = slots.groups[static_cast<std::size_t>(k)];
        const Index last = slots.groups[static_cast<std::size_t>(k) + 1].begin;
        Mat3 sum = Mat3::Zero();
        for (Index n = group.begin; n < last; ++n) {
            const SlotEntry& entry = slots.entries[static_cast<std::size_t>(n)];
            const Mat3& block = blocks_[static_cast<std::size_t>(entry.block)];
            if (entry.transposed) {
                sum += block.transpose();
            } else {
                sum += block;
            }
        }
        hessian.block(hessian.from_root(group.slot)) += weight * sum;
    }

    std::vector<Nodes> elements_;
    std::vector<double> values_;
    std::vector<LocalVector> gradients_;
    std::vector<Mat3> blocks_;
    std::vector<Index> listed_; // elements of the region that was asked for last
    std::vector<char> is_listed_; // work
    std::vector<Index> node_begin_;
    std::vector<NodeEntry> node_entries_;
    std::vector<SlotTable> slot_tables_;
};

} // namespace rubato
