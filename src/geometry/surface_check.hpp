#pragma once

#include "geometry/fields/surface_field.hpp"
#include "geometry/tet_mesh.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rubato {

/// Elements of one kind that were found: how many, and the numbers of the first few.
struct ElementFindings {
    static constexpr std::size_t most_listed = 8;

    std::int64_t count = 0;
    std::vector<Index> first; ///< ascending; triangles or vertices, from 0

    void add(Index element);
    bool any() const { return count > 0; }
};

/// Edges by their ends (vertices, from 0).
struct EdgeFindings {
    std::int64_t count = 0;
    std::vector<std::array<Index, 2>> first;

    void add(std::array<Index, 2> ends);
    bool any() const { return count > 0; }
};

/// A loop of edges that belong to one triangle only.
struct Hole {
    std::int64_t edges = 0;
    double length = 0; ///< [m]
    Index vertex = -1; ///< one of its vertices
};

/// What is wrong with a surface, and what it measures. Vertices at the same place count as one in all that concerns
/// edges, holes and components, so that a soup from an .stl file is judged by its shape; triangles without area and
/// second copies of triangles are left out of it. Numbers are those of the mesh as given.
struct SurfaceReport {
    std::int64_t vertices = 0, triangles = 0;
    ElementFindings degenerate; ///< triangles of no area
    ElementFindings duplicate; ///< triangles with the corners of an earlier one, in the same orientation
    ElementFindings opposite; ///< the same in opposite orientation
    ElementFindings unreferenced; ///< vertices of no triangle
    ElementFindings coincident; ///< vertices at the place of an earlier one
    EdgeFindings rim; ///< edges of one triangle
    EdgeFindings non_manifold; ///< edges of more than two triangles
    EdgeFindings inconsistent; ///< edges whose two triangles face opposite sides
    ElementFindings pinched; ///< vertices where pieces of surface meet in a point only
    std::vector<Hole> holes; ///< the longest first
    std::int64_t components = 0; ///< pieces connected through edges
    std::int64_t inside_out = 0; ///< closed components that face inward and are no cavity of another
    std::int64_t cavities = 0; ///< closed components that face inward inside another
    ElementFindings inside_out_triangles; ///< one triangle of each inside-out component
    ElementFindings nested; ///< one triangle of each closed component that faces outward within the solid of another
    std::int64_t one_sided = 0; ///< pieces that cannot face one way, like a Moebius strip or a Klein bottle
    std::int64_t crossing = 0; ///< pairs of triangles that pass through each other
    bool crossing_is_a_lower_bound = false; ///< the search was stopped
    std::vector<std::array<Index, 2>> crossing_pairs; ///< the first few
    double signed_volume = 0; ///< by the divergence theorem [m^3]; that of the solid for clean surfaces
    double area = 0; ///< [m^2]
    double diagonal = 0; ///< of the bounding box [m]

    bool closed() const { return components > 0 && !rim.any() && !non_manifold.any() && !inconsistent.any(); }
    bool clean() const; ///< closed, facing outward, no crossings, nested shells, duplicates or triangles of no area
};

SurfaceReport surface_report(const TriangleMesh& mesh);

/// One line per finding, and one for the measures.
std::vector<std::string> lines(const SurfaceReport& report);

/// The surface with what can be mended safely: walls between bodies that touch dropped (the bodies become one),
/// vertices at the same place welded, triangles without area and second copies dropped, each component facing one way,
/// bodies outward and cavities inward, unused vertices dropped. No vertex moves. Appends a sentence to `what_was_done`
/// for each change.
TriangleMesh mended(TriangleMesh mesh, std::vector<std::string>& what_was_done);

/// A vertex that a slip has put far away from all others, at the end of a spike that is longer than the rest of the
/// surface and far too thin for a mesh: a sentence that names it, or nothing.
std::optional<std::string> stray_vertex(const TriangleMesh& mesh);

/// Whether the surface encloses a volume that can be trusted: nothing, or one sentence that says why it does not.
/// `report` is that of the field's mesh. Samples the winding number just inside the triangles, where it must be near a
/// whole number, and all over the box, where the enclosed volume must hardly depend on where the line is drawn.
std::optional<std::string> not_a_solid(const SurfaceField& field, const SurfaceReport& report);

} // namespace rubato
