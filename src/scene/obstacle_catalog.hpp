#pragma once

#include "base/options.hpp"
#include "contact/collision_surface.hpp"
#include "geometry/oriented_box.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Things that bodies run into: they have no mass, and stay where they are or follow a script.
namespace rubato {

/// What an obstacle consists of where it starts.
struct ObstacleShape {
    TriangleMesh surface = {}; ///< its nodes collide, alone or as corners of its triangles [m]
    std::vector<Edge> edges = {}; ///< between these nodes, of a thing without triangles
    double radius = 0; ///< how thick nodes, edges and triangles are [m]
    TriangleMesh shown = {}; ///< what is seen where that is not the surface [m]
    std::optional<HalfSpace> half_space = {}; ///< then there is nothing else
    std::optional<OrientedBox> room = {}; ///< that it takes: bodies strewn at random stay clear of it
};

/// What an obstacle may need to know of the scene.
struct ObstacleSite {
    const std::filesystem::path& folder; ///< a file name (always the option "path") is relative to it
    Vec3 up = Vec3::UnitY(); ///< of length 1
    Mat3 turn = Mat3::Identity(); ///< of the "rotate" part
};

/// One line of the catalog of obstacles.
struct ObstacleEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError.
    std::function<ObstacleShape(const Options&, const ObstacleSite&)> make;
    bool turns = false; ///< has a "rotate" part
    bool moves = true; ///< may have a "motion"
    std::string first_name = {}; ///< of one without a name, if that is free; else its type and a number
};

const std::vector<ObstacleEntry>& obstacle_catalog();

} // namespace rubato
