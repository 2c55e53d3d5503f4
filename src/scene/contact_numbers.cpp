#include "contact/by_parts.hpp"
#include "geometry/bounds.hpp"
#include "geometry/thickness.hpp"
#include "scene/contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

/// The numbers that a scene's contact block leaves open.
namespace rubato {

namespace {

constexpr double of_diagonal = 1.0 / 200; // of the smallest body's bounding box
constexpr double of_thickness = 1.0 / 4; // of a thin body: both its sides may bend and still do not feel each other
constexpr double of_edges = 1.0 / 2; // neighbours that share no node are an edge apart
constexpr double ignored = 0.01; // share of the surface, or of its edges, that may be thinner or shorter

Bounds bounds_of(const PlacedBody& body, const std::vector<Vec3>& nodes)
{
    const auto first = nodes.begin() + body.first_node;
    return bounds({first, first + body.nodes});
}

/// To two digits: a number that people can read and write.
double rounded(double value) { return std::stod(fmt::format("{:.1e}", value)); }

/// The length that all but the shortest edges of a surface exceed [m].
double shortest_edge(const TriangleMesh& surface)
{
    std::vector<double> lengths;
    for (const Triangle& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = static_cast<std::size_t>(t[k]), b = static_cast<std::size_t>(t[(k + 1) % 3]);
            lengths.push_back((surface.nodes[a] - surface.nodes[b]).norm());
        }
    }
    const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(ignored * static_cast<double>(lengths.size()));
    std::nth_element(lengths.begin(), place, lengths.end());
    return *place;
}

/// Small beside every body, and so small that no body feels itself at rest.
double automatic_dhat(const Bodies& bodies)
{
    double least = std::numeric_limits<double>::infinity();
    std::set<std::size_t> seen; // copies have the shape of the first
    for (const PlacedBody& body : bodies.bodies) {
        if (!seen.insert(body.block).second) continue;
        TriangleMesh surface{.nodes = {}, .triangles = boundary_in_body(body, bodies.mesh.tets)};
        const auto first = bodies.mesh.nodes.begin() + body.first_node;
        surface.nodes = {first, first + body.nodes};
        least = std::min({least, of_diagonal * bounds_of(body, bodies.mesh.nodes).diagonal(),
            of_thickness * thinnest(surface, ignored), of_edges * shortest_edge(surface)});
    }
    return rounded(least);
}

/// The largest mass per area on which a body may lie: over the product of the longest sides of its bounding box.
double areal_mass(const Bodies& bodies)
{
    double most = 0;
    for (const PlacedBody& body : bodies.bodies) {
        const Vec3 size = bounds_of(body, bodies.mesh.nodes).size();
        most = std::max(most, body.mass / (size.prod() / size.minCoeff()));
    }
    return most;
}

double stiffest_young(const Scene& scene)
{
    double most = 0;
    for (const Block& body : scene.root.list("bodies"))
        most = std::max(most, body.part("material").options.real("young"));
    return most;
}

double gravity_of(const Scene& scene) { return scene.root.options.vec3("gravity").norm(); }

double stiffness_for(double dhat, const Scene& scene, const Bodies& bodies)
{
    return automatic_stiffness(dhat, stiffest_young(scene), areal_mass(bodies), gravity_of(scene),
        scene.root.part("time").options.real("step"));
}

constexpr double little = 0.01; // of the energy that a body has at its start
constexpr double of_balance = 1.0 / 3; // b(y) <= |b'(y)|/3: what carries the weight F holds F dhat/3 at most
constexpr double most_of_balance = 0.25; // of m g L: what carries others could not throw a light body any higher
constexpr double shrink = 0.9, least_shrink = 1e-3; // of an automatic dhat: at a time, and in all

/// How much energy the barrier may hold between two parts at the start [J]: a hundredth of m g L + kinetic + elastic
/// energy, for the body that has least of it, with L the diagonal of its bounding box. Released it would lift that body
/// by a hundredth of its size. What carries bodies that lie on each other comes on top: F dhat/3 where F is the weight
/// of all, but no more than lifts that body by a quarter of its size.
class Allowance {
public:
    Allowance(const Scene& scene, const Bodies& bodies, double elastic)
    {
        const double g = gravity_of(scene);
        for (const PlacedBody& body : bodies.bodies) {
            double kinetic = 0;
            for (Index i = body.first_node; i < body.first_node + body.nodes; ++i)
                kinetic += 0.5 * bodies.nodal_mass[i] * Vec3(node(bodies.v, i)).squaredNorm();
            const double high = bounds_of(body, bodies.mesh.nodes).diagonal();
            const double lift = body.mass * g * high;
            body_.push_back({little * (lift + kinetic + elastic), most_of_balance * lift});
            weight_ += body.mass * g;
        }
    }
    double between(const PartContact& at, double dhat) const
    {
        double least = std::numeric_limits<double>::infinity(), balance = of_balance * weight_ * dhat;
        for (const Index part : {at.part_a, at.part_b}) {
            const auto number = static_cast<std::size_t>(part);
            if (number >= body_.size()) continue; // obstacles take no part
            least = std::min(least, body_[number].little);
            balance = std::min(balance, body_[number].balance);
        }
        return least + balance;
    }

private:
    struct Shares {
        double little, balance; // [J]
    };
    std::vector<Shares> body_;
    double weight_ = 0; // of everything [N]
};

std::string length(double metres)
{
    return metres < 0.1 ? fmt::format("{:.3g} mm", 1000 * metres) : fmt::format("{:.3g} m", metres);
}

} // namespace

