#include "geometry/mesher/body_cut.hpp"

#include "geometry/generators.hpp"
#include "geometry/mesher/creases.hpp"
#include "geometry/mesher/sound_boundary.hpp"
#include "geometry/mesher/surface_distance.hpp"

namespace rubato::mesher {

namespace {

// Edges on the surface are this many finest cells long on average, as measured on many bodies.
constexpr double edge_per_cell = 0.8;

// Where the stencils miss the surface by more than this part of an edge, the lattice is refined.
constexpr double misfit = 0.33;

int levels_of(double grading)
{
    int levels = 0;
    while (levels < 6 && (2 << levels) <= grading * 1.0001) ++levels;
    return levels;
}

} // namespace

const std::vector<Vec3>& Probe::points(double edge)
{
    if (spacing_ == 0 || spacing_ > edge / 2.2 || spacing_ < edge / 8) {
        spacing_ = edge / 3;
        points_ = surface_points(field_, spacing_);
    }
    return points_;
}

WorkingMesh held_mesh(const CutMesh& cut)
{
    WorkingMesh mesh(cut.nodes, cut.tets);
    for (const Index v : boundary_surface(cut.tets).nodes) mesh.hold[v] = Hold::surface;
    return mesh;
}

CutMesh cut_body(
    const SignedField& field, double edge, const MesherOptions& o, double most_tets, Probe& probe, MesherReport& told)
{
    const ZeroSet surface(field, edge);
    const LatticeSizes sizes{edge / edge_per_cell, levels_of(o.refining), levels_of(o.grading), most_tets};
    LatticeMaker maker(surface, sizes);
    for (int round = 0;; ++round) {
        CutMesh cut = cut_mesh(maker.lattice(), surface);
        const Dropped dropped = make_boundary_sound(cut.nodes, cut.tets, o.crumb);
        told = {};
        told.edge = edge;
        told.dropped_tets = dropped.tets;
        told.dropped_crumbs = dropped.crumbs;
        told.dropped_volume = dropped.volume;
        if (round < 2 * sizes.finer_levels) {
            std::vector<Vec3> places = maker.thin_places();
            places.insert(places.end(), dropped.places.begin(), dropped.places.end());
            WorkingMesh mesh = held_mesh(cut);
            place_on_creases(mesh, surface);
            const auto off = misfits({mesh.x, cut.tets, {}}, field, probe.points(edge), misfit * edge,
                sizes.cell / (1 << sizes.finer_levels));
            places.insert(places.end(), off.begin(), off.end());
            if (!places.empty() && maker.refine_around(places) > 0) continue;
        }
        told.lost_surface = part_far_off({cut.nodes, cut.tets, {}}, probe.points(edge), edge / 2);
        return cut;
    }
}

bool seen(const SignedField& field, double edge)
{
    const ZeroSet surface(field, edge);
    return !LatticeMaker(surface, {edge / edge_per_cell, 0, 3, most_generated_tets}).lattice().tets.empty();
}

} // namespace rubato::mesher
