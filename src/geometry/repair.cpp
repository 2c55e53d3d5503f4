#include "geometry/repair.hpp"

#include "geometry/check.hpp"
#include "geometry/listing.hpp"
#include "geometry/tet_faces.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

class Repair {
public:
    Repair(TetMesh mesh, std::vector<std::string>& log)
        : mesh_(std::move(mesh))
        , log_(log)
        , alive_(mesh_.tets.size(), 1)
        , merged_(mesh_.nodes.size(), 0)
    {
    }

    TetMesh mesh()
    {
        if (!readable()) {
            log_.emplace_back(
                "left: numbers of nodes out of range or coordinates that are not finite: nothing was done");
            return std::move(mesh_);
        }
        const bool merged = merge_nodes();
        mend_tets();
        if (!merged && merge_nodes()) mend_tets(); // what stood in the way may be gone
        tell_nodes(left_coincident_, "left: ",
            ": at the place of an earlier node; merged, the boundary would touch itself without a common face");
        tell_tets(
            left_inverted_, "left: ", ": inverted, and overlaps a neighbour: swapping two nodes would not mend it");
        tell_tets(left_flat_, "left: ", ": flat, and dropping it would open a crack or make the boundary touch itself");
        drop_unused_nodes();
        tell_the_rest();
        return std::move(mesh_);
    }

private:
    bool readable() const
    {
        const auto exists = [&](Index i) { return i >= 0 && static_cast<std::size_t>(i) < mesh_.nodes.size(); };
        const auto all_exist = [&](const auto& list) { return std::all_of(list.begin(), list.end(), exists); };
        return std::all_of(mesh_.nodes.begin(), mesh_.nodes.end(), [](const Vec3& x) { return x.allFinite(); })
            && std::all_of(mesh_.tets.begin(), mesh_.tets.end(), all_exist)
            && std::all_of(
                mesh_.groups.begin(), mesh_.groups.end(), [&](const auto& g) { return all_exist(g.second); });
    }

    void tell_tets(const std::vector<std::size_t>& places, const std::string& before, const std::string& after)
    {
        if (!places.empty())
            log_.push_back(fmt::format("{}{}{}", before, listed("tetrahedron", "tetrahedra", places), after));
    }

    void tell_nodes(const std::vector<std::size_t>& places, const std::string& before, const std::string& after)
    {
        if (!places.empty()) log_.push_back(fmt::format("{}{}{}", before, listed("node", "nodes", places), after));
    }

    void mend_tets()
    {
        drop_repeats();
        orient();
        drop_flat();
    }

    /// Touching edges and nodes of the boundary, and faces of too many tetrahedra.
    std::size_t flaws(const std::vector<Tet>& tets) const
    {
        const std::size_t node_count = mesh_.nodes.size();
        std::vector<char> counts = alive_;
        for (std::size_t e = 0; e < tets.size(); ++e) {
            if (uses_node_twice(tets[e])) counts[e] = 0;
        }
        for (const std::size_t e : repeats_among(tets, counts)) counts[e] = 0;
        std::vector<Triangle> boundary;
        std::size_t crowded = 0;
        for_shared_faces(sorted_faces(tets, counts, node_count), [&](std::span<const TetFace> same) {
            if (same.size() == 1) boundary.push_back(same[0].sorted);
            crowded += same.size() > 2;
        });
        const BoundaryContacts contacts = boundary_contacts(boundary, node_count);
        return crowded + contacts.edges.size() + contacts.nodes.size();
    }

    /// Numbers of tetrahedra that repeat an earlier one, among those that `counts` is 1 for.
    static std::vector<std::size_t> repeats_among(const std::vector<Tet>& tets, const std::vector<char>& counts)
    {
        std::vector<Tet> some;
        std::vector<std::size_t> number;
        for (std::size_t e = 0; e < tets.size(); ++e) {
            if (counts[e]) some.push_back(tets[e]), number.push_back(e);
        }
        std::vector<std::size_t> repeats = repeated_tets(some);
        for (std::size_t& e : repeats) e = number[e];
        return repeats;
    }

    static bool uses_node_twice(Tet tet)
    {
        std::sort(tet.begin(), tet.end());
        return std::adjacent_find(tet.begin(), tet.end()) != tet.end();
    }

