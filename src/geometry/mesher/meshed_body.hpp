#pragma once

#include "geometry/mesher/stuffing.hpp"
#include "geometry/quality.hpp"
#include "geometry/surface_check.hpp"

#include <string>
#include <vector>

namespace rubato {

/// A surface that was looked at, mended as far as that is safe, and found to enclose something.
struct Solid {
    SurfaceReport found; ///< of the surface as it came
    SurfaceReport mended; ///< of what the field is made of
    std::vector<std::string> changes; ///< what was mended
    SurfaceField field;
};

/// InputError that names the file and says why the surface encloses no volume that can be trusted.
Solid solid_within(const TriangleMesh& surface, const std::string& file);

/// Tetrahedra inside a surface or a field.
struct MeshedBody {
    TetMesh tets;
    MesherReport mesher;
    MeshQuality quality;
    std::vector<std::string> notes; ///< what the user should know: what was mended or closed, and what got lost
};
MeshedBody meshed(const SignedField& field, const MesherOptions& options);
MeshedBody meshed(const Solid& solid, const MesherOptions& options);

} // namespace rubato
