#include "geometry/fields/surface_edges.hpp"

#include "geometry/bounds.hpp"
#include "geometry/fields/winding_number.hpp"
#include "geometry/same_place.hpp"

#include <algorithm>
#include <memory>
#include <numbers>
#include <tuple>

namespace rubato {

namespace {

Triangle sorted(Triangle t)
{
    std::sort(t.begin(), t.end());
    return t;
}

/// Whether t is a cyclic permutation of its sorted corners.
bool even(const Triangle& t)
{
    const auto least = static_cast<std::size_t>(std::min_element(t.begin(), t.end()) - t.begin());
    return t[(least + 1) % 3] < t[(least + 2) % 3];
}

/// Signed volume of the cones from `apex` to the triangles, and their area.
struct Measure {
    double volume = 0, area = 0;
    Vec3 moment = Vec3::Zero(); ///< area times middle

    void add(const Vec3& apex, const Vec3& a, const Vec3& b, const Vec3& c)
    {
        const Vec3 n = (b - a).cross(c - a);
        volume += (a - apex).dot(n) / 6;
        area += n.norm() / 2;
        moment += n.norm() / 2 * (a + b + c) / 3;
    }
    /// Volume against that of the ball with the same area: clearly on one side of the surface.
    bool tells() const { return 36 * std::numbers::pi * volume * volume > 0.01 * area * area * area; }
};

} // namespace

bool without_area(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const double longest2 = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return (b - a).cross(c - a).norm() <= 1e-12 * longest2;
}

SurfaceEdges::SurfaceEdges(const TriangleMesh& mesh)
    : place(first_at_same_place(mesh.nodes))
    , copies(mesh.triangles.size(), Copy::none)
    , stands_for(mesh.triangles.size(), -1)
{
    const auto n = static_cast<Index>(mesh.triangles.size());
    std::vector<std::pair<Triangle, Index>> by_corners;
    auto placed = [&](Index i) {
        const auto& [a, b, c] = mesh.triangles[i];
        return Triangle{place[a], place[b], place[c]};
    };
    for (Index i = 0; i < n; ++i) {
        const Triangle t = placed(i);
        if (t[0] != t[1] && t[1] != t[2] && t[0] != t[2]) by_corners.emplace_back(sorted(t), i);
    }
    std::sort(by_corners.begin(), by_corners.end());
    for (std::size_t i = 0, first = 0; i < by_corners.size(); ++i) {
        if (by_corners[i].first != by_corners[first].first) first = i;
        const Index t = by_corners[i].second;
        if (i == first) {
            kept.push_back(t);
        } else {
            copies[t] = even(placed(t)) == even(placed(by_corners[first].second)) ? Copy::same : Copy::opposite;
        }
    }
    std::sort(kept.begin(), kept.end());
    for (std::size_t i = 0; i < kept.size(); ++i) stands_for[kept[i]] = static_cast<Index>(i);
    for (std::size_t i = 1; i < by_corners.size(); ++i) {
        if (by_corners[i].first != by_corners[i - 1].first) continue;
        stands_for[by_corners[i].second] = stands_for[by_corners[i - 1].second];
    }

    std::vector<std::tuple<Index, Index, Index, bool>> sides;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        corners.push_back(placed(kept[i]));
        for (int k = 0; k < 3; ++k) {
            const Index a = corners[i][k];
            const Index b = corners[i][(k + 1) % 3];
            sides.emplace_back(std::min(a, b), std::max(a, b), static_cast<Index>(i), a < b);
        }
    }
    std::sort(sides.begin(), sides.end());
    for (const auto& [low, high, triangle, forward] : sides) {
        if (edges.empty() || edges.back().ends != std::array{low, high}) {
            edges.push_back({{low, high}, static_cast<Index>(uses.size()), 0});
        }
        ++edges.back().count;
        uses.push_back({triangle, forward});
    }
}

