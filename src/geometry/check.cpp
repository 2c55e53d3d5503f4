#include "geometry/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

/// Collects the places of one kind of mistake and remembers the first few.
class Places {
public:
    void add(std::size_t place)
    {
        if (first_.size() < 5) first_.push_back(place + 1);
        ++count_;
    }
    std::size_t count() const { return count_; }

    /// "tetrahedra 3, 8, 9, 12, 20 and 31 more"
    std::string text(const char* one, const char* many) const
    {
        std::string s = fmt::format("{} {}", count_ == 1 ? one : many, fmt::join(first_, ", "));
        if (count_ > first_.size()) s += fmt::format(" and {} more", count_ - first_.size());
        return s;
    }

private:
    std::vector<std::size_t> first_;
    std::size_t count_ = 0;
};

enum class Volume { positive, zero, negative, not_finite };

/// Rounding moves the determinant by a few units in the last place of L^3, L the longest edge; below that the
/// sign means nothing.
Volume volume_sign(const TetMesh& mesh, const Tet& tet)
{
    const Vec3& a = mesh.nodes[tet[0]];
    double longest2 = 0;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
            longest2 = std::max(longest2, (mesh.nodes[tet[i]] - mesh.nodes[tet[j]]).squaredNorm());
        }
    }
    const double det = det_of_edges(a, mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]);
    const double noise = 16 * std::numeric_limits<double>::epsilon() * longest2 * std::sqrt(longest2);
    if (!std::isfinite(det) || !std::isfinite(noise)) return Volume::not_finite;
    if (std::abs(det) <= noise) return Volume::zero;
    return det > 0 ? Volume::positive : Volume::negative;
}

/// Places of tetrahedra that use the same four nodes as an earlier one.
Places repeated_tets(const std::vector<Tet>& tets)
{
    std::vector<std::pair<Tet, std::size_t>> sorted(tets.size());
    for (std::size_t i = 0; i < tets.size(); ++i) {
        sorted[i] = {tets[i], i};
        std::sort(sorted[i].first.begin(), sorted[i].first.end());
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> repeats;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].first == sorted[i - 1].first) repeats.push_back(sorted[i].second);
    }
    std::sort(repeats.begin(), repeats.end());
    Places places;
    for (const std::size_t i : repeats) places.add(i);
    return places;
}

} // namespace

std::vector<Mistake> mesh_mistakes(const TetMesh& mesh, const std::string& file)
{
    std::vector<Mistake> mistakes;
    const auto report = [&](const Places& places, const char* one, const char* many, const std::string& message) {
        if (places.count() > 0) mistakes.push_back({file, 0, places.text(one, many), "", message});
    };
    const auto report_tets = [&](const Places& places, const std::string& message) {
        report(places, "tetrahedron", "tetrahedra", message);
    };
    if (mesh.tets.empty()) {
        mistakes.push_back({file, 0, "", "", "holds no tetrahedra; at least one is needed"});
        return mistakes;
    }

    const auto exists = [&](Index i) { return i >= 0 && static_cast<std::size_t>(i) < mesh.nodes.size(); };
    Places not_finite, out_of_range, twice_in_tet, unused;
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
        if (!mesh.nodes[i].allFinite()) not_finite.add(i);
    }
    std::vector<char> used(mesh.nodes.size(), 0);
    std::vector<char> sound(mesh.tets.size(), 1); // its volume can be asked for
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        Tet tet = mesh.tets[e];
        std::sort(tet.begin(), tet.end());
        if (!std::all_of(tet.begin(), tet.end(), exists)) {
            out_of_range.add(e);
            sound[e] = 0;
            continue;
        }
        for (const Index i : tet) {
            used[i] = 1;
            if (!mesh.nodes[i].allFinite()) sound[e] = 0;
        }
        if (std::adjacent_find(tet.begin(), tet.end()) != tet.end()) {
            twice_in_tet.add(e);
            sound[e] = 0;
        }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) unused.add(i);
    }

    Places zero, negative, volume_not_finite;
    for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
        if (!sound[e]) continue;
        const Volume sign = volume_sign(mesh, mesh.tets[e]);
        if (sign == Volume::zero) zero.add(e);
        if (sign == Volume::negative) negative.add(e);
        if (sign == Volume::not_finite) volume_not_finite.add(e);
    }

    report(not_finite, "node", "nodes", "coordinates must be finite numbers");
    report_tets(out_of_range, fmt::format("node number out of range; the mesh has {} nodes", mesh.nodes.size()));
    report_tets(twice_in_tet, "uses a node twice; the four nodes must be different");
    report_tets(repeated_tets(mesh.tets), "uses the same nodes as an earlier one; each may occur once");
    report(unused, "node", "nodes", "belongs to no tetrahedron and would have no mass");
    if (negative.count() == mesh.tets.size()) {
        mistakes.push_back({file, 0, "", "",
            fmt::format("all {} tetrahedra have negative volume: the orientation is flipped; swap two nodes of every "
                        "tetrahedron so that det[x1-x0, x2-x0, x3-x0] > 0",
                negative.count())});
    } else {
        report_tets(negative,
            fmt::format("inverted: {} of {} have negative volume; all must have positive volume", negative.count(),
                mesh.tets.size()));
    }
    report_tets(zero,
        fmt::format("flat: {} of {} have zero volume; all must have positive volume", zero.count(), mesh.tets.size()));
    report_tets(volume_not_finite, "the volume is beyond the range of numbers; choose a smaller unit of length");
    for (const auto& [name, nodes] : mesh.groups) {
        if (!std::all_of(nodes.begin(), nodes.end(), exists)) {
            mistakes.push_back({file, 0, fmt::format("group '{}'", name), "",
                fmt::format("node number out of range; the mesh has {} nodes", mesh.nodes.size())});
        }
    }
    return mistakes;
}

} // namespace rubato
