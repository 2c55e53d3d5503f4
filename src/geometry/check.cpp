#include "geometry/check.hpp"

#include "base/joined_sets.hpp"
#include "geometry/listing.hpp"
#include "geometry/tet_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr std::size_t shown = most_places_listed; ///< places named in a message
constexpr double nearly_flat = 1e-5; ///< of the volume of a regular tetrahedron of the same longest edge

/// Collects the findings of one mesh.
class ReportDraft {
public:
    explicit ReportDraft(const TetMesh& mesh)
        : mesh_(mesh)
    {
    }

    void tets(Severity severity, const char* kind, std::vector<std::size_t> places, const std::string& message)
    {
        if (places.empty()) return;
        MeshFinding f{severity, kind, listed("tetrahedron", "tetrahedra", places), message, {}, {}, {}};
        for (std::size_t i = 0; i < std::min(places.size(), shown); ++i) add_center(f, mesh_.tets[places[i]]);
        f.tets = std::move(places);
        report_.findings.push_back(std::move(f));
    }

    void nodes(Severity severity, const char* kind, std::vector<std::size_t> places, const std::string& message)
    {
        if (places.empty()) return;
        MeshFinding f{severity, kind, listed("node", "nodes", places), message, {}, {}, {}};
        for (std::size_t i = 0; i < std::min(places.size(), shown); ++i) {
            if (mesh_.nodes[places[i]].allFinite()) f.positions.push_back(mesh_.nodes[places[i]]);
        }
        f.nodes = std::move(places);
        report_.findings.push_back(std::move(f));
    }

    /// Edges or faces, named by their nodes.
    template <class Element>
    void sets(Severity severity, const char* kind, const char* one, const char* many,
        const std::vector<Element>& elements, const std::string& message)
    {
        if (elements.empty()) return;
        std::vector<std::string> first;
        MeshFinding f{severity, kind, "", message, {}, {}, {}};
        for (std::size_t i = 0; i < elements.size(); ++i) {
            f.nodes.insert(f.nodes.end(), elements[i].begin(), elements[i].end());
            if (i >= shown) continue;
            std::vector<Index> numbers(elements[i].begin(), elements[i].end());
            for (Index& n : numbers) ++n;
            first.push_back(fmt::format("{}", fmt::join(numbers, "-")));
            add_center(f, elements[i]);
        }
        std::sort(f.nodes.begin(), f.nodes.end());
        f.nodes.erase(std::unique(f.nodes.begin(), f.nodes.end()), f.nodes.end());
        f.places = fmt::format("{} {}", elements.size() == 1 ? one : many, first_and_more(first, elements.size()));
        report_.findings.push_back(std::move(f));
    }

    void whole(Severity severity, const char* kind, const std::string& place, const std::string& message)
    {
        report_.findings.push_back({severity, kind, place, message, {}, {}, {}});
    }

    MeshReport take()
    {
        MeshReport sorted;
        for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
            for (MeshFinding& f : report_.findings) {
                if (f.severity == severity) sorted.findings.push_back(std::move(f));
            }
        }
        return sorted;
    }

private:
    template <class Element>
    void add_center(MeshFinding& f, const Element& element) const
    {
        Vec3 center = Vec3::Zero();
        for (const Index i : element) {
            if (i < 0 || static_cast<std::size_t>(i) >= mesh_.nodes.size()) return;
            center += mesh_.nodes[i] / static_cast<double>(element.size());
        }
        if (center.allFinite()) f.positions.push_back(center);
    }

    const TetMesh& mesh_;
    MeshReport report_;
};

/// What is found while the tetrahedra are looked at one by one.
struct Numbers {
    std::vector<std::size_t> out_of_range, node_twice, unused, not_finite;
    std::vector<char> sound; ///< 1: the volume of the tetrahedron can be asked for
};

