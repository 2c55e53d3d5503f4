#include "geometry/check.hpp"
#include "geometry/fields/blobs.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/surface_check.hpp"
#include "targets.hpp"

#include <cmath>

namespace rubato::fuzz {

void ask_mesh(const Input& input, const std::filesystem::path&)
{
    const auto& [name, bytes] = *input.files.begin();
    if (name.ends_with(".blobs")) {
        const BlobField field = blobs_from_bytes(bytes, name);
        const Bounds box = field.bounds();
        if (!box.low.allFinite() || !box.high.allFinite()) throw Offence("the bounds of a body are not finite");
        if (std::isnan(field.value(box.center()))) throw Offence("the field of a body is NaN");
        return;
    }
    const MeshFormat& format = mesh_format(name);
    const AnyMesh mesh = format.read(bytes, name);
    if (const TetMesh* tets = std::get_if<TetMesh>(&mesh)) {
        for (const Vec3& x : tets->nodes) {
            if (!x.allFinite()) throw Offence("a node that was read is not finite");
        }
        mesh_mistakes(*tets, name);
        format.read(format.tet_bytes(name, *tets), name);
        return;
    }
    const Surface& surface = std::get<Surface>(mesh);
    for (const Vec3& x : surface.vertices) {
        if (!x.allFinite()) throw Offence("a vertex that was read is not finite");
    }
    format.read(format.surface_bytes(name, surface), name);
    const TriangleMesh triangles = triangulated(surface);
    std::vector<std::string> done;
    const TriangleMesh clean = mended(triangles, done);
    if (!clean.triangles.empty()) not_a_solid(SurfaceField(clean), surface_report(clean));
}

} // namespace rubato::fuzz
