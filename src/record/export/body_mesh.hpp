#pragma once

#include "picture/image.hpp"
#include "record/frame_file.hpp"

namespace rubato {

/// A body of a file of frames by itself, in numbers of its own.
struct BodyMesh {
    FrameBody body; ///< its name and its ranges in the file
    Surface surface; ///< at rest, as its author made it; texture coordinates and parts of this body alone
    std::vector<Triangle> triangles;
    std::vector<Index> polygon_of; ///< of which each triangle is a piece
    Rgb color; ///< for formats that show one
};

/// All bodies and obstacles, in order. Throws InputError where the parts of the file do not fit each other.
std::vector<BodyMesh> body_meshes(FrameReader& reader);

/// The materials that a surface names.
struct MaterialNames {
    std::vector<std::string> names; ///< in the order in which they appear
    std::vector<Index> of_polygon; ///< -1: none
};
MaterialNames materials_of(const Surface& surface);

/// The objects that the author of a body's surface made it of. Polygons without an object's name are an object of the
/// body's own name.
struct ObjectNames {
    std::vector<std::string> names; ///< in the order in which they appear; at least one
    std::vector<Index> of_triangle;
};
ObjectNames objects_of(const BodyMesh& mesh);

/// Names of material files, which a file of frames gives as seen from its own folder, as seen from another folder.
void name_materials_from(const std::filesystem::path& folder, const FrameReader& reader, Surface& surface);

} // namespace rubato