Numbers numbers_of(const TetMesh& mesh)
{
    Numbers n;
    n.sound.assign(mesh.tets.size(), 1);
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        if (!mesh.nodes[i].allFinite()) n.not_finite.push_back(i);
    }
    std::vector<char> used(mesh.nodes.size(), 0);
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        Tet tet = mesh.tets[e];
        std::sort(tet.begin(), tet.end());
        if (tet.front() < 0 || static_cast<std::size_t>(tet.back()) >= mesh.nodes.size()) {
            n.out_of_range.push_back(e);
            n.sound[e] = 0;
            continue;
        }
        for (const Index i : tet) {
            used[i] = 1;
            if (!mesh.nodes[i].allFinite()) n.sound[e] = 0;
        }
        if (std::adjacent_find(tet.begin(), tet.end()) != tet.end()) {
            n.node_twice.push_back(e);
            n.sound[e] = 0;
        }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) n.unused.push_back(i);
    }
    return n;
}

void find_volumes(const TetMesh& mesh, const Numbers& numbers, std::vector<VolumeSign>& signs, ReportDraft& out)
{
    std::vector<std::size_t> zero, negative, not_finite, thin;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        if (!numbers.sound[e]) continue;
        signs[e] = volume_sign(mesh.nodes, mesh.tets[e]);
        if (signs[e] == VolumeSign::zero) zero.push_back(e);
        if (signs[e] == VolumeSign::negative) negative.push_back(e);
        if (signs[e] == VolumeSign::not_finite) not_finite.push_back(e);
        if (signs[e] == VolumeSign::positive && relative_volume(mesh.nodes, mesh.tets[e]) < nearly_flat) {
            thin.push_back(e);
        }
    }
    const std::size_t all = mesh.tets.size();
    if (negative.size() == all) {
        out.whole(Severity::error, "inverted", "",
            fmt::format("all {} tetrahedra have negative volume: the orientation is flipped; swap two nodes of every "
                        "tetrahedron so that det[x1-x0, x2-x0, x3-x0] > 0",
                all));
    } else {
        out.tets(Severity::error, "inverted", negative,
            fmt::format(
                "inverted: {} of {} have negative volume; all must have positive volume", negative.size(), all));
    }
    out.tets(Severity::error, "flat", zero,
        fmt::format("flat: {} of {} have zero volume; all must have positive volume", zero.size(), all));
    out.tets(Severity::error, "too large", not_finite,
        "the volume is beyond the range of numbers; choose a smaller unit of length");
    out.tets(Severity::warning, "nearly flat", thin,
        fmt::format("nearly flat: {} of {} have less than {:g} of the volume of a regular tetrahedron with the same "
                    "longest edge",
            thin.size(), all, nearly_flat));
}

/// Faces, where duplicates count once.
void find_neighbours(const TetMesh& mesh, const Numbers& numbers, const std::vector<std::size_t>& repeats,
    const std::vector<VolumeSign>& signs, bool errors_only, ReportDraft& out)
{
    std::vector<char> counts = numbers.sound;
    for (const std::size_t e : repeats) counts[e] = 0;
    std::vector<Triangle> crowded, boundary;
    std::vector<std::size_t> overlapping;
    for_shared_faces(sorted_faces(mesh.tets, counts, mesh.nodes.size()), [&](std::span<const TetFace> same) {
        if (same.size() == 1) boundary.push_back(tet_face(mesh.tets[same[0].tet()], same[0].face()));
        if (same.size() > 2) crowded.push_back(same[0].sorted);
        if (same.size() != 2) return;
        const std::size_t a = same[0].tet(), b = same[1].tet();
        if (signs[a] != VolumeSign::positive || signs[b] != VolumeSign::positive) return;
        const Triangle s = tet_face(mesh.tets[a], same[0].face()), t = tet_face(mesh.tets[b], same[1].face());
        const auto start = static_cast<std::size_t>(std::find(t.begin(), t.end(), s[0]) - t.begin());
        if (t[(start + 1) % 3] == s[1]) overlapping.insert(overlapping.end(), {a, b}); // the same way round
    });
    std::sort(overlapping.begin(), overlapping.end());
    overlapping.erase(std::unique(overlapping.begin(), overlapping.end()), overlapping.end());
    out.sets(Severity::error, "non-manifold", "face", "faces", crowded,
        "belongs to more than two tetrahedra, which must overlap");
    if (errors_only) return;
    out.tets(
        Severity::warning, "overlapping", overlapping, "overlaps a neighbour: both lie on one side of a common face");
    const BoundaryContacts contacts = boundary_contacts(boundary, mesh.nodes.size());
    out.sets(Severity::warning, "non-manifold", "edge", "edges", contacts.edges,
        "the boundary touches itself along it without a common face");
    out.nodes(Severity::warning, "non-manifold", {contacts.nodes.begin(), contacts.nodes.end()},
        "the boundary touches itself there without a common face");
}

