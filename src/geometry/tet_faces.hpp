#pragma once

#include "geometry/tet_mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace rubato {

/// Faces of a tetrahedron of positive volume, counter-clockwise seen from outside; face f lies opposite corner f.
inline constexpr int tet_face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

inline Triangle tet_face(const Tet& tet, int face)
{
    const int* c = tet_face_corners[face];
    return {tet[c[0]], tet[c[1]], tet[c[2]]};
}

/// A face of a tetrahedron, found by its nodes.
struct TetFace {
    Triangle sorted; ///< ascending
    std::int64_t place; ///< 4 * tetrahedron + face

    std::size_t tet() const { return static_cast<std::size_t>(place / 4); }
    int face() const { return static_cast<int>(place % 4); }
};

/// All faces of the tetrahedra that `counts` is 1 for, by nodes, then by place: faces of the same nodes follow each
/// other. The nodes must be from 0 to node_count - 1.
std::vector<TetFace> sorted_faces(
    const std::vector<Tet>& tets, const std::vector<char>& counts, std::size_t node_count);

/// Calls `use` with each run of faces of the same nodes.
template <class Use>
void for_shared_faces(const std::vector<TetFace>& faces, Use use)
{
    for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
        while (end < faces.size() && faces[end].sorted == faces[begin].sorted) ++end;
        use(std::span<const TetFace>(faces).subspan(begin, end - begin));
    }
}

/// The sign of a volume, as far as rounding lets it be known.
enum class VolumeSign { positive, zero, negative, not_finite };
VolumeSign volume_sign(const std::vector<Vec3>& nodes, const Tet& tet);

/// Volume in relation to the longest edge L: 6 sqrt(2) V / L^3, 1 for a regular tetrahedron, 0 for a flat one.
double relative_volume(const std::vector<Vec3>& nodes, const Tet& tet);

} // namespace rubato
