#include "potentials/forces.hpp"
#include "potentials/motions.hpp"
#include "potentials/springs.hpp"
#include "potentials/tetrahedra.hpp"
#include "scene/build.hpp"
#include "scene/format.hpp"
#include "scene/motion_catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

namespace rubato {

namespace {

using Mistakes = std::vector<Mistake>;

std::array<bool, 3> axes_of(const Block& block)
{
    const std::string& text = block.options.text("axes");
    return {
        text.find('x') != std::string::npos, text.find('y') != std::string::npos, text.find('z') != std::string::npos};
}

/// Where an unknown is, for a person: "node 5 of body 'bar'".
std::string node_name(const Bodies& bodies, Index i)
{
    for (const PlacedBody& body : bodies.bodies) {
        if (i < body.first_node + body.nodes)
            return fmt::format("node {} of body '{}'", i - body.first_node, body.name);
    }
    return fmt::format("node {}", i);
}

/// Gives nodes to motions and sees to it that no unknown is given away twice.
class Claims {
public:
    Claims(const Bodies& bodies, Mistakes& mistakes)
        : bodies_(bodies)
        , mistakes_(mistakes)
    {
    }

    /// `fixed`: two blocks that both hold a node still agree with each other.
    void claim(const Block& block, const std::shared_ptr<const Motion>& motion, bool fixed)
    {
        bool told = false; // one mistake per block is enough
        for (const Index i : selected_nodes(block.part("nodes"), bodies_, mistakes_)) {
            std::array<bool, 3> axes = axes_of(block);
            for (int a = 0; a < 3; ++a) {
                if (!axes[static_cast<std::size_t>(a)]) continue;
                const auto [owner, is_new] = owners_.try_emplace(3 * i + a, Owner{&block, fixed});
                if (is_new) continue;
                axes[static_cast<std::size_t>(a)] = false;
                if ((fixed && owner->second.fixed) || told) continue;
                told = true;
                mistakes_.push_back(block.place.mistake("",
                    fmt::format("{} is held along {} by {} already", node_name(bodies_, i), "xyz"[a],
                        owner -> second.block->place.key)));
            }
            if (axes[0] || axes[1] || axes[2]) prescription.add(i, node(bodies_.x, i), motion, axes);
        }
    }

    Prescription prescription;

private:
    struct Owner {
        const Block* block;
        bool fixed;
    };
    const Bodies& bodies_;
    Mistakes& mistakes_;
    std::map<Index, Owner> owners_;
};

std::unique_ptr<Potential> force(const Block& block, const Bodies& bodies, Mistakes& mistakes)
{
    const std::vector<Index> nodes = selected_nodes(block.part("nodes"), bodies, mistakes);
    const std::string& distribution = block.options.text("distribution");
    std::vector<Vec3> forces;
    for (const Index i : nodes) {
        const double share = distribution == "total" ? 1.0 / static_cast<double>(nodes.size())
            : distribution == "mass"                 ? bodies.nodal_mass[i]
                                                     : 1.0;
        forces.push_back(share * block.options.vec3("force"));
    }
    const Block& profile = block.part("profile");
    return std::make_unique<NodalForce>(
        nodes, std::move(forces), bodies.x, entry_of(force_profile_catalog(), profile).make(profile.options));
}

void add_springs(const Block& block, int group, const Bodies& bodies, std::vector<Spring>& springs, Mistakes& mistakes)
{
    const std::vector<Index> a = selected_nodes(block.part("a"), bodies, mistakes);
    const std::vector<Index> b = selected_nodes(block.part("b"), bodies, mistakes);
    if (a.empty() || b.empty()) return;
    if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
        mistakes.push_back(block.place.mistake("",
            fmt::format(
                "a selects {} nodes and b {}; give equal numbers, or one node on one side", a.size(), b.size())));
        return;
    }
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Index from = a[a.size() == 1 ? 0 : i], to = b[b.size() == 1 ? 0 : i];
        if (from == to) {
            mistakes.push_back(
                block.place.mistake("", fmt::format("{} would be tied to itself", node_name(bodies, from))));
            return;
        }
        const double distance = (node(bodies.x, from) - node(bodies.x, to)).norm();
        const double length = block.options.has("rest_length") ? block.options.real("rest_length") : distance;
        springs.push_back({from, to, block.options.real("stiffness"), length, group});
    }
}

/// Which tetrahedra of a body, or of its first copy that has any, start inside out or flat; nothing if none does.
std::optional<std::string> inverted_elements(const PlacedBody& copies, const Bodies& bodies)
{
    constexpr std::size_t most_listed = 5;
    std::vector<Index> inverted;
    Vec3 place = Vec3::Zero();
    for (const PlacedBody& body : bodies.bodies) {
        if (body.block != copies.block) continue;
        for (Index e = 0; e < body.tets; ++e) {
            const auto& [a, b, c, d] = bodies.mesh.tets[static_cast<std::size_t>(body.first_tet + e)];
            const Vec3 x[] = {node(bodies.x, a), node(bodies.x, b), node(bodies.x, c), node(bodies.x, d)};
            if (det_of_edges(x[0], x[1], x[2], x[3]) > 0) continue;
            if (inverted.empty()) place = (x[0] + x[1] + x[2] + x[3]) / 4;
            inverted.push_back(e);
        }
        if (inverted.empty()) continue;
        const std::size_t count = inverted.size();
        inverted.resize(std::min(count, most_listed));
        return fmt::format("body '{}' has {}: tetrahedra {}{} (counted from 0), the first around [{:.6g}, {:.6g}, "
                           "{:.6g}] m",
            body.name, count, fmt::join(inverted, ", "), count > inverted.size() ? ", ..." : "", place.x(), place.y(),
            place.z());
    }
    return std::nullopt;
}

