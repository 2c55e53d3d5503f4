#include "geometry/generators.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rubato {

namespace {

// A corner of a cell is a number of three bits: bit 0 says high x, bit 1 high y, bit 2 high z.
using CornerNumbers = std::array<int, 4>;

constexpr std::array<CornerNumbers, 6> kuhn_tets
    = {{{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};

/// Diagonals of the faces join the corners of even parity; in every other cell they must join the odd ones.
constexpr std::array<CornerNumbers, 5> even_tets
    = {{{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}}};

Vec3 corner_position(int corner) { return Vec3(corner & 1, corner >> 1 & 1, corner >> 2 & 1); }

/// The same corners in an order of positive volume.
CornerNumbers oriented(CornerNumbers c)
{
    const double det
        = det_of_edges(corner_position(c[0]), corner_position(c[1]), corner_position(c[2]), corner_position(c[3]));
    if (det < 0) std::swap(c[2], c[3]);
    return c;
}

/// Pattern of the cell; `odd` says whether i + j + k is.
std::vector<CornerNumbers> cell_tets(CellSplit split, bool odd)
{
    std::vector<CornerNumbers> tets;
    if (split == CellSplit::kuhn) {
        for (const CornerNumbers& c : kuhn_tets) tets.push_back(oriented(c));
    } else {
        for (CornerNumbers c : even_tets) {
            if (odd) {
                for (int& corner : c) corner ^= 1; // mirrored along x
            }
            tets.push_back(oriented(c));
        }
    }
    return tets;
}

void require_box(const Vec3& size, const std::array<int, 3>& cells, CellSplit split)
{
    std::vector<Mistake> mistakes;
    double tets = split == CellSplit::kuhn ? 6 : 5;
    for (int a = 0; a < 3; ++a) {
        if (!(size[a] > 0 && std::isfinite(size[a]))) {
            mistakes.push_back({"", 0, fmt::format("size[{}]", a), fmt::format("{}", size[a]), "must be > 0 [m]"});
        }
        if (cells[a] < 1) {
            mistakes.push_back({"", 0, fmt::format("cells[{}]", a), fmt::format("{}", cells[a]), "must be >= 1"});
        }
        tets *= cells[a];
    }
    if (mistakes.empty() && tets > most_generated_tets) {
        mistakes.push_back({"", 0, "cells", fmt::format("[{}, {}, {}]", cells[0], cells[1], cells[2]),
            fmt::format("gives {:.0f} tetrahedra; at most {} are generated", tets, most_generated_tets)});
    }
    if (!mistakes.empty()) throw InputError(mistakes);
}

} // namespace

std::vector<std::string> cell_split_names() { return {"kuhn", "five"}; }

CellSplit cell_split(std::string_view name)
{
    if (name == "kuhn") return CellSplit::kuhn;
    if (name == "five") return CellSplit::five;
    throw InputError({"", 0, "split", std::string(name), "must be one of kuhn, five"});
}

TetMesh box_mesh(const Vec3& size, std::array<int, 3> cells, CellSplit split)
{
    require_box(size, cells, split);
    const auto [nx, ny, nz] = cells;
    const auto node_at = [nx = nx, ny = ny](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
    // (2 i - n) / 2 n instead of i / n - 1/2: opposite nodes are then mirror images to the last bit.
    const auto place = [](double length, int i, int n) { return length * ((2.0 * i - n) / (2.0 * n)); };

    TetMesh mesh;
    mesh.nodes.reserve(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
    for (const char* name : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "surface"}) mesh.groups[name];
    auto& group = mesh.groups;
    for (int k = 0; k <= nz; ++k) {
        for (int j = 0; j <= ny; ++j) {
            for (int i = 0; i <= nx; ++i) {
                const Index n = node_at(i, j, k);
                mesh.nodes.emplace_back(place(size[0], i, nx), place(size[1], j, ny), place(size[2], k, nz));
                if (i == 0) group["x_min"].push_back(n);
                if (i == nx) group["x_max"].push_back(n);
                if (j == 0) group["y_min"].push_back(n);
                if (j == ny) group["y_max"].push_back(n);
                if (k == 0) group["z_min"].push_back(n);
                if (k == nz) group["z_max"].push_back(n);
                if (i == 0 || i == nx || j == 0 || j == ny || k == 0 || k == nz) group["surface"].push_back(n);
            }
        }
    }

    const std::vector<CornerNumbers> patterns[2] = {cell_tets(split, false), cell_tets(split, true)};
    mesh.tets.reserve(patterns[0].size() * nx * ny * nz);
    for (int k = 0; k < nz; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                for (const CornerNumbers& corners : patterns[(i + j + k) % 2]) {
                    Tet tet;
                    for (int c = 0; c < 4; ++c) {
                        const int corner = corners[c];
                        tet[c] = node_at(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1));
                    }
                    mesh.tets.push_back(tet);
                }
            }
        }
    }
    return mesh;
}

} // namespace rubato
