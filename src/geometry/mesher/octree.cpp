#include "geometry/mesher/octree.hpp"

#include "base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rubato::mesher {

namespace {

constexpr int place_bits = 19;

std::uint64_t key_of(int level, const CellPlace& at)
{
    std::uint64_t key = static_cast<std::uint64_t>(level);
    for (int a = 0; a < 3; ++a) key = key << place_bits | static_cast<std::uint64_t>(at[a]);
    return key;
}

/// `excess`: how many times too many cells would come of this edge length.
TooFine too_fine(double edge, double excess)
{
    return TooFine(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge),
        fmt::format("is too short for this body: the mesh would exceed the largest that is generated; try {:.2g} [m]",
            1.2 * edge * std::sqrt(excess))});
}

} // namespace

Octree::Octree(const ZeroSet& surface, double cell, int surface_level, int top_level, double most_cells)
    : surface_(surface)
    , cell_(cell)
    , surface_level_(surface_level)
    , top_level_(top_level)
    , most_cells_(most_cells)
{
    const Bounds box = surface.field().bounds();
    const double near = cell * (1 << surface_level), reach = box.size().maxCoeff() + 6 * near;
    if (!box.low.allFinite() || !box.high.allFinite() || !(box.size().minCoeff() >= 0)) {
        throw InputError(Mistake{"", 0, "field", fmt::format("{}", reach), "the bounds of the body must be finite"});
    }
    while (cell * (1 << root_level_) < reach) {
        if (++root_level_ < place_bits) continue;
        throw too_fine(surface.length(), std::pow(reach / near, 2) / most_cells);
    }
    root_level_ = std::max(root_level_, top_level);
    // The odd offset keeps lattice points off the planes of bodies that are built of round numbers.
    origin_ = box.center() - Vec3::Constant(cell * (1 << root_level_) / 2) + near * Vec3(0.0713, 0.1137, 0.0531);
    grow({Cell{root_level_, {0, 0, 0}, 0, Cell::leaf}});
    balance();
}

Index Octree::find(int level, const CellPlace& at) const
{
    for (int a = 0; a < 3; ++a) {
        if (at[a] < 0 || at[a] >= 1 << std::max(root_level_ - level, 0)) return FlatMap::none;
    }
    return index_.at(key_of(level, at));
}

Index Octree::covering(int level, CellPlace at) const
{
    if (std::min({at[0], at[1], at[2]}) < 0) return FlatMap::none;
    for (; level <= root_level_; ++level) {
        const Index i = find(level, at);
        if (i >= 0) return i;
        for (std::int32_t& x : at) x >>= 1;
    }
    return FlatMap::none;
}

Index Octree::leaf_at(const Vec3& p) const
{
    const Vec3 at = (p - origin_) / cell_;
    if (!(at.minCoeff() >= 0 && at.maxCoeff() < 1 << root_level_)) return FlatMap::none;
    CellPlace place = {static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])};
    for (int level = 0; level <= top_level_; ++level) {
        const Index i = find(level, place);
        if (i >= 0) return cells_[i].state == Cell::leaf ? i : FlatMap::none;
        for (std::int32_t& x : place) x >>= 1;
    }
    return FlatMap::none;
}

Cell::State Octree::state_of(const Cell& cell) const
{
    const double length = cell_ * (1 << cell.level), near = cell_ * (1 << surface_level_);
    const double clear = std::abs(cell.value) / surface_.field().steepness() - length * std::sqrt(3.0) / 2;
    if (cell.value > 0 && clear > near) return Cell::outside;
    if (cell.level > top_level_) return Cell::split;
    // Beside a coarse leaf lies one leaf of the surface level, which the surface must not touch either.
    return cell.level > surface_level_ && clear < std::max(2 * near, 0.4 * length) ? Cell::split : Cell::leaf;
}

void Octree::append_children(Index parent, std::vector<Cell>& children)
{
    Cell& p = cells_[parent];
    p.state = Cell::split;
    for (int corner = 0; corner < 8; ++corner) {
        Cell child;
        child.level = p.level - 1;
        for (int a = 0; a < 3; ++a) child.at[a] = 2 * p.at[a] + (corner >> a & 1);
        children.push_back(child);
    }
}

void Octree::grow(std::vector<Cell> cells)
{
    while (!cells.empty()) {
        if (static_cast<double>(cells_.size() + cells.size()) > most_cells_) throw too_fine(surface_.length(), 2);
        parallel_for(static_cast<Index>(cells.size()), [&](Index i) {
            Cell& c = cells[i];
            const double length = cell_ * (1 << c.level);
            c.value = surface_.value(origin_ + length * Vec3(c.at[0] + 0.5, c.at[1] + 0.5, c.at[2] + 0.5));
            c.state = state_of(c);
        });
        std::vector<Cell> children;
        for (const Cell& c : cells) {
            const Index i = static_cast<Index>(cells_.size());
            cells_.push_back(c);
            index_.set(key_of(c.level, c.at), i);
            if (c.state == Cell::split) append_children(i, children);
        }
        cells = std::move(children);
        // Cells at the surface quadruple from level to level: what cannot be finished need not be begun.
        if (cells.size() > 4000 && cells.front().level > surface_level_) {
            const double expected
                = static_cast<double>(cells.size()) * std::pow(4, cells.front().level - surface_level_);
            if (expected > 4 * most_cells_) throw too_fine(surface_.length(), expected / most_cells_);
        }
    }
}

void Octree::balance()
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int level = 0; level + 2 <= top_level_; ++level) {
            std::vector<Index> coarse;
            for (const Cell& c : cells_) {
                if (c.state != Cell::leaf || c.level != level) continue;
                for (int n = 0; n < 27; ++n) {
                    const Index i
                        = covering(level, {c.at[0] + n % 3 - 1, c.at[1] + n / 3 % 3 - 1, c.at[2] + n / 9 - 1});
                    if (i >= 0 && cells_[i].level >= level + 2 && cells_[i].state == Cell::leaf) coarse.push_back(i);
                }
            }
            std::sort(coarse.begin(), coarse.end());
            coarse.erase(std::unique(coarse.begin(), coarse.end()), coarse.end());
            if (coarse.empty()) continue;
            changed = true;
            std::vector<Cell> children;
            for (const Index i : coarse) append_children(i, children);
            grow(std::move(children));
        }
    }
}

void Octree::refine(const std::vector<Index>& leaves)
{
    std::vector<Cell> children;
    for (const Index i : leaves) append_children(i, children);
    grow(std::move(children));
    balance();
}

void Octree::take_in(const std::vector<Index>& outside)
{
    std::vector<Cell> children;
    for (const Index i : outside) {
        if (cells_[i].level > surface_level_) {
            append_children(i, children);
        } else {
            cells_[i].state = Cell::leaf;
        }
    }
    grow(std::move(children));
    balance();
}

} // namespace rubato::mesher