bool SurfacePatch::consistent() const
{
    return orientable && std::find(against.begin(), against.end(), true) == against.end();
}

std::vector<SurfacePatch> surface_patches(const TriangleMesh& mesh, const SurfaceEdges& edges)
{
    struct Neighbour {
        Index triangle = -1;
        bool turned = false; ///< it faces the other side
    };
    const std::size_t n = edges.kept.size();
    std::vector<std::array<Neighbour, 3>> neighbours(n);
    std::vector<int> sides(n, 0);
    for (const auto& edge : edges.edges) {
        if (!edges.closed(edge)) continue;
        const auto& [t, s] = std::array{edges.uses[edge.first], edges.uses[edge.first + 1]};
        const bool turned = t.forward == s.forward;
        neighbours[t.triangle][sides[t.triangle]++] = {s.triangle, turned};
        neighbours[s.triangle][sides[s.triangle]++] = {t.triangle, turned};
    }

    std::vector<SurfacePatch> patches;
    std::vector<int> side(n, -1); ///< 0: as the first triangle of the patch, 1: the other way
    for (std::size_t seed = 0; seed < n; ++seed) {
        if (side[seed] >= 0) continue;
        SurfacePatch patch;
        side[seed] = 0;
        patch.triangles.push_back(static_cast<Index>(seed));
        std::array<double, 2> area{};
        for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
            const Index t = patch.triangles[i];
            const auto& [a, b, c] = edges.corners[t];
            area[side[t]] += (mesh.nodes[b] - mesh.nodes[a]).cross(mesh.nodes[c] - mesh.nodes[a]).norm() / 2;
            patch.closed &= sides[t] == 3;
            for (int k = 0; k < sides[t]; ++k) {
                const auto& [other, turned] = neighbours[t][k];
                const int wanted = side[t] ^ static_cast<int>(turned);
                if (side[other] < 0) {
                    side[other] = wanted;
                    patch.triangles.push_back(other);
                } else if (side[other] != wanted) {
                    patch.orientable = false;
                }
            }
        }
        std::sort(patch.triangles.begin(), patch.triangles.end());
        const int most = area[1] > area[0] ? 1 : 0;
        Measure about_origin;
        for (const Index t : patch.triangles) {
            patch.against.push_back(patch.orientable && side[t] != most);
            const auto& [a, b, c] = edges.corners[t];
            about_origin.add(Vec3::Zero(), mesh.nodes[a], mesh.nodes[b], mesh.nodes[c]);
        }
        patch.area = about_origin.area;
        const Vec3 middle = patch.area > 0 ? Vec3(about_origin.moment / patch.area) : Vec3::Zero();
        for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
            const auto& [a, b, c] = edges.corners[patch.triangles[i]];
            Measure cone;
            cone.add(middle, mesh.nodes[a], mesh.nodes[b], mesh.nodes[c]);
            patch.volume += patch.against[i] ? -cone.volume : cone.volume;
        }
        patches.push_back(std::move(patch));
    }
    return patches;
}

namespace {

/// Closed patches as bodies of their own: which of them holds which.
class Nesting {
public:
    Nesting(const TriangleMesh& mesh, const SurfaceEdges& edges, const std::vector<SurfacePatch>& patches)
        : shells_(patches.size())
    {
        for (std::size_t i = 0; i < patches.size(); ++i) {
            if (!patches[i].closed || !patches[i].orientable) continue;
            Shell& shell = shells_[i];
            shell.mesh.nodes.reserve(3 * patches[i].triangles.size());
            for (std::size_t k = 0; k < patches[i].triangles.size(); ++k) {
                Triangle t = edges.corners[patches[i].triangles[k]];
                if (patches[i].against[k]) std::swap(t[1], t[2]);
                const auto first = static_cast<Index>(shell.mesh.nodes.size());
                for (const Index v : t) shell.mesh.nodes.push_back(mesh.nodes[v]);
                shell.mesh.triangles.push_back({first, first + 1, first + 2});
            }
            shell.box = bounds(shell.mesh.nodes);
        }
    }

