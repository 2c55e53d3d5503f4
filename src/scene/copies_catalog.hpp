#pragma once

#include "base/options.hpp"
#include "geometry/oriented_box.hpp"

#include <functional>
#include <string>
#include <vector>

/// One body of a scene file may stand for many: in a row, on a grid, or strewn at random.
namespace rubato {

/// Where a copy goes: x -> turn * (x - pivot) + pivot + offset, pivot being the centre of the body's box.
struct CopyPlace {
    Mat3 turn = Mat3::Identity();
    Vec3 offset = Vec3::Zero(); ///< [m]
};

/// What a rule may need to know of the scene.
struct CopySurroundings {
    OrientedBox body; ///< where the scene puts the body itself
    std::vector<OrientedBox> others; ///< bodies that stand already
};

/// One line of the catalog of copies.
struct CopiesEntry {
    std::string name, summary;
    std::vector<OptionSpec> options;
    /// Throws InputError, for instance when there is no room.
    std::function<std::vector<CopyPlace>(const Options&, const CopySurroundings&)> make;
    bool makes_way = false; ///< looks at the others, so it has to be placed after them
};

const std::vector<CopiesEntry>& copies_catalog();

} // namespace rubato
