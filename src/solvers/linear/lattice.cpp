#include "solvers/linear/lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato {

namespace {

/// Numbers the nodes that rows refer to, and writes the rows with these numbers.
class Rows {
public:
    void add(const LatticeNode& node, float weight) { nodes_.push_back({node, weight}); }
    void end_row() { ends_.push_back(nodes_.size()); }

    Interpolation numbered(std::vector<LatticeNode>& lattice) const
    {
        lattice.clear();
        for (const auto& [node, weight] : nodes_) lattice.push_back(node);
        std::sort(lattice.begin(), lattice.end());
        lattice.erase(std::unique(lattice.begin(), lattice.end()), lattice.end());

        Interpolation out;
        out.coarse = static_cast<Index>(lattice.size());
        std::size_t next = 0;
        for (const std::size_t end : ends_) {
            for (; next < end; ++next) {
                const auto at = std::lower_bound(lattice.begin(), lattice.end(), nodes_[next].node);
                out.entries.push_back({static_cast<Index>(at - lattice.begin()), nodes_[next].weight});
            }
            out.begin.push_back(static_cast<Index>(out.entries.size()));
        }
        out.finish();
        return out;
    }

private:
    struct Weighted {
        LatticeNode node;
        float weight;
    };
    std::vector<Weighted> nodes_;
    std::vector<std::size_t> ends_;
};

} // namespace

void Interpolation::finish()
{
    begin_of_coarse.assign(static_cast<std::size_t>(coarse) + 1, 0);
    for (const Entry& e : entries) ++begin_of_coarse[static_cast<std::size_t>(e.other) + 1];
    for (std::size_t i = 1; i < begin_of_coarse.size(); ++i) begin_of_coarse[i] += begin_of_coarse[i - 1];
    entries_of_coarse.resize(entries.size());
    std::vector<Index> next(begin_of_coarse.begin(), begin_of_coarse.end() - 1);
    for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
        for (Index k = begin[i]; k < begin[i + 1]; ++k) {
            const Entry& e = entries[static_cast<std::size_t>(k)];
            Index& to = next[static_cast<std::size_t>(e.other)];
            entries_of_coarse[static_cast<std::size_t>(to++)] = {static_cast<Index>(i), e.weight};
        }
    }
}

Interpolation Interpolation::with_rows(const std::vector<Index>& order) const
{
    Interpolation out;
    out.coarse = coarse;
    out.entries.reserve(entries.size());
    for (const Index i : order) {
        const auto first = entries.begin() + begin[static_cast<std::size_t>(i)];
        out.entries.insert(out.entries.end(), first, entries.begin() + begin[static_cast<std::size_t>(i) + 1]);
        out.begin.push_back(static_cast<Index>(out.entries.size()));
    }
    out.finish();
    return out;
}

std::vector<Index> connected_bodies(const BlockStructure& graph)
{
    std::vector<Index> body(static_cast<std::size_t>(graph.rows()), -1), waiting;
    Index bodies = 0;
    for (Index first = 0; first < graph.rows(); ++first) {
        const auto f = static_cast<std::size_t>(first);
        if (body[f] >= 0 || graph.row_begin[f + 1] - graph.row_begin[f] < 2) continue; // the diagonal is always there
        waiting.assign(1, first);
        body[f] = bodies;
        while (!waiting.empty()) {
            const auto i = static_cast<std::size_t>(waiting.back());
            waiting.pop_back();
            for (Index k = graph.row_begin[i]; k < graph.row_begin[i + 1]; ++k) {
                const Index j = graph.column[static_cast<std::size_t>(k)];
                if (body[static_cast<std::size_t>(j)] >= 0) continue;
                body[static_cast<std::size_t>(j)] = bodies;
                waiting.push_back(j);
            }
        }
        ++bodies;
    }
    return body;
}

Interpolation onto_lattices(const BlockStructure& graph, const std::vector<Index>& body, const Vector& X, double ratio,
    std::vector<LatticeNode>& lattice)
{
    struct Grid {
        Vec3 origin = Vec3::Constant(1e300);
        double edges = 0;
        Index count = 0;
    };
    std::vector<Grid> grids;
    for (Index i = 0; i < graph.rows(); ++i) {
        const Index b = body[static_cast<std::size_t>(i)];
        if (b < 0) continue;
        if (grids.size() <= static_cast<std::size_t>(b)) grids.resize(static_cast<std::size_t>(b) + 1);
        Grid& grid = grids[static_cast<std::size_t>(b)];
        grid.origin = grid.origin.cwiseMin(Vec3(node(X, i)));
        for (Index k = graph.row_begin[static_cast<std::size_t>(i)];
             k < graph.row_begin[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index j = graph.column[static_cast<std::size_t>(k)];
            if (j <= i) continue;
            grid.edges += (node(X, i) - node(X, j)).norm();
            ++grid.count;
        }
    }

    Rows rows;
    for (Index i = 0; i < graph.rows(); ++i) {
        const Index b = body[static_cast<std::size_t>(i)];
        if (b >= 0) {
            const Grid& grid = grids[static_cast<std::size_t>(b)];
            const Vec3 u = (node(X, i) - grid.origin) / (ratio * grid.edges / grid.count);
            const Vec3 low = u.array().floor();
            const Vec3 inside = u - low;
            // The corners of the tetrahedron of node i: from the lowest along the axes, the longest first.
            std::array<int, 3> axis{0, 1, 2};
            std::sort(axis.begin(), axis.end(), [&](int p, int q) { return inside[p] > inside[q]; });
            LatticeNode corner{b, {static_cast<int>(low[0]), static_cast<int>(low[1]), static_cast<int>(low[2])}};
            double before = 1;
            for (int k = 0; k <= 3; ++k) {
                const double next = k < 3 ? inside[axis[static_cast<std::size_t>(k)]] : 0;
                constexpr double nothing = 1e-4;
                if (before - next > nothing) rows.add(corner, static_cast<float>(before - next));
                if (k < 3) ++corner.at[axis[static_cast<std::size_t>(k)]];
                before = next;
            }
        }
        rows.end_row();
    }
    return rows.numbered(lattice);
}

Interpolation onto_coarser(const std::vector<LatticeNode>& fine, std::vector<LatticeNode>& coarse)
{
    Rows rows;
    for (const LatticeNode& node : fine) {
        LatticeNode low = node, high = node;
        for (int k = 0; k < 3; ++k) {
            low.at[k] = node.at[k] >> 1;
            high.at[k] = (node.at[k] + 1) >> 1;
        }
        if (low == high) {
            rows.add(low, 1);
        } else {
            rows.add(low, 0.5F);
            rows.add(high, 0.5F);
        }
        rows.end_row();
    }
    return rows.numbered(coarse);
}

} // namespace rubato
