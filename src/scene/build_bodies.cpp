#include "geometry/check.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/oriented_box.hpp"
#include "geometry/transforms.hpp"
#include "potentials/tetrahedra.hpp"
#include "scene/build.hpp"
#include "scene/copies_catalog.hpp"
#include "scene/format.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/scene_memory.hpp"
#include "scene/shape_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace rubato {

namespace {

void append(std::vector<Mistake>& mistakes, std::vector<Mistake> more)
{
    for (Mistake& mistake : more) mistakes.push_back(std::move(mistake));
}

/// A rest mesh with an inverted element may have thousands: the first ones tell the story.
void append_first(std::vector<Mistake>& mistakes, std::vector<Mistake> more, std::size_t most)
{
    const std::size_t left_out = more.size() > most ? more.size() - most : 0;
    more.resize(more.size() - left_out);
    if (left_out > 0) more.back().message += fmt::format(" (and {} more of such mistakes)", left_out);
    append(mistakes, std::move(more));
}

/// A body as a scene file describes it, before it is copied: where the scene puts it, at rest.
struct BodyShape {
    TetMesh mesh;
    Skin skin; ///< what is shown of it
    OrientedBox box;
};

/// x -> linear * (x - from) + to
struct Placement {
    Mat3 linear = Mat3::Identity();
    Vec3 from = Vec3::Zero(), to = Vec3::Zero(); ///< [m]

