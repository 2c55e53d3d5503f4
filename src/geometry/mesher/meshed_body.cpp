#include "geometry/mesher/meshed_body.hpp"

#include "base/errors.hpp"
#include "geometry/listing.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rubato {

namespace {

constexpr double noticeable = 0.05; ///< part of a volume whose loss is worth a word

/// What a mesh may have lost of any field.
std::vector<std::string> losses(const MeshQuality& quality, const MesherReport& mesher)
{
    std::vector<std::string> notes;
    if (!mesher.met) {
        notes.push_back(fmt::format(
            "{} nodes are needed to keep the body whole; {} were asked for", quality.nodes, mesher.wanted_nodes));
    } else if (mesher.wanted_nodes > 0 && std::abs(1.0 * quality.nodes / mesher.wanted_nodes - 1) > 0.2) {
        notes.push_back(fmt::format("the mesh has {} nodes; {} were asked for", quality.nodes, mesher.wanted_nodes));
    }
    if (mesher.lost_surface > noticeable) {
        notes.push_back(
            fmt::format("{:.2g}% of the surface has no mesh near it: parts too thin for these edges are lost",
                100 * mesher.lost_surface));
    }
    if (mesher.contacts > 0) {
        notes.push_back(fmt::format(
            "the boundary touches itself in {}", counted(mesher.contacts, "node or edge", "nodes or edges")));
    }
    if (mesher.crossings > 0) {
        notes.push_back(fmt::format("{} of boundary triangles pass through each other; shorter edges avoid that",
            counted(mesher.crossings, "pair", "pairs")));
    }
    if (mesher.dropped_crumbs > 0) {
        notes.push_back(fmt::format("dropped {}, {:.3g} m^3 in all",
            counted(mesher.dropped_crumbs, "loose crumb", "loose crumbs"), mesher.dropped_volume));
    }
    if (quality.components > 1) {
        notes.push_back(fmt::format("the mesh is in {} pieces that do not touch, and each will move on its own; if the "
                                    "body is one, its edges are too long",
            quality.components));
    }
    return notes;
}

/// What the surface was like, and how much of its volume is filled.
std::vector<std::string> flaws(const Solid& solid, const MeshQuality& quality)
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
    // Shells that face outward and do not meet are bodies of their own.
    const std::int64_t bodies = surface.components - surface.cavities;
    if (surface.clean() && quality.components < bodies) {
        notes.push_back(
            fmt::format("the surface has {} that do not touch, but the mesh is in {}: gaps between them are "
                        "bridged or small ones lost; shorter edges keep them apart",
                counted(bodies, "body", "bodies"), counted(quality.components, "piece", "pieces")));
    }
    // Corners less edges plus triangles, of a closed surface whose edges have two triangles each.
    const std::int64_t euler = surface.vertices - surface.triangles / 2;
    if (surface.clean() && quality.components == bodies && quality.euler_number != euler) {
        notes.push_back(
            fmt::format("the boundary has the Euler number {}, the surface {}: holes or handles have come or "
                        "gone; shorter edges keep to the surface",
                quality.euler_number, euler));
    }
    // The divergence theorem knows the volume of a clean surface.
    if (surface.clean() && surface.signed_volume > 0) {
        const double off = quality.volume / surface.signed_volume - 1;
        if (std::abs(off) > noticeable) {
            notes.push_back(fmt::format("the mesh has {:.3g}% {} volume than the surface encloses; shorter edges come "
                                        "closer",
                100 * std::abs(off), off < 0 ? "less" : "more"));
        }
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

MeshedBody meshed(const SignedField& field, const MesherOptions& options)
{
    MeshedBody body;
    body.tets = stuffed(field, options, &body.mesher);
    body.quality = mesh_quality(body.tets);
    body.notes = losses(body.quality, body.mesher);
    return body;
}

MeshedBody meshed(const Solid& solid, const MesherOptions& options)
{
    MeshedBody body = meshed(solid.field, options);
    const std::vector<std::string> more = flaws(solid, body.quality);
    body.notes.insert(body.notes.begin(), more.begin(), more.end());
    return body;
}

} // namespace rubato
