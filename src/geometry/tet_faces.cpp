#include "geometry/tet_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

std::vector<TetFace> sorted_faces(const std::vector<Tet>& tets, const std::vector<char>& counts, std::size_t node_count)
{
    const auto face_at = [&](std::size_t tet, int face) {
        TetFace f{tet_face(tets[tet], face), static_cast<std::int64_t>(4 * tet) + face};
        std::sort(f.sorted.begin(), f.sorted.end());
        return f;
    };
    // One bucket for each lowest node: small enough to be sorted in the cache.
    std::vector<std::size_t> begin(node_count + 1, 0);
    for (std::size_t e = 0; e < tets.size(); ++e) {
        for (int f = 0; f < 4 && counts[e]; ++f) ++begin[face_at(e, f).sorted[0] + 1];
    }
    for (std::size_t i = 0; i < node_count; ++i) begin[i + 1] += begin[i];
    std::vector<TetFace> faces(begin[node_count]);
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < tets.size(); ++e) {
        for (int f = 0; f < 4 && counts[e]; ++f) {
            const TetFace face = face_at(e, f);
            faces[next[face.sorted[0]]++] = face;
        }
    }
    for (std::size_t i = 0; i < node_count; ++i) {
        std::sort(faces.begin() + static_cast<std::ptrdiff_t>(begin[i]),
            faces.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]), [](const TetFace& a, const TetFace& b) {
                return a.sorted != b.sorted ? a.sorted < b.sorted : a.place < b.place;
            });
    }
    return faces;
}

namespace {

double longest_edge(const std::vector<Vec3>& nodes, const Tet& tet)
{
    double longest2 = 0;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) longest2 = std::max(longest2, (nodes[tet[i]] - nodes[tet[j]]).squaredNorm());
    }
    return std::sqrt(longest2);
}

double det(const std::vector<Vec3>& nodes, const Tet& tet)
{
    return det_of_edges(nodes[tet[0]], nodes[tet[1]], nodes[tet[2]], nodes[tet[3]]);
}

} // namespace

VolumeSign volume_sign(const std::vector<Vec3>& nodes, const Tet& tet)
{
    // Rounding moves the determinant by a few units in the last place of L^3, L the longest edge; below that the sign
    // means nothing.
    const double L = longest_edge(nodes, tet);
    const double noise = 16 * std::numeric_limits<double>::epsilon() * L * L * L;
    const double six_volumes = det(nodes, tet);
    if (!std::isfinite(six_volumes) || !std::isfinite(noise)) return VolumeSign::not_finite;
    if (std::abs(six_volumes) <= noise) return VolumeSign::zero;
    return six_volumes > 0 ? VolumeSign::positive : VolumeSign::negative;
}

double relative_volume(const std::vector<Vec3>& nodes, const Tet& tet)
{
    const double L = longest_edge(nodes, tet);
    return L > 0 ? std::sqrt(2.0) * det(nodes, tet) / (L * L * L) : 0;
}

} // namespace rubato