    Vec3 operator()(const Vec3& x) const { return linear * (x - from) + to; }
    TetMesh operator()(TetMesh mesh) const { return transformed(std::move(mesh), linear, to - linear * from); }
};

void move_vertices(Surface& surface, const Placement& place)
{
    for (Vec3& x : surface.vertices) x = place(x);
}

double scale_of(const Block& body, const TetMesh& mesh)
{
    if (body.options.has("size")) return body.options.real("size") / bounds(mesh.nodes).size().maxCoeff();
    return body.options.has("scale") ? body.options.real("scale") : 1;
}

/// Reads the surface that a body shows; nothing after a mistake.
std::optional<Surface> surface_part(const Scene& scene, const Block& block, std::vector<Mistake>& mistakes)
{
    try {
        return read_surface(existing_file(block.options, scene.folder));
    } catch (const InputError& error) {
        append(mistakes, placed(error, block));
        return std::nullopt;
    }
}

/// Material files of a surface go along into a run directory, where frames find them: beside the copy of the surface
/// and called like it, so that files of one name from several folders keep apart. One that is missing is no mistake:
/// most surfaces are looked at without.
void keep_materials(Surface& surface, const Scene& scene, const Block& block, Bodies& all)
{
    const std::filesystem::path file = scene.folder / block.options.text("path");
    for (std::string& name : surface.material_files) {
        const std::string own = fmt::format(".{}", std::filesystem::path(name).filename().string());
        std::error_code ignored;
        for (const std::filesystem::path& source :
            {std::filesystem::path(file.string() + own), file.parent_path() / name}) {
            if (!std::filesystem::is_regular_file(source, ignored)) continue;
            name = copy_name(scene, block) + own;
            all.material_files.push_back({source, name});
            break;
        }
    }
}

/// The mesh of a body, scaled, turned and moved; nothing after a mistake.
std::optional<BodyShape> shape_of(const Scene& scene, const Block& body, Bodies& all, std::vector<Mistake>& mistakes)
{
    const Block& block = body.part("mesh");
    const MeshEntry& entry = entry_of(mesh_catalog(), block);
    SceneMesh made;
    try {
        made = entry.make(block.options, scene.folder);
    } catch (const InputError& error) {
        append(mistakes, placed(error, block));
        return std::nullopt;
    }
    for (std::string& note : made.notes) all.notes.push_back(body.options.text("name") + ": " + std::move(note));
    const bool from_file = block.options.has("path");
    const std::string source = from_file ? (scene.folder / block.options.text("path")).string() : std::string();
    std::vector<Mistake> found = mesh_mistakes(made.tets, source);
    if (source.empty()) found = placed(InputError(std::move(found)), block);
    if (!found.empty()) {
        append_first(mistakes, std::move(found), 1);
        return std::nullopt;
    }
    if (body.has("surface")) {
        made.surface = surface_part(scene, body.part("surface"), mistakes);
        if (!made.surface) return std::nullopt;
    }
    const Block& rotate = body.part("rotate");
    const Mat3 turn = rotation(rotate.options.vec3("axis"), radians(rotate.options.real("angle")));
    const Bounds box = bounds(made.tets.nodes);
    const double scale = scale_of(body, made.tets);
    const Vec3 from = body.options.flag("center") ? box.center() : Vec3(0, 0, 0);
    const Placement place{scale * turn, from, body.options.vec3("translate")};

    BodyShape shape{place(std::move(made.tets)), {}, {place(box.center()), turn, scale * box.size() / 2}};
    // Scaling can take volumes below the smallest number.
    found = mesh_mistakes(shape.mesh, source);
    if (!found.empty()) {
        const char* const key = body.options.has("size") ? "size" : body.options.has("scale") ? "scale" : "translate";
        mistakes.push_back(
            body.place_of(key).mistake("", "takes the mesh beyond the precision of numbers: " + found.front().message));
        return std::nullopt;
    }
    if (made.surface) {
        const Block& shown = body.has("surface") ? body.part("surface") : block;
        keep_materials(*made.surface, scene, shown, all);
        move_vertices(*made.surface, place);
        shape.skin = embedded_skin(std::move(*made.surface), shape.mesh);
        if (shape.skin.farthest > 0.1 * shape.box.half.norm()) {
            all.notes.push_back(fmt::format(
                "{}: the shown surface reaches {:.3g} m beyond the tetrahedra; do both files lie in the same "
                "place and unit?",
                body.options.text("name"), shape.skin.farthest));
        }
    } else {
        shape.skin = boundary_skin(shape.mesh);
    }
    return shape;
}

/// Where the copies of each body go. Bodies that make way for others come after all that do not, and for what is
/// `standing` already.
std::vector<std::vector<CopyPlace>> copy_places(const std::vector<Block>& blocks,
    const std::vector<std::optional<BodyShape>>& shapes, std::vector<OrientedBox> standing,
    std::vector<Mistake>& mistakes)
{
    std::vector<std::vector<CopyPlace>> places(blocks.size());
    for (const bool making_way : {false, true}) {
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (!blocks[b].has("copies")) {
                if (making_way) continue;
                places[b] = {CopyPlace{}};
            } else {
                const Block& block = blocks[b].part("copies");
                const CopiesEntry& entry = entry_of(copies_catalog(), block);
                if (entry.makes_way != making_way) continue;
                try {
                    places[b] = entry.make(block.options, {shapes[b]->box, standing});
                } catch (const InputError& error) {
                    append(mistakes, placed(error, block));
                }
            }
            const OrientedBox& box = shapes[b]->box;
            for (const CopyPlace& place : places[b]) {
                standing.push_back({box.center + place.offset, place.turn * box.axes, box.half});
            }
        }
    }
    return places;
}

Vec3 center_of_mass(const std::vector<Vec3>& x, const Eigen::Ref<const Vector>& nodal_mass)
{
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) sum += nodal_mass[static_cast<Eigen::Index>(i)] * x[i];
    return sum / nodal_mass.sum();
}

/// Applies the deformations and adds up the velocities of one body.
void set_start(const Block& body, const PlacedBody& place, Bodies& all, std::vector<Mistake>& mistakes)
{
    std::vector<Vec3> x, v(static_cast<std::size_t>(place.nodes), Vec3::Zero());
    for (Index i = 0; i < place.nodes; ++i) x.push_back(node(all.X, place.first_node + i));
    const auto nodal_mass = all.nodal_mass.segment(place.first_node, place.nodes);

    for (const Block& block : body.list("deform")) {
        try {
            const BodyPose pose{x, center_of_mass(x, nodal_mass)};
            const PointRule rule = entry_of(deformation_catalog(), block).make(block.options, pose);
            for (Vec3& p : x) p = rule(p);
        } catch (const InputError& error) {
            append(mistakes, placed(error, block));
        }
    }
    const BodyPose pose{x, center_of_mass(x, nodal_mass)};
    for (const Block& block : body.list("velocity")) {
        try {
            const PointRule rule = entry_of(velocity_catalog(), block).make(block.options, pose);
            for (std::size_t i = 0; i < x.size(); ++i) v[i] += rule(x[i]);
        } catch (const InputError& error) {
            append(mistakes, placed(error, block));
        }
    }
    for (Index i = 0; i < place.nodes; ++i) {
        node(all.x, place.first_node + i) = x[static_cast<std::size_t>(i)];
        node(all.v, place.first_node + i) = v[static_cast<std::size_t>(i)];
    }
}

