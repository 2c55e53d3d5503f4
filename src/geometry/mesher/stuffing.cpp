#include "geometry/mesher/stuffing.hpp"

#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "geometry/mesher/creases.hpp"
#include "geometry/mesher/cutting.hpp"
#include "geometry/mesher/improvement.hpp"
#include "geometry/mesher/sound_boundary.hpp"
#include "geometry/mesher/surface_distance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

using namespace mesher;

// Edges on the surface are this many finest cells long on average, as measured on many bodies.
constexpr double edge_per_cell = 0.8;

// Where the stencils miss the surface by more than this part of an edge, the lattice is refined.
constexpr double misfit = 0.33;

// Below this angle [deg] a node may leave its crease for the sake of the tetrahedra.
constexpr double least_degrees = 20;

int levels_of(double grading)
{
    int levels = 0;
    while (levels < 6 && (2 << levels) <= grading * 1.0001) ++levels;
    return levels;
}

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
    if (!(o.grading >= 1 && std::isfinite(o.grading))) {
        mistakes.push_back({"", 0, "grading", fmt::format("{}", o.grading), "must be >= 1"});
    }
    const Bounds box = field.bounds();
    if (!(box.low.allFinite() && box.high.allFinite() && box.diagonal() > 0)) {
        mistakes.push_back({"", 0, "field", "", "the bounds of the body must be finite and not empty"});
    }
    if (!mistakes.empty()) throw InputError(mistakes);
}

/// A working mesh whose boundary nodes are held by the surface.
WorkingMesh held_mesh(const CutMesh& cut)
{
    WorkingMesh mesh(cut.nodes, cut.tets);
    for (const Index v : boundary_surface(cut.tets).nodes) mesh.hold[v] = Hold::surface;
    return mesh;
}

/// Points of the surface for all attempts at one body: they are dense enough for edges of several lengths.
class Probe {
public:
    explicit Probe(const SignedField& field)
        : field_(field)
    {
    }
    const std::vector<Vec3>& points(double edge)
    {
        if (spacing_ == 0 || spacing_ > edge / 2.2 || spacing_ < edge / 8) {
            spacing_ = edge / 3;
            points_ = surface_points(field_, spacing_);
        }
        return points_;
    }

private:
    const SignedField& field_;
    double spacing_ = 0;
    std::vector<Vec3> points_;
};

/// Cuts the body out of a lattice that is refined until nothing of it is lost, and makes the boundary sound.
CutMesh cut_body(const SignedField& field, double edge, const MesherOptions& o, Probe& probe, MesherReport& told)
{
    const ZeroSet surface(field, edge);
    const LatticeSizes sizes{edge / edge_per_cell, levels_of(o.refining), levels_of(o.grading), most_generated_tets};
    LatticeMaker maker(surface, sizes);
    for (int round = 0;; ++round) {
        CutMesh cut = cut_mesh(maker.lattice(), surface);
        const Dropped dropped = make_boundary_sound(cut.nodes, cut.tets, o.crumb);
        told = {edge, dropped.tets, dropped.crumbs, dropped.volume, 0};
        if (round == 2 * sizes.finer_levels) return cut;
        std::vector<Vec3> places = maker.thin_places();
        places.insert(places.end(), dropped.places.begin(), dropped.places.end());
        WorkingMesh mesh = held_mesh(cut);
        place_on_creases(mesh, surface);
        const auto off = misfits({mesh.x, cut.tets, {}}, field, probe.points(edge), misfit * edge);
        places.insert(places.end(), off.begin(), off.end());
        if (places.empty() || maker.refine_around(places) == 0) return cut;
    }
}

/// Whether a lattice without refinement sees anything of the body.
bool seen(const SignedField& field, double edge)
{
    const ZeroSet surface(field, edge);
    return !LatticeMaker(surface, {edge / edge_per_cell, 0, 3, most_generated_tets}).lattice().tets.empty();
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

Index used_nodes(const CutMesh& cut)
{
    std::vector<char> used(cut.nodes.size(), 0);
    for (const Tet& t : cut.tets) {
        for (const Index v : t) used[v] = 1;
    }
    return static_cast<Index>(std::count(used.begin(), used.end(), 1));
}

/// The edge length near `edge` that gives about this many nodes. The count grows like edge^-p with p between 2 (all
/// surface) and 3.
double edge_for(const SignedField& field, const MesherOptions& o, Probe& probe, double edge, int passes)
{
    double finer = 0, coarser = 0; // bracket, 0: not found yet
    double best = edge, best_miss = INFINITY;
    MesherReport told;
    for (int pass = 0; pass < passes; ++pass) {
        if (o.progress) o.progress("edge length", static_cast<double>(pass) / passes);
        const double count = used_nodes(cut_body(field, edge, o, probe, told));
        const double ratio = std::max(count, 4.0) / o.nodes;
        if (std::abs(std::log(ratio)) < best_miss && count > 0) best_miss = std::abs(std::log(ratio)), best = edge;
        if (best_miss < std::log(1.04)) break;
        (ratio > 1 ? finer : coarser) = edge;
        const double guess = edge * std::clamp(std::pow(ratio, 1 / 2.6), 0.4, 2.0);
        const bool bracketed = finer > 0 && coarser > 0;
        edge = bracketed && !(guess > finer * 1.001 && guess < coarser * 0.999) ? std::sqrt(finer * coarser) : guess;
        if (bracketed && coarser / finer < 1.01) break;
    }
    return best;
}

/// First without refinement of thin places, which is cheap; refinement then only lengthens the edge.
double edge_for(const SignedField& field, const MesherOptions& o, Probe& probe)
{
    MesherOptions plain = o;
    plain.refining = 1;
    const double edge = edge_for(field, plain, probe, field.bounds().diagonal() / 12, 14);
    return o.refining < 2 ? edge : edge_for(field, o, probe, edge, 7);
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

} // namespace

TetMesh stuffed(const SignedField& field, const MesherOptions& options, MesherReport* report)
{
    require(field, options);
    const auto tell = [&](const char* phase, double part) {
        if (options.progress) options.progress(phase, part);
    };
    Probe probe(field);
    const double edge = options.edge > 0 ? options.edge : edge_for(field, options, probe);
    const ZeroSet surface(field, edge);

    tell("lattice", 0);
    MesherReport told;
    CutMesh cut = cut_body(field, edge, options, probe, told);
    if (cut.tets.empty()) throw too_coarse(field, edge);

    if (options.improved) {
        WorkingMesh mesh = held_mesh(cut);
        tell("sharp edges", 0);
        for (int round = 0; round < 3; ++round) {
            const Index placed = place_on_creases(mesh, surface);
            told.crease_nodes += placed;
            if (placed == 0) break;
            improve(mesh, surface, 20, 4);
        }
        improve(mesh, surface, 30, 8, [&](double part) { tell("improvement", part); });
        for (int round = 0; round < 3 && release_creases(mesh, least_degrees); ++round) improve(mesh, surface, 25, 4);
        cut.nodes = mesh.x;
        cut.tets = tets_of(mesh);
        const Dropped late = make_boundary_sound(cut.nodes, cut.tets, options.crumb);
        told.dropped_tets += late.tets;
        told.dropped_crumbs += late.crumbs;
        told.dropped_volume += late.volume;
    }
    tell("done", 1);
    if (report != nullptr) *report = told;
    return finished(cut.nodes, cut.tets);
}

} // namespace rubato