    bool holds(std::size_t outer, std::size_t inner)
    {
        Shell& shell = shells_[outer];
        const Bounds& box = shells_[inner].box;
        if (outer == inner || shell.mesh.nodes.empty() || shells_[inner].mesh.nodes.empty()) return false;
        const bool may = (shell.box.low.array() <= box.low.array()).all()
            && (shell.box.high.array() >= box.high.array()).all() && shell.box.diagonal() > box.diagonal();
        if (!may) return false;
        if (!shell.tree) {
            shell.tree = std::make_unique<TriangleTree>(shell.mesh);
            shell.winding = WindingNumber(*shell.tree);
        }
        return std::abs(shell.winding.at(shells_[inner].mesh.nodes.front())) > 0.5;
    }

private:
    struct Shell {
        TriangleMesh mesh; ///< empty: not a closed patch
        Bounds box;
        std::unique_ptr<TriangleTree> tree;
        WindingNumber winding;
    };
    std::vector<Shell> shells_;
};

} // namespace

PatchOrientation patch_orientation(
    const TriangleMesh& mesh, const SurfaceEdges& edges, const std::vector<SurfacePatch>& patches)
{
    const std::size_t n = patches.size();
    PatchOrientation result{std::vector<bool>(n, false), std::vector<bool>(n, false), std::vector<bool>(n, false)};
    auto is_shell = [&](std::size_t i) { return patches[i].closed && patches[i].orientable; };

    Nesting nesting(mesh, edges, patches);
    std::vector<std::vector<std::size_t>> holders(n);
    std::vector<std::size_t> outermost_first;
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_shell(i)) continue;
        outermost_first.push_back(i);
        for (std::size_t j = 0; j < n; ++j) {
            if (nesting.holds(j, i)) holders[i].push_back(j);
        }
    }
    std::stable_sort(outermost_first.begin(), outermost_first.end(),
        [&](std::size_t i, std::size_t j) { return holders[i].size() < holders[j].size(); });
    auto sign = [&](std::size_t i) { return (patches[i].volume < 0) != result.turn[i] ? -1 : 1; };
    for (const std::size_t i : outermost_first) {
        int around = 0; // winding number outside of it, from those that hold it
        for (const std::size_t j : holders[i]) {
            around += sign(j);
            if (holders[j].empty() && result.turn[j]) result.turn[i] = true;
        }
        if (sign(i) < 0 && around <= 0) result.turn[i] = !result.turn[i];
        result.cavity[i] = sign(i) < 0;
        result.nested[i] = sign(i) > 0 && around > 0;
    }

    // What is open: each patch that bends clearly by itself, the rest together.
    Measure rest;
    Vec3 middle = Vec3::Zero();
    for (const bool second : {false, true}) {
        rest = {};
        for (std::size_t i = 0; i < n; ++i) {
            if (patches[i].closed || !patches[i].orientable) continue;
            const Measure own{.volume = patches[i].volume, .area = patches[i].area};
            if (own.tells()) {
                result.turn[i] = own.volume < 0;
                continue;
            }
            for (std::size_t k = 0; k < patches[i].triangles.size(); ++k) {
                Triangle t = edges.corners[patches[i].triangles[k]];
                if (patches[i].against[k]) std::swap(t[1], t[2]);
                rest.add(middle, mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]]);
            }
        }
        if (!second && rest.area > 0) middle = rest.moment / rest.area;
    }
    if (rest.volume < 0 && rest.tells()) {
        for (std::size_t i = 0; i < n; ++i) {
            const Measure own{.volume = patches[i].volume, .area = patches[i].area};
            if (!patches[i].closed && patches[i].orientable && !own.tells()) result.turn[i] = true;
        }
    }
    return result;
}

} // namespace rubato
