#include "contact/intersections.hpp"
#include "geometry/fields/winding_number.hpp"
#include "scene/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rubato {

namespace {

constexpr std::size_t most_told = 5; ///< pairs of bodies that are named

std::string text(const Vec3& x) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}] m", x.x(), x.y(), x.z()); }

template <std::size_t n>
std::string numbers(const std::array<Index, n>& nodes, Index first)
{
    std::string all;
    for (const Index i : nodes) all += fmt::format("{}{}", all.empty() ? "" : "-", i - first);
    return all;
}

Edge sorted(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

/// The faces of one part, and what can be asked of them.
struct PartFaces {
    PartFaces(const CollisionSurface& surface, Index part, const Vector& x)
    {
        for (Index i = 0; i < static_cast<Index>(surface.faces.size()); ++i) {
            if (surface.face_part[static_cast<std::size_t>(i)] != part) continue;
            const Triangle& face = surface.faces[static_cast<std::size_t>(i)];
            const auto corner = static_cast<Index>(mesh.nodes.size());
            for (const Index n : face) mesh.nodes.emplace_back(node(x, n));
            mesh.triangles.push_back({corner, corner + 1, corner + 2});
            faces.push_back(face);
        }
        tree = TriangleTree(mesh);
        winding = WindingNumber(tree);
        std::map<Edge, int> balance; // of both directions of each edge
        for (const Triangle& t : faces) {
            for (std::size_t k = 0; k < 3; ++k) {
                const Index a = t[k], b = t[(k + 1) % 3];
                balance[sorted(a, b)] += a < b ? 1 : -1;
            }
        }
        closed = std::all_of(balance.begin(), balance.end(), [](const auto& edge) { return edge.second == 0; });
    }
    PartFaces(const PartFaces&) = delete;
    PartFaces& operator=(const PartFaces&) = delete;

    /// Whether p lies in the solid that they bound. An open surface bounds none; one that faces inward is a room.
    bool enclose(const Vec3& p) const { return closed && !faces.empty() && winding.at(p) > 0.5; }

    TriangleMesh mesh; ///< every triangle with corners of its own
    std::vector<Triangle> faces; ///< the same in nodes of the scene
    TriangleTree tree;
    WindingNumber winding; ///< over the tree
    bool closed = false;
};

/// Finds what is wrong with the start and puts it into words.
class Start {
public:
    Start(const Scene& scene, const Bodies& bodies, const SceneContact& contact)
        : scene_(scene)
        , bodies_(bodies)
        , surface_(contact.surface)
        , rules_(contact.rules)
    {
    }

    void look_for_crossings();
    void look_for_nesting();

    bool clean() const { return findings_.empty(); }
    std::vector<Mistake> mistakes() const;
    TriangleMesh offending() const;

private:
    struct Finding {
        std::string what; ///< of the first place
        long places = 0;
    };

    bool is_body(Index part) const { return part < static_cast<Index>(bodies_.bodies.size()); }
    const PlacedObstacle& obstacle(Index part) const
    {
        return bodies_.obstacles[static_cast<std::size_t>(part) - bodies_.bodies.size()];
    }
    const std::string& name(Index part) const { return surface_.parts[static_cast<std::size_t>(part)].name; }
    std::string called(Index part) const
    {
        return fmt::format("{} '{}'", is_body(part) ? "body" : "obstacle", name(part));
    }
    const Place& place_of(Index part) const
    {
        return is_body(part) ? scene_.root.list("bodies")[bodies_.bodies[static_cast<std::size_t>(part)].block].place
                             : scene_.root.list("obstacles")[obstacle(part).block].place;
    }
    Index first_node(Index part) const
    {
        return is_body(part) ? bodies_.bodies[static_cast<std::size_t>(part)].first_node : obstacle(part).first_node;
    }
    const PartFaces& faces_of(Index part) { return faces_.try_emplace(part, surface_, part, bodies_.x).first->second; }
    bool may_meet(Index a, Index b) const
    {
        const auto& parts = surface_.parts;
        return rules_.at(a, b).touch
            && !(parts[static_cast<std::size_t>(a)].kinematic && parts[static_cast<std::size_t>(b)].kinematic);
    }
    void add(Index a, Index b, const std::string& what)
    {
        Finding& finding = findings_[{std::min(a, b), std::max(a, b)}];
        if (finding.places++ == 0) finding.what = what;
    }
    std::string nearest_face(Index part, const Vec3& place);
    std::string told(const Intersection& found);

    const Scene& scene_;
    const Bodies& bodies_;
    const CollisionSurface& surface_;
    const PairRules& rules_;
    std::map<std::pair<Index, Index>, Finding> findings_; ///< by parts
    std::map<Index, PartFaces> faces_; ///< of the parts that were asked for
    std::set<Edge> bad_edges_;
    std::set<Index> bad_nodes_;
    std::set<Triangle> bad_faces_;
};

/// " near triangle 3-4-7 of 'block'"; nothing for a part without triangles. Notes it, too.
std::string Start::nearest_face(Index part, const Vec3& place)
{
    const PartFaces& own = faces_of(part);
    if (own.faces.empty()) return "";
    const Triangle& face = own.faces[static_cast<std::size_t>(own.tree.closest(place).triangle)];
    bad_faces_.insert(face);
    return fmt::format(" near triangle {} of '{}'", numbers(face, first_node(part)), name(part));
}

/// One place in words. Notes the elements, too.
std::string Start::told(const Intersection& found)
{
    const auto at = [](const auto& list, Index i) { return list[static_cast<std::size_t>(i)]; };
    switch (found.kind) {
    case Intersection::Kind::edge_through_face: {
        const Edge edge = at(surface_.edges, found.first);
        const Triangle face = at(surface_.faces, found.second);
        const Index a = at(surface_.edge_part, found.first), b = at(surface_.face_part, found.second);
        bad_edges_.insert(sorted(edge[0], edge[1]));
        bad_faces_.insert(face);
        return fmt::format("edge {} of '{}' passes through triangle {} of '{}' at {}", numbers(edge, first_node(a)),
            name(a), numbers(face, first_node(b)), name(b), text(found.place));
    }
    case Intersection::Kind::point_behind_half_space: {
        const Index i = at(surface_.points, found.first), a = at(surface_.point_part, found.first);
        const HalfSpace plane = at(surface_.half_spaces, found.second);
        const Vec3 x = node(bodies_.x, i);
        bad_nodes_.insert(i);
        const double depth = (plane.point - x).dot(plane.normal);
        return fmt::format("node {} of '{}' at {} lies {}the plane", i - first_node(a), name(a), text(x),
            depth > 0 ? fmt::format("{:.3g} m below ", depth) : "on ");
    }
    case Intersection::Kind::too_close: break;
    }
    const std::string near = nearest_face(found.part_a, found.place) + nearest_face(found.part_b, found.place);
    return fmt::format("their surfaces overlap at {}{}", text(found.place), near);
}

void Start::look_for_crossings()
{
    for (const Intersection& found : intersections(surface_, rules_, bodies_.X, bodies_.x)) {
        add(found.part_a, found.part_b, told(found));
    }
}

/// All pairs of a box and another that holds it, sorted. Boxes are met in the order of their lower ends along the axis
/// on which they spread most; those that end before the present one begins are dropped, so that many small ones cost
/// little.
std::vector<std::pair<Index, Index>> boxes_in_boxes(const std::vector<Vec3>& low, const std::vector<Vec3>& high)
{
    std::vector<Index> order;
    Vec3 least = Vec3::Constant(HUGE_VAL), most = -least;
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (!(low[i].array() <= high[i].array()).all()) continue; // nothing is in it
        order.push_back(static_cast<Index>(i));
        least = least.cwiseMin(low[i]);
        most = most.cwiseMax(low[i]);
    }
    int axis = 0;
    if (!order.empty()) (most - least).maxCoeff(&axis);
    const auto at = [](const std::vector<Vec3>& v, Index i) -> const Vec3& { return v[static_cast<std::size_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](Index i, Index j) {
        return std::pair{at(low, i)[axis], i} < std::pair{at(low, j)[axis], j};
    });
    const auto holds = [&](Index o, Index i) {
        return (at(low, i).array() >= at(low, o).array()).all() && (at(high, i).array() <= at(high, o).array()).all();
    };
    std::vector<std::pair<Index, Index>> found;
    std::vector<Index> open;
    for (const Index i : order) {
        std::erase_if(open, [&](Index o) { return at(high, o)[axis] < at(low, i)[axis]; });
        for (const Index o : open) {
            if (holds(o, i)) found.emplace_back(i, o);
            if (holds(i, o)) found.emplace_back(o, i); // both begin at one place
        }
        open.push_back(i);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Parts without a crossing that lie in each other as a whole: then any point of the inner one tells.
void Start::look_for_nesting()
{
    const std::size_t count = surface_.parts.size();
    std::vector<Vec3> low(count, Vec3::Constant(HUGE_VAL)), high(count, Vec3::Constant(-HUGE_VAL));
    std::vector<Index> first(count, -1);
    for (std::size_t i = 0; i < surface_.points.size(); ++i) {
        const auto part = static_cast<std::size_t>(surface_.point_part[i]);
        const Vec3 x = node(bodies_.x, surface_.points[i]);
        low[part] = low[part].cwiseMin(x);
        high[part] = high[part].cwiseMax(x);
        if (first[part] < 0) first[part] = surface_.points[i];
    }
    for (const auto& [inner, outer] : boxes_in_boxes(low, high)) {
        const Index i = first[static_cast<std::size_t>(inner)];
        if (i < 0 || first[static_cast<std::size_t>(outer)] < 0 || !may_meet(inner, outer)) continue;
        if (findings_.contains({std::min(inner, outer), std::max(inner, outer)})) continue;
        const Vec3 x = node(bodies_.x, i);
        if (!faces_of(outer).enclose(x)) continue;
        add(inner, outer,
            fmt::format("'{}' lies inside of '{}', with its node {} at {}", name(inner), name(outer),
                i - first_node(inner), text(x)));
        for (const Triangle& face : faces_of(inner).faces) bad_faces_.insert(face);
    }
}

std::vector<Mistake> Start::mistakes() const
{
    std::vector<Mistake> all;
    for (const auto& [parts, finding] : findings_) {
        if (all.size() == most_told) {
            all.back().message += fmt::format(" (and {} more such pairs)", findings_.size() - most_told);
            break;
        }
        const auto& [a, b] = parts;
        const std::string who = a == b ? called(a) + " with itself" : fmt::format("{} and {}", called(a), called(b));
        all.push_back(place_of(a).mistake("",
            fmt::format("intersection of {} at the start: {}{}", who, finding.what,
                finding.places > 1 ? fmt::format("; {} such places in all", finding.places) : "")));
    }
    return all;
}

TriangleMesh Start::offending() const
{
    TriangleMesh mesh;
    std::map<Index, Index> number;
    for (const Triangle& face : surface_.faces) {
        const auto on_bad_edge = [&](int k) {
            return bad_edges_.contains(
                sorted(face[static_cast<std::size_t>(k)], face[static_cast<std::size_t>((k + 1) % 3)]));
        };
        const bool bad = bad_faces_.contains(face) || on_bad_edge(0) || on_bad_edge(1) || on_bad_edge(2)
            || std::any_of(face.begin(), face.end(), [&](Index i) { return bad_nodes_.contains(i); });
        if (!bad) continue;
        Triangle own;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [at, is_new] = number.try_emplace(face[k], static_cast<Index>(mesh.nodes.size()));
            if (is_new) mesh.nodes.emplace_back(node(bodies_.x, face[k]));
            own[k] = at->second;
        }
        mesh.triangles.push_back(own);
    }
    return mesh;
}

} // namespace

void require_apart(const Scene& scene, const Bodies& bodies, const SceneContact& contact)
{
    Start start(scene, bodies, contact);
    start.look_for_crossings();
    start.look_for_nesting();
    if (!start.clean()) throw IntersectionError(start.mistakes(), start.offending(), scene.name());
}

} // namespace rubato
