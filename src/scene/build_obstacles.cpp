#include "geometry/transforms.hpp"
#include "potentials/motions.hpp"
#include "scene/build.hpp"
#include "scene/format.hpp"
#include "scene/motion_catalog.hpp"
#include "scene/shape_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace rubato {

namespace {

ObstacleShape made(const Scene& scene, const Block& block)
{
    ObstacleSite site{.folder = scene.folder, .up = scene.up().normalized()};
    if (block.has("rotate")) {
        const Options& rotate = block.part("rotate").options;
        site.turn = rotation(rotate.vec3("axis"), radians(rotate.real("angle")));
    }
    return entry_of(obstacle_catalog(), block).make(block.options, site);
}

/// Names that bodies have: their own and those of their families.
std::set<std::string> body_names(const Bodies& all)
{
    std::set<std::string> names;
    for (const PlacedBody& body : all.bodies) {
        names.insert(body.name);
        names.insert(body.family);
    }
    return names;
}

/// The names of all obstacles. Given ones come first, so that no automatic one takes them.
std::vector<std::string> names_of(const std::vector<Block>& blocks, const Bodies& all, std::vector<Mistake>& mistakes)
{
    std::set<std::string> taken = body_names(all);
    std::vector<std::string> names(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!blocks[i].options.has("name")) continue;
        names[i] = blocks[i].options.text("name");
        if (taken.insert(names[i]).second) continue;
        mistakes.push_back(blocks[i].place_of("name").mistake(
            '"' + names[i] + '"', "a body, or a copy of one, has this name already"));
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!names[i].empty()) continue;
        names[i] = entry_of(obstacle_catalog(), blocks[i]).first_name;
        for (int number = 1; names[i].empty() || !taken.insert(names[i]).second; ++number) {
            names[i] = fmt::format("{}-{}", blocks[i].type, number);
        }
    }
    return names;
}

/// Nodes behind those there are; they have no mass and do not move by themselves.
void add_nodes(Bodies& all, const std::vector<Vec3>& nodes)
{
    const Eigen::Index before = all.nodal_mass.size(), count = before + static_cast<Eigen::Index>(nodes.size());
    all.mesh.nodes.insert(all.mesh.nodes.end(), nodes.begin(), nodes.end());
    all.nodal_mass.conservativeResize(count);
    all.nodal_mass.tail(count - before).setZero();
    for (Vector* vector : {&all.X, &all.x, &all.v}) vector->conservativeResize(3 * count);
    all.v.tail(3 * (count - before)).setZero();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        node(all.X, static_cast<Index>(before) + static_cast<Index>(i)) = nodes[i];
        node(all.x, static_cast<Index>(before) + static_cast<Index>(i)) = nodes[i];
    }
}

Skin skin_of(const TriangleMesh& mesh)
{
    std::vector<Index> own(mesh.nodes.size());
    std::iota(own.begin(), own.end(), 0);
    return {.surface = surface_of(mesh), .points = at_nodes(own), .embedded = true};
}

} // namespace

std::vector<ObstacleShape> obstacle_shapes(const Scene& scene, std::vector<Mistake>& mistakes)
{
    std::vector<ObstacleShape> shapes;
    for (const Block& block : scene.root.list("obstacles")) {
        try {
            shapes.push_back(made(scene, block));
        } catch (const InputError& error) {
            for (Mistake& mistake : placed(error, block)) mistakes.push_back(std::move(mistake));
        }
    }
    return shapes;
}

void add_obstacles(
    const Scene& scene, const std::vector<ObstacleShape>& shapes, Bodies& all, std::vector<Mistake>& mistakes)
{
    const std::vector<Block>& blocks = scene.root.list("obstacles");
    const std::vector<std::string> names = names_of(blocks, all, mistakes);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const ObstacleShape& shape = shapes[i];
        PlacedObstacle obstacle{
            .name = names[i],
            .block = i,
            .half_space = shape.half_space,
            .radius = shape.radius,
            .first_node = static_cast<Index>(all.mesh.nodes.size()),
            .nodes = static_cast<Index>(shape.surface.nodes.size()),
            .shown_nodes = static_cast<Index>(shape.shown.nodes.size()),
            .edges = shape.edges,
            .faces = shape.surface.triangles,
            .motion = motion_of(blocks[i]),
        };
        for (Edge& edge : obstacle.edges) {
            for (Index& n : edge) n += obstacle.first_node;
        }
        for (Triangle& face : obstacle.faces) {
            for (Index& n : face) n += obstacle.first_node;
        }
        const bool own = shape.shown.nodes.empty(); // it looks like what it is
        const TriangleMesh& shown = own ? shape.surface : shape.shown;
        if (!shown.nodes.empty()) {
            append(all.skin, skin_of(shown), obstacle.first_node + (own ? 0 : obstacle.nodes),
                {.name = obstacle.name, .obstacle = true});
        }
        add_nodes(all, shape.surface.nodes);
        add_nodes(all, shape.shown.nodes);
        if (obstacle.radius > 0 && obstacle.motion->turns()) {
            obstacle.turning = static_cast<Index>(all.mesh.nodes.size());
            add_nodes(all, {shape.surface.nodes.front()});
        }
        all.obstacles.push_back(std::move(obstacle));
    }
}

std::optional<double> ground_height(const Scene& scene)
{
    constexpr double level = 1 - 1e-9;
    const Vec3 up = scene.up().normalized();
    std::optional<double> height;
    for (const Block& block : scene.root.list("obstacles")) {
        if (entry_of(obstacle_catalog(), block).moves) continue; // not a half-space, and may read files
        const std::optional<HalfSpace> plane = made(scene, block).half_space;
        if (plane && plane->normal.dot(up) > level) height = std::max(height.value_or(-HUGE_VAL), plane->point.dot(up));
    }
    return height;
}

} // namespace rubato
