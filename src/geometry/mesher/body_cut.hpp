#pragma once

#include "geometry/mesher/cutting.hpp"
#include "geometry/mesher/stuffing.hpp"
#include "geometry/mesher/working_mesh.hpp"

namespace rubato::mesher {

/// Points of the surface for all attempts at one body: they are dense enough for edges of several lengths.
class Probe {
public:
    explicit Probe(const SignedField& field)
        : field_(field)
    {
    }
    const std::vector<Vec3>& points(double edge);

private:
    const SignedField& field_;
    double spacing_ = 0;
    std::vector<Vec3> points_;
};

/// A working mesh whose boundary nodes are held by the surface.
WorkingMesh held_mesh(const CutMesh& cut);

/// Cuts the body out of a lattice that is refined until nothing of it is lost, and makes the boundary sound. Writes
/// edge, what was dropped and what is lost into the report. More than `most_tets` lattice tetrahedra are TooFine.
CutMesh cut_body(const SignedField& field, double edge, const MesherOptions& options, double most_tets, Probe& probe,
    MesherReport& told);

/// Whether a lattice without refinement sees anything of the body.
bool seen(const SignedField& field, double edge);

} // namespace rubato::mesher
