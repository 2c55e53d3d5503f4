#include "geometry/embedding.hpp"

#include "base/parallel.hpp"
#include "geometry/bounds.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rubato {

namespace {

using Weights = std::array<double, 4>;

/// Barycentric coordinates: w_k = (volume with corner k replaced by p) / volume.
Weights barycentric(const TetMesh& mesh, const Tet& tet, const Vec3& p)
{
    const auto& [a, b, c, d] = tet;
    const std::vector<Vec3>& X = mesh.nodes;
    const auto at = [&](Index i) -> const Vec3& { return X[static_cast<std::size_t>(i)]; };
    const double volume = det_of_edges(at(a), at(b), at(c), at(d));
    const double wb = det_of_edges(at(a), p, at(c), at(d)) / volume;
    const double wc = det_of_edges(at(a), at(b), p, at(d)) / volume;
    const double wd = det_of_edges(at(a), at(b), at(c), p) / volume;
    return {1 - wb - wc - wd, wb, wc, wd};
}

double least(const Weights& w) { return *std::min_element(w.begin(), w.end()); }

/// The tetrahedra by the cells of a regular grid that their boxes touch, cells about as large as a tetrahedron.
class TetGrid {
public:
    explicit TetGrid(const TetMesh& mesh)
        : mesh_(mesh)
        , box_(bounds(mesh.nodes))
    {
        // About one cell per tetrahedron in the box of the mesh; a thin direction still has one.
        const Vec3 size = box_.size().cwiseMax(1e-6 * box_.diagonal());
        cell_ = std::cbrt(size.prod() / static_cast<double>(mesh.tets.size()));
        for (int k = 0; k < 3; ++k) count_[k] = static_cast<Index>(std::clamp(std::ceil(size[k] / cell_), 1.0, 512.0));
        cell_ = std::max(cell_, (size.array() / count_.cast<double>()).maxCoeff());

        first_.assign(static_cast<std::size_t>(count_.prod()) + 1, 0);
        for_cells([&](std::size_t cell, Index) { ++first_[cell + 1]; });
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        tets_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for_cells([&](std::size_t cell, Index tet) { tets_[next[cell]++] = tet; });
    }

    /// The tetrahedron that holds p, the one in which it lies deepest if several do within round-off; -1 for none.
    Index holder(const Vec3& p, Weights& weights) const
    {
        constexpr double round_off = 1e-12;
        if ((p.array() < box_.low.array()).any() || (p.array() > box_.high.array()).any()) return -1;
        const std::size_t cell = number(cell_of(p));
        Index best = -1;
        double deepest = -round_off;
        for (std::size_t i = first_[cell]; i < first_[cell + 1]; ++i) {
            const Weights w = barycentric(mesh_, mesh_.tets[static_cast<std::size_t>(tets_[i])], p);
            if (least(w) <= deepest) continue;
            deepest = least(w);
            best = tets_[i];
            weights = w;
        }
        return best;
    }

private:
    using Cell = Eigen::Array<Index, 3, 1>;

    Cell cell_of(const Vec3& p) const
    {
        return ((p - box_.low) / cell_).array().floor().cast<Index>().max(0).min(count_ - 1);
    }
    std::size_t number(const Cell& c) const
    {
        return static_cast<std::size_t>((c[2] * count_[1] + c[1]) * count_[0] + c[0]);
    }

    template <class Visit>
    void for_cells(const Visit& visit) const
    {
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            Vec3 low = mesh_.nodes[static_cast<std::size_t>(mesh_.tets[e][0])], high = low;
            for (const Index i : mesh_.tets[e]) {
                low = low.cwiseMin(mesh_.nodes[static_cast<std::size_t>(i)]);
                high = high.cwiseMax(mesh_.nodes[static_cast<std::size_t>(i)]);
            }
            const Cell from = cell_of(low), to = cell_of(high);
            Cell c;
            for (c[2] = from[2]; c[2] <= to[2]; ++c[2]) {
                for (c[1] = from[1]; c[1] <= to[1]; ++c[1]) {
                    for (c[0] = from[0]; c[0] <= to[0]; ++c[0]) visit(number(c), static_cast<Index>(e));
                }
            }
        }
    }

    const TetMesh& mesh_;
    Bounds box_;
    double cell_ = 1; ///< edge of a cell [m]
    Cell count_;
    std::vector<std::size_t> first_; ///< where the tetrahedra of each cell begin
    std::vector<Index> tets_;
};

} // namespace

Embedding embedded(const std::vector<Vec3>& points, const TetMesh& rest, std::vector<double>* outside)
{
    assert(!rest.tets.empty());
    const TetGrid grid(rest);
    const std::vector<Index> behind = tets_behind_boundary(rest.tets);
    const TriangleTree boundary(TriangleMesh{rest.nodes, boundary_triangles(rest.tets)});

    Embedding embedding;
    embedding.nodes.resize(points.size());
    embedding.weights.resize(points.size());
    if (outside) outside->assign(points.size(), 0.0);
    parallel_for(static_cast<Index>(points.size()), [&](Index point) {
        const auto i = static_cast<std::size_t>(point);
        Weights weights;
        Index tet = grid.holder(points[i], weights);
        if (tet < 0) {
            const TriangleTree::Closest nearest = boundary.closest(points[i]);
            if (outside) (*outside)[i] = std::sqrt(nearest.d2);
            tet = behind[static_cast<std::size_t>(nearest.triangle)];
            weights = barycentric(rest, rest.tets[static_cast<std::size_t>(tet)], points[i]);
        }
        embedding.nodes[i] = rest.tets[static_cast<std::size_t>(tet)];
        embedding.weights[i] = weights;
    });
    return embedding;
}

Embedding at_nodes(const std::vector<Index>& nodes)
{
    Embedding embedding;
    for (const Index i : nodes) {
        embedding.nodes.push_back({i, i, i, i});
        embedding.weights.push_back({1, 0, 0, 0});
    }
    return embedding;
}

void append(Embedding& embedding, const Embedding& more, Index first_node)
{
    for (Tet nodes : more.nodes) {
        for (Index& i : nodes) i += first_node;
        embedding.nodes.push_back(nodes);
    }
    embedding.weights.insert(embedding.weights.end(), more.weights.begin(), more.weights.end());
}

void positions(const Embedding& embedding, const Vector& x, std::vector<Vec3>& points)
{
    points.resize(embedding.count());
    parallel_for(static_cast<Index>(embedding.count()), [&](Index point) {
        const auto i = static_cast<std::size_t>(point);
        const auto& [a, b, c, d] = embedding.nodes[i];
        const Weights& w = embedding.weights[i];
        // Along edges from the first corner: a point at a node is there to the last bit.
        const Vec3 xa = node(x, a);
        points[i] = xa + w[1] * (node(x, b) - xa) + w[2] * (node(x, c) - xa) + w[3] * (node(x, d) - xa);
    });
}

} // namespace rubato
