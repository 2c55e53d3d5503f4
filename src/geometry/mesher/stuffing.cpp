#include "geometry/mesher/stuffing.hpp"

#include "base/errors.hpp"
#include "geometry/generators.hpp"
#include "geometry/mesher/creases.hpp"
#include "geometry/mesher/cutting.hpp"
#include "geometry/mesher/improvement.hpp"
#include "geometry/mesher/sound_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

using namespace mesher;

// Edges on the surface are this many finest cells long on average, as measured on many bodies.
constexpr double edge_per_cell = 0.8;

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
        mistakes.push_back({"", 0, "edge", fmt::format("{}", o.edge), "give either an edge length or a number of nodes"});
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

CutMesh cut_body(const SignedField& field, double edge, double grading)
{
    const ZeroSet surface(field, edge);
    return cut_mesh(lattice(surface, edge / edge_per_cell, levels_of(grading), most_generated_tets), surface);
}

InputError too_coarse(const SignedField& field, double edge)
{
    // A shorter edge that does find something is worth naming.
    for (double shorter = edge / 2; shorter > edge / 40; shorter /= 2) {
        if (!cut_body(field, shorter, 8).tets.empty()) {
            return InputError(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge),
                fmt::format("is too long: nothing of the body is seen at this resolution; try {:.2g} [m]", shorter)});
        }
    }
    return InputError(Mistake{"", 0, "edge", fmt::format("{:.4g}", edge),
        "nothing of the body is inside, even with edges a fortieth of this; are its triangles facing outward?"});
}

/// The edge length that gives about this many nodes. The count grows like edge^-p with p between 2 (all surface) and 3.
double edge_for(const SignedField& field, const MesherOptions& o)
{
    double edge = field.bounds().diagonal() / 12, finer = 0, coarser = 0; // bracket, 0: not found yet
    double best = edge, best_miss = INFINITY;
    for (int pass = 0; pass < 14; ++pass) {
        if (o.progress) o.progress("edge length", pass / 14.0);
        const double count = static_cast<double>(cut_body(field, edge, o.grading).nodes.size());
        const double ratio = std::max(count, 4.0) / o.nodes;
        if (std::abs(std::log(ratio)) < best_miss && count > 0) best_miss = std::abs(std::log(ratio)), best = edge;
        if (best_miss < std::log(1.03)) break;
        (ratio > 1 ? finer : coarser) = edge;
        const double guess = edge * std::clamp(std::pow(ratio, 1 / 2.6), 0.4, 2.5);
        const bool bracketed = finer > 0 && coarser > 0;
        edge = bracketed && !(guess > finer * 1.001 && guess < coarser * 0.999) ? std::sqrt(finer * coarser) : guess;
        if (bracketed && coarser / finer < 1.002) break;
    }
    return best;
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
    const double edge = options.edge > 0 ? options.edge : edge_for(field, options);
    const ZeroSet surface(field, edge);

    tell("lattice", 0);
    CutMesh cut = cut_body(field, edge, options.grading);
    if (cut.tets.empty()) throw too_coarse(field, edge);
    const Dropped dropped = make_boundary_sound(cut.nodes, cut.tets, options.crumb);
    MesherReport told{edge, dropped.tets, dropped.crumbs, dropped.volume, 0};

    if (options.improved) {
        WorkingMesh mesh(cut.nodes, cut.tets);
        for (const Index v : boundary_surface(cut.tets).nodes) mesh.hold[v] = Hold::surface;
        tell("sharp edges", 0);
        for (int round = 0; round < 3; ++round) {
            const Index placed = place_on_creases(mesh, surface);
            told.crease_nodes += placed;
            if (placed == 0) break;
            improve(mesh, surface, 20, 4);
        }
        improve(mesh, surface, 30, 8, [&](double part) { tell("improvement", part); });
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
