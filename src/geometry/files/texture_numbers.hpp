#pragma once

#include "geometry/surface.hpp"

#include <map>
#include <utility>

namespace rubato {

/// Numbers texture coordinates in the order of first appearance, equal ones alike.
class TextureNumbers {
public:
    explicit TextureNumbers(std::vector<Eigen::Vector2d>& texture)
        : texture_(texture)
    {
    }

    Index number(const Eigen::Vector2d& uv)
    {
        const auto [place, is_new] = numbers_.try_emplace({uv[0], uv[1]}, static_cast<Index>(texture_.size()));
        if (is_new) texture_.push_back(uv);
        return place->second;
    }

private:
    std::vector<Eigen::Vector2d>& texture_;
    std::map<std::pair<double, double>, Index> numbers_;
};

/// Each vertex has one texture coordinate, the one of its own number.
inline bool has_vertex_texture(const Surface& surface)
{
    return surface.texture.size() == surface.vertices.size() && !surface.corner_texture.empty()
        && surface.corner_texture == surface.corners;
}

} // namespace rubato
