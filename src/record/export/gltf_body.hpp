#pragma once

#include "record/export/smooth_vertices.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace rubato::gltf {

using Box = std::array<float, 6>; ///< low, high

/// Zero for no points.
inline Box box_of(std::span<const float> x)
{
    Box box{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = i % 3;
        box[c] = i < 3 ? x[i] : std::min(box[c], x[i]);
        box[c + 3] = i < 3 ? x[i] : std::max(box[c + 3], x[i]);
    }
    return box;
}

/// What its author called an object: a run of the body's vertices that is a mesh of its own.
struct MovingObject {
    std::string name;
    std::size_t first = 0, count = 0; ///< of the body's vertices
    std::vector<std::vector<Triangle>> triangles_of; ///< without material, then of each; they count from `first`
    std::vector<Box> boxes = {}; ///< of how far it has moved, from the second frame on [m]

    std::span<const float> of(const std::vector<float>& vectors) const
    {
        return std::span(vectors).subspan(3 * first, 3 * count);
    }
    bool short_indices() const { return count <= 65535; } // 65535 itself is not allowed as a number
};

/// A body on its way: where its vertices start, and how each later frame differs from that.
class MovingBody {
public:
    explicit MovingBody(const BodyMesh& mesh)
        : MovingBody(mesh, objects_of(mesh))
    {
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

    FrameBody body;
    Rgb color;
    SmoothVertices vertices;
    MaterialNames materials;
    std::vector<MovingObject> objects; ///< at least one
    std::vector<float> positions, normals; ///< at the first frame [m], [1]
    std::vector<float> moved, turned; ///< of another frame, against the first
    bool moves = false;

private:
    MovingBody(const BodyMesh& mesh, const ObjectNames& names)
        : body(mesh.body)
        , color(mesh.color)
        , vertices(mesh, names)
        , materials(materials_of(mesh.surface))
    {
        const std::vector<Index>& first = vertices.first_of_object();
        for (std::size_t i = 0; i < names.names.size(); ++i) {
            objects.push_back({.name = names.names[i],
                .first = static_cast<std::size_t>(first[i]),
                .count = static_cast<std::size_t>(first[i + 1] - first[i]),
                // One run of triangles for each material, and one for polygons without.
                .triangles_of = std::vector<std::vector<Triangle>>(materials.names.size() + 1)});
        }
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const auto object = static_cast<std::size_t>(names.of_triangle[t]);
            const Index material = materials.of_polygon[static_cast<std::size_t>(mesh.polygon_of[t])];
            Triangle triangle = vertices.triangles()[t];
            for (Index& vertex : triangle) vertex -= first[object];
            objects[object].triangles_of[static_cast<std::size_t>(material + 1)].push_back(triangle);
        }
    }

    void place(std::span<const float> x, std::vector<float>& result) const
    {
        result.resize(3 * vertices.count());
        for (std::size_t i = 0; i < vertices.count(); ++i)
            std::copy_n(x.data() + 3 * vertices.points()[i], 3, result.data() + 3 * i);
    }
};

} // namespace rubato::gltf