/// Elasticity of one body; refuses an inverted start if the material cannot have one.
std::unique_ptr<Potential> elasticity(
    const Block& body, const PlacedBody& place, const Bodies& bodies, Mistakes& mistakes)
{
    const Block& material = body.part("material");
    const MaterialEntry& entry = entry_of(tetrahedra_catalog(), material);
    const auto first = bodies.mesh.tets.begin() + place.first_tet;
    const std::vector<Tet> tets(first, first + place.tets);
    if (entry.is_barrier) {
        if (const std::optional<std::string> inverted = inverted_elements(place, bodies)) {
            mistakes.push_back(material.place.mistake(
                '"' + material.type + '"', "this material cannot start with inverted elements; " + *inverted));
            return nullptr;
        }
    }
    try {
        return entry.make(material.options, TetBatches(tets, bodies.X));
    } catch (const InputError& error) {
        for (Mistake& mistake : placed(error, material)) mistakes.push_back(std::move(mistake));
        return nullptr;
    }
}

} // namespace

std::vector<Index> selected_nodes(const Block& selection, const Bodies& bodies, Mistakes& mistakes)
{
    SelectableNodes candidates = bodies.selectable();
    if (selection.options.has("body")) {
        const std::string& wanted = selection.options.text("body");
        std::vector<std::string> names;
        for (const SelectableBody& body : candidates.bodies) names.push_back(body.name);
        std::erase_if(candidates.bodies,
            [&](const SelectableBody& body) { return body.name != wanted && body.family != wanted; });
        if (candidates.bodies.empty()) {
            const std::string best = closest(wanted, names);
            mistakes.push_back(selection.place_of("body").mistake('"' + wanted + '"',
                fmt::format("there is no such body; there are {}{}", fmt::join(names, ", "),
                    best.empty() ? "" : fmt::format("; did you mean '{}'?", best))));
            return {};
        }
    }
    try {
        std::vector<Index> nodes = entry_of(selection_catalog(), selection).pick(selection.options, candidates);
        if (nodes.empty()) {
            Vec3 low = Vec3::Constant(OptionSpec::inf), high = -low;
            for (Index i = 0; i < bodies.body_nodes(); ++i) {
                low = low.cwiseMin(bodies.mesh.nodes[static_cast<std::size_t>(i)]);
                high = high.cwiseMax(bodies.mesh.nodes[static_cast<std::size_t>(i)]);
            }
            mistakes.push_back(selection.place.mistake(selection.type,
                fmt::format("selects no node; nodes lie between [{:g}, {:g}, {:g}] and [{:g}, {:g}, {:g}]", low.x(),
                    low.y(), low.z(), high.x(), high.y(), high.z())));
        }
        return nodes;
    } catch (const InputError& error) {
        for (Mistake& mistake : placed(error, selection)) mistakes.push_back(std::move(mistake));
        return {};
    }
}

Prescription prescription_of(const Scene& scene, const Bodies& bodies, Mistakes& mistakes)
{
    Claims claims(bodies, mistakes);
    const auto rest = std::make_shared<Rest>();
    for (const Block& block : scene.root.list("fixed")) claims.claim(block, rest, true);
    for (const Block& block : scene.root.list("scripted")) claims.claim(block, motion_of(block), false);
    for (const PlacedObstacle& obstacle : bodies.obstacles) {
        for (Index i = obstacle.first_node; i < obstacle.first_node + obstacle.nodes + obstacle.shown_nodes; ++i) {
            claims.prescription.add(i, node(bodies.x, i), obstacle.motion);
        }
        if (const Index i = obstacle.turning; i >= 0) {
            const auto turning = std::make_shared<Turning>(obstacle.motion, obstacle.radius);
            claims.prescription.add(i, node(bodies.x, i), turning);
        }
    }
    claims.prescription.finish(bodies.x.size());
    return std::move(claims.prescription);
}

std::vector<std::unique_ptr<Potential>> potentials_of(
    const Scene& scene, const Bodies& bodies, const Vec3& gravity_zero, Mistakes& mistakes)
{
    std::vector<std::unique_ptr<Potential>> potentials;
    const std::vector<Block>& blocks = scene.root.list("bodies");
    // Copies of a body follow each other and share a potential.
    for (std::size_t b = 0; b < bodies.bodies.size();) {
        PlacedBody copies = bodies.bodies[b];
        for (++b; b < bodies.bodies.size() && bodies.bodies[b].block == copies.block; ++b) {
            copies.tets += bodies.bodies[b].tets;
        }
        potentials.push_back(elasticity(blocks[copies.block], copies, bodies, mistakes));
    }

    std::vector<Spring> springs;
    int group = 0; // by the number of its block
    for (const Block& block : scene.root.list("springs")) add_springs(block, group++, bodies, springs, mistakes);
    if (!springs.empty()) potentials.push_back(std::make_unique<Springs>(std::move(springs)));

    const Vec3& g = scene.root.options.vec3("gravity");
    if (!g.isZero(0)) potentials.push_back(std::make_unique<Gravity>(bodies.nodal_mass, g, gravity_zero));

    for (const Block& block : scene.root.list("forces")) potentials.push_back(force(block, bodies, mistakes));

    std::vector<Attachment> attachments;
    group = 0;
    for (const Block& block : scene.root.list("attachments")) {
        const auto motion = motion_of(block);
        for (const Index i : selected_nodes(block.part("nodes"), bodies, mistakes)) {
            attachments.push_back({i, block.options.real("stiffness"), node(bodies.x, i), motion, group});
        }
        ++group;
    }
    if (!attachments.empty()) potentials.push_back(std::make_unique<Attachments>(std::move(attachments)));
    return potentials;
}

} // namespace rubato