    /// All of them or none: a crack that is closed in part has a boundary that touches itself.
    bool merge_nodes()
    {
        CoincidentNodes same = coincident_nodes(mesh_.nodes);
        std::erase_if(same.later, [&](std::size_t i) { return merged_[i] != 0; });
        left_coincident_.clear();
        if (same.later.empty()) return true;
        std::vector<Tet> merged = mesh_.tets;
        for (Tet& tet : merged) {
            for (Index& i : tet) i = same.first[i];
        }
        if (flaws(merged) > flaws(mesh_.tets)) {
            left_coincident_ = same.later;
            return false;
        }
        mesh_.tets = std::move(merged);
        for (auto& [name, nodes] : mesh_.groups) {
            for (Index& i : nodes) i = same.first[i];
            sort_unique(nodes);
        }
        for (const std::size_t i : same.later) merged_[i] = 1;
        tell_nodes(same.later, "merged ", " with the earlier node at the same place");
        return true;
    }

    static void sort_unique(std::vector<Index>& numbers)
    {
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    }

    void drop_repeats()
    {
        std::vector<std::size_t> twice, repeats;
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            if (alive_[e] && uses_node_twice(mesh_.tets[e])) twice.push_back(e);
        }
        for (const std::size_t e : twice) alive_[e] = 0;
        for (const std::size_t e : repeats_among(mesh_.tets, alive_)) {
            repeats.push_back(e);
            alive_[e] = 0;
        }
        tell_tets(twice, "dropped ", ": a node twice");
        tell_tets(repeats, "dropped ", ": the same nodes as an earlier one");
    }

    void orient()
    {
        std::vector<Tet> positive = mesh_.tets; // every volume made positive
        std::vector<VolumeSign> sign(mesh_.tets.size(), VolumeSign::zero);
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            if (!alive_[e]) continue;
            sign[e] = volume_sign(mesh_.nodes, mesh_.tets[e]);
            if (sign[e] == VolumeSign::negative) std::swap(positive[e][2], positive[e][3]);
        }
        std::vector<char> agrees(mesh_.tets.size(), 1);
        for_shared_faces(sorted_faces(positive, alive_, mesh_.nodes.size()), [&](std::span<const TetFace> same) {
            const auto known = [&](const TetFace& f) {
                return sign[f.tet()] == VolumeSign::positive || sign[f.tet()] == VolumeSign::negative;
            };
            if (same.size() == 1 || (same.size() == 2 && !(known(same[0]) && known(same[1])))) return;
            if (same.size() == 2) {
                const Triangle s = tet_face(positive[same[0].tet()], same[0].face());
                const Triangle t = tet_face(positive[same[1].tet()], same[1].face());
                const auto at = static_cast<std::size_t>(std::find(t.begin(), t.end(), s[0]) - t.begin());
                if (t[(at + 1) % 3] != s[1]) return; // on the two sides of it
            }
            for (const TetFace& f : same) agrees[f.tet()] = 0;
        });
        std::vector<std::size_t> swapped;
        left_inverted_.clear();
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            if (!alive_[e] || sign[e] != VolumeSign::negative) continue;
            (agrees[e] ? swapped : left_inverted_).push_back(e);
            if (agrees[e]) mesh_.tets[e] = positive[e];
        }
        tell_tets(swapped, "swapped two nodes of ", ": the volume was negative");
    }

    /// Whether the boundary around a node is one fan of triangles or none.
    bool sound_around(Index node, const std::vector<std::size_t>& tets_of_node) const
    {
        std::vector<Tet> around;
        for (const std::size_t e : tets_of_node) {
            if (alive_[e]) around.push_back(mesh_.tets[e]);
        }
        std::vector<std::array<Index, 2>> sides; // of boundary triangles, opposite the node
        std::vector<Triangle> faces;
        for (const Tet& tet : around) {
            for (int f = 0; f < 4; ++f) {
                Triangle t = tet_face(tet, f);
                std::sort(t.begin(), t.end());
                if (std::find(t.begin(), t.end(), node) != t.end()) faces.push_back(t);
            }
        }
        std::sort(faces.begin(), faces.end());
        for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
            while (end < faces.size() && faces[end] == faces[begin]) ++end;
            if (end - begin > 2) return false;
            if (end - begin == 2) continue;
            const Triangle& t = faces[begin];
            sides.push_back({t[0] == node ? t[1] : t[0], t[2] == node ? t[1] : t[2]});
        }
        // One closed ring: every end occurs twice, and following the sides reaches all of them.
        std::size_t reached = 0;
        for (Index at = sides.empty() ? 0 : sides[0][0], begin = at; reached < sides.size();) {
            const auto next = std::find_if(sides.begin() + static_cast<std::ptrdiff_t>(reached), sides.end(),
                [&](const auto& side) { return side[0] == at || side[1] == at; });
            if (next == sides.end()) return false;
            at = (*next)[0] == at ? (*next)[1] : (*next)[0];
            std::swap(sides[reached++], *next);
            if (at == begin) break;
        }
        return reached == sides.size();
    }

    void drop_flat()
    {
        std::vector<std::size_t> flat, dropped;
        left_flat_.clear();
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            if (alive_[e] && volume_sign(mesh_.nodes, mesh_.tets[e]) == VolumeSign::zero) flat.push_back(e);
        }
        if (flat.empty()) return;
        std::vector<std::vector<std::size_t>> tets_of_node(mesh_.nodes.size());
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            for (const Index i : mesh_.tets[e]) {
                if (alive_[e]) tets_of_node[i].push_back(e);
            }
        }
        // Dropping one may bring its neighbour to the boundary: until nothing changes.
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::size_t e : flat) {
                if (!alive_[e] || !on_boundary(e, tets_of_node)) continue;
                alive_[e] = 0;
                const bool sound = std::all_of(mesh_.tets[e].begin(), mesh_.tets[e].end(),
                    [&](Index i) { return sound_around(i, tets_of_node[i]); });
                alive_[e] = !sound;
                changed = changed || sound;
            }
        }
        for (const std::size_t e : flat) (alive_[e] ? left_flat_ : dropped).push_back(e);
        tell_tets(dropped, "dropped ", ": flat, at the boundary");
    }

    bool on_boundary(std::size_t tet, const std::vector<std::vector<std::size_t>>& tets_of_node) const
    {
        for (int f = 0; f < 4; ++f) {
            const Triangle t = tet_face(mesh_.tets[tet], f);
            const auto& near = tets_of_node[t[0]];
            const auto has_face = [&](std::size_t e) {
                const Tet& other = mesh_.tets[e];
                return e != tet && alive_[e] && std::all_of(t.begin(), t.end(), [&](Index i) {
                    return std::find(other.begin(), other.end(), i) != other.end();
                });
            };
            if (std::none_of(near.begin(), near.end(), has_face)) return true;
        }
        return false;
    }

    /// Also forgets the tetrahedra that were dropped.
    void drop_unused_nodes()
    {
        std::size_t kept = 0;
        for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
            if (alive_[e]) mesh_.tets[kept++] = mesh_.tets[e];
        }
        mesh_.tets.resize(kept);

        std::vector<Index> number(mesh_.nodes.size(), -1);
        for (const Tet& tet : mesh_.tets) {
            for (const Index i : tet) number[i] = 0;
        }
        std::vector<std::size_t> unused, told;
        std::vector<Vec3> nodes;
        for (std::size_t i = 0; i < number.size(); ++i) {
            if (number[i] < 0) {
                unused.push_back(i);
                if (!merged_[i]) told.push_back(i);
            } else {
                number[i] = static_cast<Index>(nodes.size());
                nodes.push_back(mesh_.nodes[i]);
            }
        }
        if (unused.empty()) return;
        mesh_.nodes = std::move(nodes);
        for (Tet& tet : mesh_.tets) {
            for (Index& i : tet) i = number[i];
        }
        for (auto& [name, members] : mesh_.groups) {
            for (Index& i : members) i = number[i];
            std::erase(members, -1);
        }
        tell_nodes(told, "dropped ", ": no tetrahedron uses it");
    }

    /// Errors for which there is no repair.
    void tell_the_rest()
    {
        for (const MeshFinding& f : mesh_report(mesh_).findings) {
            const bool known
                = f.kind == "inverted" || f.kind == "flat" || f.kind == "empty"; // told where they were left
            if (f.severity != Severity::error || known) continue;
            log_.push_back("left: " + f.places + " of the repaired mesh: " + f.message);
        }
    }

    TetMesh mesh_;
    std::vector<std::string>& log_;
    std::vector<char> alive_; ///< 1 for tetrahedra that stay
    std::vector<std::size_t> left_coincident_, left_inverted_, left_flat_;
    std::vector<char> merged_; ///< 1 for nodes in whose place another one stands
};

} // namespace

TetMesh repaired(TetMesh mesh, std::vector<std::string>& what_was_done)
{
    return Repair(std::move(mesh), what_was_done).mesh();
}

} // namespace rubato