ContactOptions contact_numbers(const Scene& scene, const Options& given, const Bodies& bodies)
{
    ContactOptions options;
    options.dhat = given.has("dhat") ? given.real("dhat") : automatic_dhat(bodies);
    options.stiffness = given.has("stiffness") ? given.real("stiffness") : stiffness_for(options.dhat, scene, bodies);
    options.friction_speed = given.real("friction_speed");
    options.friction_iterations = given.integer("friction_iterations");
    return options;
}

std::vector<std::string> choose_dhat_for_start(
    const Scene& scene, const Bodies& bodies, double elastic, SceneContact& contact)
{
    const Allowance allowance(scene, bodies, elastic);
    struct Finding {
        PartContact at{};
        double allowed = 0;
        double excess = 0; // energy - allowed [J]
    };
    const auto worst = [&](const ContactOptions& options) {
        ContactSet contacts(contact.surface, contact.rules, options.dhat, bodies.X);
        contacts.update(bodies.x);
        Finding most;
        for (const PartContact& at : contact_by_parts(contacts, options.stiffness, bodies.x)) {
            if (at.part_a == at.part_b && !contact.automatic_dhat) continue; // contact_notes() tells of these
            const double allowed = allowance.between(at, options.dhat), excess = at.energy - allowed;
            if (excess > most.excess) most = {at, allowed, excess};
        }
        return most;
    };
    const Finding found = worst(contact.options);
    if (!(found.excess > 0) || !std::isfinite(found.excess)) return {}; // surfaces that touch are refused elsewhere

    ContactOptions smaller = contact.options;
    Finding left = found;
    while (left.excess > 0 && smaller.dhat > least_shrink * contact.options.dhat) {
        smaller.dhat = rounded(shrink * smaller.dhat);
        if (contact.automatic_stiffness) smaller.stiffness = stiffness_for(smaller.dhat, scene, bodies);
        left = worst(smaller);
    }
    const auto name = [&](Index part) { return contact.surface.parts[static_cast<std::size_t>(part)].name; };
    const auto [a, b] = std::pair(name(found.at.part_a), name(found.at.part_b));
    const std::string start = fmt::format("contact: {} {} apart at the start, less than {}dhat = {}: the barrier ",
        found.at.part_a == found.at.part_b ? fmt::format("places of '{}' are", a)
                                           : fmt::format("'{}' and '{}' are", a, b),
        length(found.at.gap), contact.automatic_dhat ? "the automatic " : "", length(contact.options.dhat));
    const std::string figures
        = fmt::format("{:.3g} J there, where {:.3g} J would be little", found.at.energy, found.allowed);
    const bool helps = !(left.excess > 0);
    if (contact.automatic_dhat && helps) {
        contact.options = smaller;
        return {fmt::format("{}would hold {}; dhat is {} instead", start, figures, length(smaller.dhat))};
    }
    return {fmt::format("{}holds {}, and will throw them apart; {}", start, figures,
        helps ? fmt::format("leave a larger gap, or give a contact.dhat of at most {:.1e} m", smaller.dhat)
              : "leave a larger gap")};
}

} // namespace rubato
