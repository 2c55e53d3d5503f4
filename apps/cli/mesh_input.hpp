#pragma once

#include "geometry/signed_field.hpp"
#include "geometry/surface.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace rubato::cli {

/// What `rubato mesh` was given.
struct MeshInput {
    std::string name; ///< of the body, for captions and scenes
    std::string file; ///< empty for a body that comes with the program
    std::variant<TetMesh, Surface, std::unique_ptr<SignedField>> shape;
};

/// A mesh file, a .blobs file, or the name of a built-in body; `settings` (option=value) are those of a solid.
/// InputError for anything else.
MeshInput mesh_input(const std::string& what, const std::vector<std::string>& settings);

/// Names of the bodies that come with the program.
std::vector<std::string> body_names();

} // namespace rubato::cli
