#include "geometry/files/surface_draft.hpp"

#include <algorithm>

namespace rubato {

namespace {

bool same_names(const SurfacePart& a, const SurfacePart& b)
{
    return a.object == b.object && a.group == b.group && a.material == b.material;
}

} // namespace

void add_polygon(
    Surface& surface, const SurfacePart& names, std::span<const Index> corners, std::span<const Index> texture)
{
    if (surface.polygons.empty()) surface.polygons.push_back(0);
    const auto polygon = static_cast<Index>(surface.polygon_count());
    if (surface.parts.empty() && !same_names(names, {})) {
        if (polygon > 0) surface.parts.emplace_back(); // those so far have no names
        surface.parts.push_back({polygon, names.object, names.group, names.material});
    } else if (!surface.parts.empty() && !same_names(names, surface.parts.back())) {
        surface.parts.push_back({polygon, names.object, names.group, names.material});
    }

    const bool textured = std::any_of(texture.begin(), texture.end(), [](Index i) { return i >= 0; });
    if (textured && surface.corner_texture.empty()) surface.corner_texture.assign(surface.corners.size(), -1);
    if (textured || !surface.corner_texture.empty()) {
        for (std::size_t i = 0; i < corners.size(); ++i) {
            surface.corner_texture.push_back(texture.empty() ? -1 : texture[i]);
        }
    }
    surface.corners.insert(surface.corners.end(), corners.begin(), corners.end());
    surface.polygons.push_back(static_cast<Index>(surface.corners.size()));
}

} // namespace rubato
