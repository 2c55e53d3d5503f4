#include "geometry/mesher/stuffing.hpp"

#include "base/errors.hpp"
#include "base/memory.hpp"
#include "geometry/check.hpp"
#include "geometry/fields/triangle_crossing.hpp"
#include "geometry/generators.hpp"
#include "geometry/mesher/body_size.hpp"
#include "geometry/mesher/creases.hpp"
#include "geometry/mesher/edge_search.hpp"
#include "geometry/mesher/improvement.hpp"
#include "geometry/mesher/sound_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

using namespace mesher;

// Below this angle [deg] a node may leave its crease for the sake of the tetrahedra.
constexpr double least_degrees = 20;

// How often the improvement is done again because the boundary crossed itself.
constexpr int most_rounds = 5;

void require(const SignedField& field, const MesherOptions& o)
{
    std::vector<Mistake> mistakes;
    if ((o.edge != 0) == (o.nodes != 0)) {
        mistakes.push_back(
            {"", 0, "edge", fmt::format("{}", o.edge), "give either an edge length or a number of nodes"});
    }
    if (o.edge != 0 && !(o.edge > 0 && std::isfinite(o.edge))) {
        mistakes.push_back({"", 0, "edge", fmt::format("{}", o.edge), "must be > 0 [m]"});
    }
    if (o.nodes != 0 && o.nodes < 4) {
        mistakes.push_back({"", 0, "nodes", fmt::format("{}", o.nodes), "must be >= 4"});
    }
    if (o.nodes > most_generated_tets / 5) {
        mistakes.push_back({"", 0, "nodes", fmt::format("{}", o.nodes),
            fmt::format("is too many: at most {} tetrahedra are generated, five for each node", most_generated_tets)});
    }
    if (!(o.grading >= 1 && std::isfinite(o.grading))) {
        mistakes.push_back({"", 0, "grading", fmt::format("{}", o.grading), "must be >= 1"});
    }
    const Bounds box = field.bounds();
    if (!(box.low.allFinite() && box.high.allFinite() && box.diagonal() > 0)) {
        mistakes.push_back({"", 0, "field", "", "the bounds of the body must be finite and not empty"});
    }
    if (!mistakes.empty()) throw InputError(mistakes);
}

/// What meshing takes for each node of the result [bytes], measured: balls of 50 000 and 200 000 nodes.
constexpr double bytes_per_node = 1700;

/// Refuses a mesh that does not fit into the memory before it is made.
void require_room(const SignedField& field, const MesherOptions& o)
{
    double nodes = o.nodes;
    if (o.edge > 0) {
        // On the surface at the least: triangles of equal sides have sqrt(3)/4 edge^2, and half a node each. The area
        // is known to a quarter.
        nodes = 0.75 * 2 / std::sqrt(3.0) * body_size(field).area / (o.edge * o.edge);
    }
    if (nodes > most_generated_tets / 5.0) return; // which is told better where it is noticed
    const std::string why = why_no_room(bytes_per_node * nodes);
    if (why.empty()) return;
    throw InputError(o.nodes > 0
            ? Mistake{"", 0, "nodes", fmt::format("{}", o.nodes), fmt::format("is too many: meshing {}", why)}
            : Mistake{"", 0, "edge", fmt::format("{:.4g}", o.edge),
                fmt::format("is too short: it gives at least {:.2g} nodes, and meshing {}", nodes, why)});
}

InputError too_coarse(const SignedField& field, double edge)
{
    // A shorter edge that does find something is worth naming.
    for (double shorter = edge / 2; shorter > edge / 40; shorter /= 2) {
        if (seen(field, shorter)) {
            return InputError(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge),
                fmt::format("is too long: nothing of the body is seen at this resolution; try {:.2g} [m]", shorter)});
        }
    }
    return InputError(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge),
        "nothing of the body is inside, even with edges a fortieth of this; are its triangles facing outward?"});
}

TetMesh finished(const std::vector<Vec3>& nodes, const std::vector<Tet>& tets)
{
    TetMesh mesh;
    std::vector<Index> number(nodes.size(), -1);
    for (const Tet& t : tets) {
        for (const Index v : t) number[v] = 0;
    }
    for (std::size_t v = 0; v < nodes.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<Index>(mesh.nodes.size());
        mesh.nodes.push_back(nodes[v]);
    }
    for (const Tet& t : tets) mesh.tets.push_back({number[t[0]], number[t[1]], number[t[2]], number[t[3]]});
    mesh.groups["surface"] = boundary_surface(mesh.tets).nodes;
    return mesh;
}

