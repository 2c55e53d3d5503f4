#include "scene/contact.hpp"

#include "scene/families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace rubato {

namespace {

/// The block of the scene, or what it would be if it said nothing.
Block contact_block(const Scene& scene)
{
    if (scene.root.has("contact")) return scene.root.part("contact");
    const ObjectSpec& spec = contact_family().specs.front();
    Block block;
    block.options = defaults(spec.options);
    for (const PartSpec& part : spec.parts) block.parts[part.name] = {};
    block.place = {scene.root.place.file, scene.root.place.line, "contact"};
    return block;
}

/// Whether a script has each of these nodes wholly.
bool held(const PlacedBody& body, const Prescription& script)
{
    for (Eigen::Index i = 3 * Eigen::Index{body.first_node}; i < 3 * Eigen::Index{body.first_node + body.nodes}; ++i) {
        if (!script.holds(i)) return false;
    }
    return true;
}

/// In nodes of the scene.
std::vector<Triangle> boundary_of(const PlacedBody& body, const std::vector<Tet>& tets)
{
    std::vector<Triangle> boundary = boundary_in_body(body, tets);
    for (Triangle& face : boundary) {
        for (Index& i : face) i += body.first_node;
    }
    return boundary;
}

CollisionSurface surface_of(const Bodies& bodies, const Prescription& script)
{
    CollisionSurface surface;
    for (const PlacedBody& body : bodies.bodies) {
        const Index part
            = surface.add_part({.name = body.name, .family = body.family, .kinematic = held(body, script)});
        surface.add_faces(part, boundary_of(body, bodies.mesh.tets), bodies.X);
    }
    for (const PlacedObstacle& obstacle : bodies.obstacles) {
        const Index part = surface.add_part({.name = obstacle.name,
            .family = obstacle.name,
            .kinematic = true,
            .radius = obstacle.radius,
            .turning = obstacle.turning});
        if (obstacle.half_space) {
            surface.half_spaces.push_back({obstacle.half_space->point, obstacle.half_space->normal, part});
        } else if (!obstacle.faces.empty()) {
            surface.add_faces(part, obstacle.faces, bodies.X);
            surface.join_flat_faces(part, bodies.X); // motions of obstacles are rigid
        } else if (!obstacle.edges.empty()) {
            surface.add_curve(part, obstacle.edges, bodies.X);
        } else {
            surface.add_point(part, obstacle.first_node);
        }
    }
    return surface;
}

/// What an entry about pairs may call things: copies by their family, to keep the list short.
std::string known_names(const std::vector<CollisionPart>& parts)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].name == parts[i].family) {
            names.push_back(parts[i].name);
            continue;
        }
        const std::string& first = parts[i].name;
        while (i + 1 < parts.size() && parts[i + 1].family == parts[i].family) ++i;
        names.push_back(
            fmt::format("{} ({}{})", parts[i].family, first, parts[i].name == first ? "" : (" to " + parts[i].name)));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The parts that each name stands for: a body, an obstacle, or all copies of a body.
using PartsByName = std::map<std::string, std::vector<Index>>;

PartsByName parts_by_name(const std::vector<CollisionPart>& parts)
{
    PartsByName named;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        named[parts[i].name].push_back(static_cast<Index>(i));
        if (parts[i].family != parts[i].name) named[parts[i].family].push_back(static_cast<Index>(i));
    }
    return named;
}

/// The parts that a name stands for; none after a mistake.
std::vector<Index> parts_named(const std::string& name, const PartsByName& named,
    const std::vector<CollisionPart>& parts, const Block& pair, std::vector<Mistake>& mistakes)
{
    if (const auto found = named.find(name); found != named.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, members] : named) names.push_back(known);
    const std::string best = closest(name, names);
    mistakes.push_back(pair.place_of("between").mistake('"' + name + '"',
        fmt::format("there is no such body or obstacle; there are {}{}", known_names(parts),
            best.empty() ? "" : fmt::format("; did you mean '{}'?", best))));
    return {};
}

/// Rules are kept for all pairs of what they tell apart.
constexpr std::size_t most_told_apart = 4096;

PairRules rules_of(const Block& contact, const std::vector<CollisionPart>& parts, std::vector<Mistake>& mistakes)
{
    PairRules rules(parts.size(), {.touch = true, .friction = contact.options.real("friction")});
    if (!contact.options.flag("self")) rules.change_within([](PairRule& rule) { rule.touch = false; });
    const PartsByName named = parts_by_name(parts);
    for (const Block& pair : contact.list("pairs")) {
        const std::vector<std::string>& names = pair.options.texts("between");
        const std::vector<Index> as = parts_named(names[0], named, parts, pair, mistakes);
        const std::vector<Index> bs = names[1] == names[0] ? as : parts_named(names[1], named, parts, pair, mistakes);
        rules.change(as, bs, [&](PairRule& rule) {
            if (pair.options.has("touch")) rule.touch = pair.options.flag("touch");
            if (pair.options.has("friction")) rule.friction = pair.options.real("friction");
        });
        if (rules.classes() <= most_told_apart) continue;
        mistakes.push_back(pair.place.mistake("",
            fmt::format("the pairs tell more than {} bodies apart; give rules for all copies of a body at once, by its "
                        "name",
                most_told_apart)));
        break;
    }
    return rules;
}

