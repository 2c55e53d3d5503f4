#include "mesh_report.hpp"

#include "commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace rubato::cli {

namespace {

/// One bar per ten degrees, from the first to the last that holds an angle.
std::string histogram(const MeshQuality& q)
{
    const auto& bins = q.dihedral_histogram;
    const long most = *std::max_element(bins.begin(), bins.end());
    long all = 0;
    for (const long n : bins) all += n;
    if (all == 0) return "";
    const auto held = [](long n) { return n > 0; };
    const auto first = std::find_if(bins.begin(), bins.end(), held);
    const auto last = std::find_if(bins.rbegin(), bins.rend(), held).base();
    std::string text;
    for (auto bin = first; bin != last; ++bin) {
        const auto degrees = 10 * (bin - bins.begin());
        const auto length = static_cast<std::size_t>(40 * *bin / most);
        fmt::format_to(std::back_inserter(text), "  {:>5}-{:<3} {:>5.1f}% {}\n", degrees, degrees + 10,
            100 * static_cast<double>(*bin) / static_cast<double>(all), std::string(length, '#'));
    }
    return text;
}

} // namespace

std::string text(const MeshQuality& q)
{
    std::string text = fmt::format("  {}, {}, {} on the boundary\n", counted(q.nodes, "node", "nodes"),
        counted(q.tets, "tetrahedron", "tetrahedra"), counted(q.boundary_triangles, "triangle", "triangles"));
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  volume {:.6g} m^3, edges {:.4g} to {:.4g} m, {:.4g} m on average\n", q.volume,
        q.shortest_edge, q.longest_edge, q.mean_edge);
    fmt::format_to(out, "  {}, boundary {}\n", counted(q.components, "piece", "pieces"),
        q.boundary_manifold     ? fmt::format("closed and manifold, Euler number {}", q.euler_number)
            : q.boundary_closed ? "closed, but touching itself at an edge or a node"
                                : "not closed");
    fmt::format_to(out, "  dihedral angles {:.1f} to {:.1f} degrees\n", q.smallest_dihedral, q.largest_dihedral);
    return text + histogram(q);
}

std::string text(const SurfaceDistance& d, double edge)
{
    std::string text
        = fmt::format("  distance to the surface {:.3g} m from the mesh, {:.3g} m from the surface ({:.2f} and {:.2f} "
                      "edges)\n",
            d.mesh_to_surface, d.surface_to_mesh, d.mesh_to_surface / edge, d.surface_to_mesh / edge);
    if (d.left_out > 0) {
        text
            += fmt::format("  too thin for these edges: {:.2g}% of the surface lies farther than half an edge from the "
                           "mesh, the farthest near [{:.4g}, {:.4g}, {:.4g}]\n",
                100 * d.left_out, d.farthest_point.x(), d.farthest_point.y(), d.farthest_point.z());
    }
    return text;
}

} // namespace rubato::cli
