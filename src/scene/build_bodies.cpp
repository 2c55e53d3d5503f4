#include "geometry/check.hpp"
#include "geometry/transforms.hpp"
#include "potentials/tetrahedra.hpp"
#include "scene/build.hpp"
#include "scene/format.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/shape_catalog.hpp"

#include <fmt/format.h>

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

/// The mesh of a body where the scene puts it; nothing after a mistake.
std::optional<TetMesh> placed_mesh(const Scene& scene, const Block& body, std::vector<Mistake>& mistakes)
{
    const Block& block = body.part("mesh");
    const MeshEntry& entry = entry_of(mesh_catalog(), block);
    TetMesh mesh;
    try {
        mesh = entry.make(block.options, scene.folder);
    } catch (const InputError& error) {
        append(mistakes, placed(error, block));
        return std::nullopt;
    }
    const std::string source = entry.reads_file ? (scene.folder / block.options.text("path")).string() : std::string();
    std::vector<Mistake> found = mesh_mistakes(mesh, source);
    if (source.empty()) found = placed(InputError(std::move(found)), block);
    if (!found.empty()) {
        append_first(mistakes, std::move(found), 1);
        return std::nullopt;
    }
    const Block& rotate = body.part("rotate");
    const Mat3 turn = rotation(rotate.options.vec3("axis"), radians(rotate.options.real("angle")));
    mesh = transformed(std::move(mesh), body.options.real("scale") * turn, body.options.vec3("translate"));
    // Scaling can take volumes below the smallest number.
    found = mesh_mistakes(mesh, source);
    if (!found.empty()) {
        mistakes.push_back(body.place_of("scale").mistake(
            fmt::format("{}", body.options.real("scale")), "the scaled mesh is unusable: " + found.front().message));
        return std::nullopt;
    }
    return mesh;
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

} // namespace

SelectableNodes Bodies::selectable() const
{
    SelectableNodes all{mesh.nodes, {}};
    for (const PlacedBody& body : bodies) {
        all.bodies.push_back({body.name, body.first_node, body.nodes, &body.groups});
    }
    return all;
}

Bodies placed_bodies(const Scene& scene, std::vector<Mistake>& mistakes)
{
    Bodies all;
    const std::vector<Block>& blocks = scene.root.list("bodies");
    for (const Block& block : blocks) {
        std::optional<TetMesh> mesh = placed_mesh(scene, block, mistakes);
        if (!mesh) continue;
        PlacedBody body;
        body.name = block.options.text("name");
        body.first_node = static_cast<Index>(all.mesh.nodes.size());
        body.nodes = static_cast<Index>(mesh->nodes.size());
        body.first_tet = static_cast<Index>(all.mesh.tets.size());
        body.tets = static_cast<Index>(mesh->tets.size());
        all.mesh.nodes.insert(all.mesh.nodes.end(), mesh->nodes.begin(), mesh->nodes.end());
        for (Tet tet : mesh->tets) {
            for (Index& i : tet) i += body.first_node;
            all.mesh.tets.push_back(tet);
        }
        for (const auto& [name, members] : mesh->groups) {
            auto& group = all.mesh.groups[body.name + "." + name];
            for (const Index i : members) group.push_back(body.first_node + i);
        }
        body.groups = std::move(mesh->groups);
        body.volume = volume_of(all.mesh, body);
        all.bodies.push_back(std::move(body));
    }
    if (all.bodies.size() != blocks.size()) return all;

    const auto nodes = static_cast<Eigen::Index>(all.mesh.nodes.size());
    all.X.resize(3 * nodes);
    for (Index i = 0; i < nodes; ++i) node(all.X, i) = all.mesh.nodes[static_cast<std::size_t>(i)];
    all.x = all.X;
    all.v = Vector::Zero(3 * nodes);
    all.nodal_mass = Vector::Zero(nodes);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        PlacedBody& body = all.bodies[b];
        const Options& options = blocks[b].options;
        const double density = options.has("density") ? options.real("density") : options.real("mass") / body.volume;
        const auto first = all.mesh.tets.begin() + body.first_tet;
        add_lumped_mass(TetrahedraTable({first, first + body.tets}, all.X), density, all.nodal_mass);
        body.mass = all.nodal_mass.segment(body.first_node, body.nodes).sum();
        set_start(blocks[b], body, all, mistakes);
    }
    return all;
}

} // namespace rubato