/// How many pairs of parts rub on each other, and between which coefficients.
struct Rubbing {
    long pairs = 0;
    double least = std::numeric_limits<double>::infinity(), most = 0;

    void add(const PairRule& rule, long more)
    {
        if (!rule.touch || !(rule.friction > 0) || more == 0) return;
        pairs += more;
        least = std::min(least, rule.friction);
        most = std::max(most, rule.friction);
    }
};

/// Of all pairs in which one part can move, itself included.
Rubbing rubbing(const std::vector<CollisionPart>& parts, const PairRules& rules)
{
    std::vector<long> all(rules.classes(), 0), still(rules.classes(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t c = rules.class_of(static_cast<Index>(i));
        ++all[c];
        if (parts[i].kinematic) ++still[c];
    }
    Rubbing found;
    const auto pairs_of = [](long n) { return n * (n - 1) / 2; };
    for (std::size_t i = 0; i < rules.classes(); ++i) {
        found.add(rules.within(i), all[i] - still[i]);
        found.add(rules.between(i, i), pairs_of(all[i]) - pairs_of(still[i]));
        for (std::size_t j = i + 1; j < rules.classes(); ++j)
            found.add(rules.between(i, j), all[i] * all[j] - still[i] * still[j]);
    }
    return found;
}

} // namespace

std::vector<Triangle> boundary_in_body(const PlacedBody& body, const std::vector<Tet>& tets)
{
    const auto first = tets.begin() + body.first_tet;
    std::vector<Tet> own(first, first + body.tets);
    for (Tet& tet : own) {
        for (Index& i : tet) i -= body.first_node;
    }
    return boundary_triangles(own);
}

std::optional<SceneContact> scene_contact(
    const Scene& scene, const Bodies& bodies, const Prescription& script, std::vector<Mistake>& mistakes)
{
    if (!scene.root.has("contact") && bodies.obstacles.empty()) return std::nullopt;
    const Block block = contact_block(scene);
    SceneContact contact;
    contact.options = contact_numbers(scene, block.options, bodies);
    contact.automatic_dhat = !block.options.has("dhat");
    contact.automatic_stiffness = !block.options.has("stiffness");
    contact.surface = surface_of(bodies, script);
    contact.rules = rules_of(block, contact.surface.parts, mistakes);
    return contact;
}

std::vector<std::string> contact_notes(const SceneContact& contact)
{
    const CollisionSurface& surface = contact.surface;
    double least = std::numeric_limits<double>::infinity();
    std::size_t shortest = 0;
    for (std::size_t i = 0; i < surface.edges.size(); ++i) {
        const Index part = surface.edge_part[i];
        if (surface.parts[static_cast<std::size_t>(part)].kinematic || !contact.rules.at(part, part).touch) continue;
        if (!(surface.edge_length[i] < least)) continue;
        least = surface.edge_length[i];
        shortest = i;
    }
    if (!(least < contact.options.dhat)) return {};
    return {
        fmt::format("contact: the surface of '{}' has edges as short as {:.3g} m, less than dhat = {:.3g} m: it may "
                    "repel itself at rest; give a contact.dhat of at most {:.1e} m",
            surface.parts[static_cast<std::size_t>(surface.edge_part[shortest])].name, least, contact.options.dhat,
            least / 2)};
}

std::string contact_line(const SceneContact& contact)
{
    const auto [pairs, least, most] = rubbing(contact.surface.parts, contact.rules);
    const std::string friction = pairs == 0
        ? "no friction"
        : fmt::format("friction {:.3g}{} on {} pair{}", least, least < most ? fmt::format(" to {:.3g}", most) : "",
            pairs, pairs == 1 ? "" : "s");
    const double dhat = contact.options.dhat;
    return fmt::format("dhat {:.3g} {}{}, stiffness {:.3g} N/m{}, {}", dhat < 0.1 ? 1000 * dhat : dhat,
        dhat < 0.1 ? "mm" : "m", contact.automatic_dhat ? " (automatic)" : "", contact.options.stiffness,
        contact.automatic_stiffness ? " (automatic)" : "", friction);
}

void write_contact_numbers(Scene& scene, const ContactOptions& options)
{
    Block block = contact_block(scene);
    block.options.set("dhat", options.dhat);
    block.options.set("stiffness", options.stiffness);
    scene.root.parts["contact"] = {std::move(block)};
}

} // namespace rubato
