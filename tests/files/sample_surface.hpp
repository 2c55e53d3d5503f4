#pragma once

#include "geometry/surface.hpp"

namespace rubato {

inline bool operator==(const SurfacePart& a, const SurfacePart& b)
{
    return a.first_polygon == b.first_polygon && a.object == b.object && a.group == b.group && a.material == b.material;
}

/// A triangle, a quadrangle and a pentagon with names and an unused vertex; coordinates need all their digits.
inline Surface sample_surface()
{
    Surface s;
    for (int i = 0; i < 7; ++i) s.vertices.emplace_back(1.0 / (i + 3), i * i / 7.0 - 1e-9, i % 2 == 0 ? -1e5 / 3 : 0);
    s.corners = {0, 1, 2, 0, 2, 3, 5, 1, 2, 3, 5, 6};
    s.polygons = {0, 3, 7, 12};
    s.parts = {{0, "", "", ""}, {1, "", "left side", ""}, {2, "", "lid", ""}};
    return s;
}

/// The same with all kinds of names and texture coordinates at corners, one polygon without.
inline Surface rich_surface()
{
    Surface s = sample_surface();
    s.texture = {{0.1, 1.0 / 3}, {1, 0}, {-2.5, 0.7}};
    s.corner_texture = {-1, -1, -1, 0, 1, 2, 0, 2, 1, 0, 0, 1};
    s.parts = {{0, "body", "left side", "red <1>"}, {1, "body", "", "red <1>"}, {2, "arm & hand", "lid", ""}};
    s.material_files = {"my colours.mtl", "b.mtl"};
    return s;
}

/// The same with a texture coordinate of its own at each vertex.
inline Surface vertex_textured_surface()
{
    Surface s = sample_surface();
    for (std::size_t i = 0; i < s.vertices.size(); ++i) s.texture.emplace_back(i / 3.0, 1 - i / 7.0);
    s.corner_texture = s.corners;
    return s;
}

} // namespace rubato