/// Where the tetrahedra at a node on a crease stay bad, their shape counts for more than the crease: from now on the
/// node is held by the surface only. Returns whether there was one.
bool release_creases(WorkingMesh& mesh, double degrees)
{
    bool released = false;
    for (Index e = 0; e < mesh.tet_count(); ++e) {
        if (!mesh.alive(e) || mesh.shape(e) >= shape_of_angle(degrees)) continue;
        for (const Index v : mesh.tet(e)) {
            if (mesh.hold[v] < Hold::crease) continue;
            mesh.hold[v] = Hold::surface;
            released = true;
        }
    }
    return released;
}

std::vector<Tet> tets_of(const WorkingMesh& mesh)
{
    std::vector<Tet> tets;
    for (Index e = 0; e < mesh.tet_count(); ++e) {
        if (mesh.alive(e)) tets.push_back(mesh.tet(e));
    }
    return tets;
}

/// Places of the boundary triangles that pass through each other.
std::vector<Vec3> crossed_places(const CutMesh& cut)
{
    const TriangleMesh boundary{cut.nodes, boundary_triangles(cut.tets)};
    std::vector<Vec3> places;
    for (const auto& pair : crossings(boundary, 10'000).first) {
        for (const Index t : pair) {
            for (const Index v : boundary.triangles[t]) places.push_back(cut.nodes[v]);
        }
    }
    return places;
}

/// The cut mesh with its sharp edges and its tetrahedra improved; the boundary stays as it was cut near the `still`
/// places.
CutMesh improved(const CutMesh& cut, const ZeroSet& surface, const std::vector<Vec3>& still,
    const MesherOptions& options, MesherReport& told)
{
    const auto tell = [&](const char* phase, double part) {
        if (options.progress) options.progress(phase, part);
    };
    WorkingMesh mesh = held_mesh(cut);
    for (std::size_t v = 0; v < mesh.x.size(); ++v) {
        if (mesh.hold[v] == Hold::interior) continue;
        mesh.frozen[v] = std::any_of(
            still.begin(), still.end(), [&](const Vec3& p) { return (p - mesh.x[v]).norm() < surface.length(); });
    }
    tell("sharp edges", 0);
    for (int round = 0; round < 3; ++round) {
        const Index placed = place_on_creases(mesh, surface);
        told.crease_nodes += placed;
        if (placed == 0) break;
        improve(mesh, surface, 20, 4);
    }
    improve(mesh, surface, 30, 8, [&](double part) { tell("improvement", part); });
    for (int round = 0; round < 3 && release_creases(mesh, least_degrees); ++round) improve(mesh, surface, 25, 4);
    CutMesh out{mesh.x, tets_of(mesh)};
    const Dropped late = make_boundary_sound(out.nodes, out.tets, options.crumb);
    told.dropped_tets += late.tets;
    told.dropped_crumbs += late.crumbs;
    told.dropped_volume += late.volume + mesh.dropped_volume;
    return out;
}

/// Improvement looks at the tetrahedra around a node, so sheets of the boundary that are close may pass through each
/// other. What was cut from the lattice does not: there it is done again with the boundary kept still.
CutMesh improved_without_crossings(
    const CutMesh& cut, const ZeroSet& surface, const MesherOptions& options, MesherReport& told)
{
    std::vector<Vec3> still;
    const MesherReport before = told;
    for (int round = 0;; ++round) {
        told = before;
        CutMesh out = improved(cut, surface, still, options, told);
        const std::vector<Vec3> places = crossed_places(out);
        if (places.empty() || round == most_rounds) return out;
        still.insert(still.end(), places.begin(), places.end());
    }
}

} // namespace

TetMesh stuffed(const SignedField& field, const MesherOptions& options, MesherReport* report)
{
    require(field, options);
    require_room(field, options);
    const auto tell = [&](const char* phase, double part) {
        if (options.progress) options.progress(phase, part);
    };
    Probe probe(field);
    const EdgeFound found = options.edge > 0 ? EdgeFound{options.edge} : edge_for(field, options, probe);
    const ZeroSet surface(field, found.edge);

    tell("lattice", 0);
    MesherReport told;
    const double most_tets = options.nodes > 0 ? most_tets_for(options.nodes) : most_generated_tets;
    CutMesh cut = cut_body(field, found.edge, options, most_tets, probe, told);
    if (cut.tets.empty()) throw too_coarse(field, found.edge);
    if (options.improved) cut = improved_without_crossings(cut, surface, options, told);
    told.wanted_nodes = options.nodes;
    told.met = found.met;
    TetMesh mesh = finished(cut.nodes, cut.tets);
    const auto boundary = boundary_triangles(mesh.tets);
    const BoundaryContacts contacts = boundary_contacts(boundary, mesh.nodes.size());
    told.contacts = static_cast<Index>(contacts.edges.size() + contacts.nodes.size());
    told.crossings = crossings({mesh.nodes, boundary}, 0).count;
    tell("done", 1);
    if (report != nullptr) *report = told;
    return mesh;
}

} // namespace rubato
