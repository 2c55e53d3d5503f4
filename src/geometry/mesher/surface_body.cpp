#include "geometry/mesher/surface_body.hpp"

#include "base/errors.hpp"
#include "geometry/quality.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rubato {

namespace {

constexpr double noticeable = 0.05; ///< part of a volume whose loss is worth a word

std::string counted(std::int64_t n, const char* one, const char* many)
{
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::vector<std::string> notes_of(const Solid& solid, const SurfaceBody& body)
{
    std::vector<std::string> notes = solid.changes;
    const SurfaceReport& surface = solid.mended;
    if (!surface.holes.empty()) {
        notes.push_back(fmt::format("closed {} (the longest has a rim of {:.4g} m)",
            counted(static_cast<std::int64_t>(surface.holes.size()), "hole", "holes"), surface.holes.front().length));
    }
    if (surface.crossing > 0) {
        notes.push_back(fmt::format("{} of triangles pass through each other; what lies inside any shell is filled",
            counted(surface.crossing, "pair", "pairs")));
    }
    if (body.mesher.dropped_crumbs > 0) {
        notes.push_back(fmt::format("dropped {}, {:.3g} m^3 in all",
            counted(body.mesher.dropped_crumbs, "loose crumb", "loose crumbs"), body.mesher.dropped_volume));
    }
    // The divergence theorem knows the volume of a clean surface.
    const MeshQuality quality = mesh_quality(body.tets);
    if (surface.clean() && surface.signed_volume > 0) {
        const double off = quality.volume / surface.signed_volume - 1;
        if (std::abs(off) > noticeable) {
            notes.push_back(fmt::format("the mesh has {:.3g}% {} volume than the surface encloses; shorter edges keep "
                                        "thin parts",
                100 * std::abs(off), off < 0 ? "less" : "more"));
        }
    }
    if (quality.components > 1) {
        notes.push_back(
            fmt::format("the mesh is in {} pieces that do not touch; each moves on its own", quality.components));
    }
    return notes;
}

} // namespace

Solid solid_within(const TriangleMesh& surface, const std::string& file)
{
    if (surface.triangles.empty()) throw InputError(Mistake{.file = file, .message = "holds no polygons"});
    std::vector<std::string> changes;
    SurfaceReport found = surface_report(surface);
    TriangleMesh clean = mended(surface, changes);
    if (clean.triangles.empty()) {
        throw InputError(Mistake{.file = file, .message = "holds no triangle that has an area"});
    }
    SurfaceReport report = surface_report(clean);
    Solid solid{std::move(found), std::move(report), std::move(changes), SurfaceField(std::move(clean))};
    if (const std::optional<std::string> why = not_a_solid(solid.field, solid.mended)) {
        throw InputError(Mistake{.file = file, .message = *why});
    }
    return solid;
}

SurfaceBody meshed(const Solid& solid, const MesherOptions& options)
{
    SurfaceBody body;
    body.tets = stuffed(solid.field, options, &body.mesher);
    body.notes = notes_of(solid, body);
    return body;
}

SurfaceBody meshed(const TriangleMesh& surface, const std::string& file, const MesherOptions& options)
{
    return meshed(solid_within(surface, file), options);
}

} // namespace rubato