double volume_of(const TetMesh& mesh, const PlacedBody& body)
{
    double sum = 0;
    const auto at = [&](Index i) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(i)]; };
    for (Index e = body.first_tet; e < body.first_tet + body.tets; ++e) {
        const auto& [a, b, c, d] = mesh.tets[static_cast<std::size_t>(e)];
        sum += det_of_edges(at(a), at(b), at(c), at(d)) / 6;
    }
    return sum;
}

/// One more body behind those there are.
void add_body(Bodies& all, PlacedBody body, TetMesh mesh, const Skin& skin)
{
    body.first_node = static_cast<Index>(all.mesh.nodes.size());
    body.nodes = static_cast<Index>(mesh.nodes.size());
    body.first_tet = static_cast<Index>(all.mesh.tets.size());
    body.tets = static_cast<Index>(mesh.tets.size());
    append(all.skin, skin, body.first_node, {.name = body.name, .one_of_several = body.name != body.family});
    all.mesh.nodes.insert(all.mesh.nodes.end(), mesh.nodes.begin(), mesh.nodes.end());
    for (Tet tet : mesh.tets) {
        for (Index& i : tet) i += body.first_node;
        all.mesh.tets.push_back(tet);
    }
    for (const auto& [name, members] : mesh.groups) {
        auto& group = all.mesh.groups[body.name + "." + name];
        for (const Index i : members) group.push_back(body.first_node + i);
    }
    body.groups = std::move(mesh.groups);
    body.volume = volume_of(all.mesh, body);
    all.bodies.push_back(std::move(body));
}

/// More than this is a slip of the keyboard rather than a scene.
constexpr double most_nodes_of_scene = 50e6;

/// What copies may not do: fill the memory, take names that are taken, or go where numbers cannot follow.
std::vector<Mistake> copies_mistakes(const std::vector<Block>& blocks,
    const std::vector<std::optional<BodyShape>>& shapes, const std::vector<std::vector<CopyPlace>>& places)
{
    std::vector<Mistake> mistakes;
    std::map<std::string, std::size_t> block_of; // of each name, families included
    for (std::size_t b = 0; b < blocks.size(); ++b) block_of[blocks[b].options.text("name")] = b;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (!blocks[b].has("copies")) continue;
        const Block& copies = blocks[b].part("copies");
        const double nodes = static_cast<double>(places[b].size() * shapes[b]->mesh.nodes.size());
        if (nodes > most_nodes_of_scene) {
            mistakes.push_back(copies.place.mistake(std::to_string(places[b].size()),
                fmt::format("copies of {} nodes each make {:.3g} nodes; at most {:.3g} are allowed",
                    shapes[b]->mesh.nodes.size(), nodes, most_nodes_of_scene)));
            continue;
        }
        for (std::size_t i = 0; i < places[b].size(); ++i) {
            const std::string name = fmt::format("{}-{}", blocks[b].options.text("name"), i + 1);
            if (!block_of.emplace(name, b).second) {
                mistakes.push_back(blocks[b].place_of("name").mistake('"' + blocks[b].options.text("name") + '"',
                    fmt::format("a body and a copy of another would both be called '{}'", name)));
                break;
            }
            const double reach = places[b][i].offset.norm() + shapes[b]->box.center.norm();
            if (!(reach < 1e9 * shapes[b]->box.half.maxCoeff())) {
                mistakes.push_back(copies.place.mistake("",
                    fmt::format("body '{}' would lie {:.3g} m away, beyond the precision of numbers", name, reach)));
                break;
            }
        }
    }
    return mistakes;
}