void find_parts(const TetMesh& mesh, const Numbers& numbers, ReportDraft& out)
{
    JoinedSets parts(mesh.nodes.size());
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        if (!numbers.sound[e]) continue;
        for (const Index i : mesh.tets[e]) parts.join(mesh.tets[e][0], i);
    }
    std::vector<std::size_t> sizes(mesh.nodes.size(), 0); // tetrahedra of each part, at its first node
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        if (numbers.sound[e]) ++sizes[parts.root(mesh.tets[e][0])];
    }
    std::vector<std::string> first;
    std::size_t count = 0;
    for (const std::size_t size : sizes) {
        if (size > 0 && ++count <= shown) first.push_back(fmt::format("{}", size));
    }
    if (count < 2) return;
    out.whole(Severity::note, "parts", "",
        fmt::format("{} parts without a common node, of {}{} tetrahedra", count, fmt::join(first, ", "),
            count > shown ? ", ..." : ""));
}

MeshReport report(const TetMesh& mesh, bool errors_only)
{
    ReportDraft out(mesh);
    if (mesh.tets.empty()) {
        out.whole(Severity::error, "empty", "", "holds no tetrahedra; at least one is needed");
        return out.take();
    }
    const Numbers numbers = numbers_of(mesh);
    const std::vector<std::size_t> repeats = repeated_tets(mesh.tets);
    out.nodes(Severity::error, "not finite", numbers.not_finite, "coordinates must be finite numbers");
    out.tets(Severity::error, "out of range", numbers.out_of_range,
        fmt::format("node number out of range; the mesh has {} nodes", mesh.nodes.size()));
    out.tets(Severity::error, "degenerate", numbers.node_twice, "uses a node twice; the four nodes must be different");
    out.tets(Severity::error, "duplicate", repeats, "uses the same nodes as an earlier one; each may occur once");
    out.nodes(Severity::error, "unreferenced", numbers.unused, "belongs to no tetrahedron and would have no mass");
    std::vector<VolumeSign> signs(mesh.tets.size(), VolumeSign::not_finite);
    find_volumes(mesh, numbers, signs, out);
    find_neighbours(mesh, numbers, repeats, signs, errors_only, out);
    if (!errors_only && numbers.not_finite.empty()) {
        out.nodes(Severity::warning, "coincident", coincident_nodes(mesh.nodes).later,
            "lies exactly where an earlier node does: there may be a crack");
    }
    if (!errors_only) find_parts(mesh, numbers, out);
    for (const auto& [name, nodes] : mesh.groups) {
        const auto exists = [&](Index i) { return i >= 0 && static_cast<std::size_t>(i) < mesh.nodes.size(); };
        if (!std::all_of(nodes.begin(), nodes.end(), exists)) {
            out.whole(Severity::error, "out of range", fmt::format("group '{}'", name),
                fmt::format("node number out of range; the mesh has {} nodes", mesh.nodes.size()));
        }
    }
    return out.take();
}

} // namespace

std::string MeshFinding::text() const
{
    constexpr const char* names[] = {"error", "warning", "note"};
    std::string s = fmt::format("{}: ", names[static_cast<int>(severity)]);
    if (!places.empty()) s += places + ": ";
    s += message;
    if (!positions.empty()) {
        const Vec3& x = positions.front();
        s += fmt::format("; {}at ({:.6g}, {:.6g}, {:.6g})", positions.size() > 1 ? "the first " : "", x[0], x[1], x[2]);
    }
    return s;
}

bool MeshReport::sound() const
{
    return std::none_of(
        findings.begin(), findings.end(), [](const MeshFinding& f) { return f.severity == Severity::error; });
}

MeshReport mesh_report(const TetMesh& mesh) { return report(mesh, false); }

std::vector<Mistake> mesh_mistakes(const TetMesh& mesh, const std::string& file)
{
    std::vector<Mistake> mistakes;
    for (const MeshFinding& f : report(mesh, true).findings) {
        if (f.severity == Severity::error) mistakes.push_back({file, 0, f.places, "", f.message});
    }
    return mistakes;
}

} // namespace rubato
