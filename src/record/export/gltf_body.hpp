#pragma once

#include "record/export/smooth_vertices.hpp"

#include <algorithm>
#include <array>

namespace rubato::gltf {

using Box = std::array<float, 6>; ///< low, high

/// Zero for no points.
inline Box box_of(const std::vector<float>& x)
{
    Box box{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i % 3;
        box[c] = i < 3 ? x[i] : std::min(box[c], x[i]);
        box[c + 3] = i < 3 ? x[i] : std::max(box[c + 3], x[i]);
    }
    return box;
}

/// A body on its way: where its vertices start, and how each later frame differs from that.
class MovingBody {
public:
    explicit MovingBody(const BodyMesh& mesh)
        : body(mesh.body)
        , color(mesh.color)
        , vertices(mesh)
        , materials(materials_of(mesh.surface))
    {
        // One run of triangles for each material, and one for polygons without.
        triangles_of.resize(materials.names.size() + 1);
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const Index material = materials.of_polygon[static_cast<std::size_t>(mesh.polygon_of[t])];
            triangles_of[static_cast<std::size_t>(material + 1)].push_back(vertices.triangles()[t]);
        }
    }

    void start(std::span<const float> x)
    {
        place(x, positions);
        vertices.normals(x, normals);
    }
    /// Fills `moved`; false: nothing has.
    bool differ(std::span<const float> x)
    {
        place(x, moved);
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= positions[i];
        return std::any_of(moved.begin(), moved.end(), [](float d) { return d != 0; });
    }
    void turn(std::span<const float> x) ///< fills `turned`
    {
        vertices.normals(x, turned);
        for (std::size_t i = 0; i < turned.size(); ++i) turned[i] -= normals[i];
    }
    std::uint64_t vector_bytes() const { return 12 * vertices.count(); }
    bool short_indices() const { return vertices.count() <= 65535; } // 65535 itself is not allowed as a number

    FrameBody body;
    Rgb color;
    SmoothVertices vertices;
    MaterialNames materials;
    std::vector<std::vector<Triangle>> triangles_of; ///< without material, then of each
    std::vector<float> positions, normals; ///< at the first frame [m], [1]
    std::vector<float> moved, turned; ///< of another frame, against the first
    bool moves = false;
    std::vector<Box> boxes; ///< of `moved`, from the second frame on [m]

private:
    void place(std::span<const float> x, std::vector<float>& result) const
    {
        result.resize(3 * vertices.count());
        for (std::size_t i = 0; i < vertices.count(); ++i)
            std::copy_n(x.data() + 3 * vertices.points()[i], 3, result.data() + 3 * i);
    }
};

} // namespace rubato::gltf