/// Whether all bodies and copies together fit into the memory; the mistake is where most of them come from.
std::vector<Mistake> memory_mistakes(const std::vector<Block>& blocks,
    const std::vector<std::optional<BodyShape>>& shapes, const std::vector<std::vector<CopyPlace>>& places)
{
    const auto tets_of = [&](std::size_t b) {
        return static_cast<double>(places[b].size()) * static_cast<double>(shapes[b]->mesh.tets.size());
    };
    double tets = 0, bodies = 0;
    std::size_t most = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        tets += tets_of(b);
        bodies += static_cast<double>(places[b].size());
        if (tets_of(b) > tets_of(most)) most = b;
    }
    const std::string why = why_no_room(scene_bytes(tets, bodies));
    if (why.empty()) return {};
    const std::string all = fmt::format("{:.3g} tetrahedra in {:.0f} bodies", tets, bodies);
    const bool copied = blocks[most].has("copies");
    return {(copied ? blocks[most].part("copies").place : blocks[most].part("mesh").place)
                .mistake(copied ? std::to_string(places[most].size()) : "",
                    fmt::format("the scene has {}: a run of them {}", all, why))};
}

/// All bodies and their copies, at rest.
void add_bodies(Bodies& all, const std::vector<Block>& blocks, const std::vector<std::optional<BodyShape>>& shapes,
    const std::vector<std::vector<CopyPlace>>& places)
{
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const BodyShape& shape = *shapes[b];
        const std::string& family = blocks[b].options.text("name");
        for (std::size_t i = 0; i < places[b].size(); ++i) {
            const Vec3& center = shape.box.center;
            const Placement place{places[b][i].turn, center, center + places[b][i].offset};
            Skin skin = shape.skin;
            move_vertices(skin.surface, place);
            PlacedBody body;
            body.name = blocks[b].has("copies") ? fmt::format("{}-{}", family, i + 1) : family;
            body.family = family;
            body.block = b;
            add_body(all, std::move(body), place(shape.mesh), skin);
        }
    }
}

} // namespace

SelectableNodes Bodies::selectable() const
{
    SelectableNodes all{mesh.nodes, {}};
    for (const PlacedBody& body : bodies) {
        all.bodies.push_back({body.name, body.family, body.first_node, body.nodes, &body.groups});
    }
    return all;
}

Index Bodies::body_nodes() const { return bodies.empty() ? 0 : bodies.back().first_node + bodies.back().nodes; }

Bodies placed_bodies(const Scene& scene, const std::vector<ObstacleShape>& obstacles, std::vector<Mistake>& mistakes)
{
    Bodies all;
    std::vector<OrientedBox> standing;
    for (const ObstacleShape& obstacle : obstacles) {
        if (obstacle.room) standing.push_back(*obstacle.room);
    }
    const std::vector<Block>& blocks = scene.root.list("bodies");
    std::vector<std::optional<BodyShape>> shapes;
    for (const Block& block : blocks) shapes.push_back(shape_of(scene, block, all, mistakes));
    if (!mistakes.empty()) return all;
    const std::vector<std::vector<CopyPlace>> places = copy_places(blocks, shapes, std::move(standing), mistakes);
    if (mistakes.empty()) append(mistakes, copies_mistakes(blocks, shapes, places));
    if (mistakes.empty()) append(mistakes, memory_mistakes(blocks, shapes, places));
    if (!mistakes.empty()) return all;
    add_bodies(all, blocks, shapes, places);

    const auto nodes = static_cast<Eigen::Index>(all.mesh.nodes.size());
    all.X.resize(3 * nodes);
    for (Index i = 0; i < nodes; ++i) node(all.X, i) = all.mesh.nodes[static_cast<std::size_t>(i)];
    all.x = all.X;
    all.v = Vector::Zero(3 * nodes);
    all.nodal_mass = Vector::Zero(nodes);
    for (PlacedBody& body : all.bodies) {
        const Block& block = blocks[body.block];
        const Options& options = block.options;
        const double density = options.has("density") ? options.real("density") : options.real("mass") / body.volume;
        const auto first = all.mesh.tets.begin() + body.first_tet;
        add_lumped_mass(TetBatches({first, first + body.tets}, all.X), density, all.nodal_mass);
        body.mass = all.nodal_mass.segment(body.first_node, body.nodes).sum();
        set_start(block, body, all, mistakes);
    }
    return all;
}

} // namespace rubato
