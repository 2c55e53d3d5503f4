#include "scene/build.hpp"
#include "scene/energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace rubato {

namespace {

constexpr double same_level = 0.01; // of the energy of the start above it: one rest, found in two ways
constexpr double no_height = 1e-4; // sizes of the largest body: to lift all bodies by less is no difference in energy
constexpr double far = 100; // extents of the scene
constexpr double driven = 0.05; // of the acceleration of free fall; a body with more of it is named

Index end_of_bodies(const PlacedParts& placement)
{
    return placement.bodies.empty() ? 0 : placement.bodies.back().first_node + placement.bodies.back().nodes;
}

/// Diagonal of the box around some nodes [m].
double extent_of(const Vector& x, Index first, Index count)
{
    Vec3 low = node(x, first), high = low;
    for (Index i = first; i < first + count; ++i) {
        low = low.cwiseMin(node(x, i));
        high = high.cwiseMax(node(x, i));
    }
    return (high - low).norm();
}

/// Of all that there is; half-spaces count by how far away from them bodies start [m].
double extent_of_scene(const PlacedParts& placement, const Vector& x)
{
    double extent = extent_of(x, 0, static_cast<Index>(x.size() / 3));
    for (const PlacedObstacle& obstacle : placement.obstacles) {
        if (!obstacle.half_space) continue;
        for (Index i = 0; i < end_of_bodies(placement); ++i) {
            extent = std::max(extent, obstacle.half_space->normal.dot(Vec3(node(x, i)) - obstacle.half_space->point));
        }
    }
    return extent;
}

double largest_body(const PlacedParts& placement, const Vector& x)
{
    double size = 0;
    for (const PlacedBody& body : placement.bodies) size = std::max(size, extent_of(x, body.first_node, body.nodes));
    return size;
}

double energy(CpuDynamics& dynamics, double t, const Vector& x) { return dynamics.potential_energy(t, x).total(); }

/// Level of an equilibrium without friction, however far away it is. The rest shapes are the better place to begin,
/// since a start may be inverted or far away; but scripted nodes may have to go a long way from there, and then the
/// start is nearer.
std::optional<double> equilibrium(
    CpuDynamics& dynamics, const PlacedParts& placement, const State& start, int& iterations)
{
    Vector X(start.x.size()), y;
    for (std::size_t i = 0; i < placement.X.size(); ++i) node(X, static_cast<Index>(i)) = placement.X[i];
    for (const Vector* from : {static_cast<const Vector*>(&X), &start.x}) {
        const SolveReport report = dynamics.rest(start.t, *from, y);
        iterations += report.iterations;
        if (!report.ok()) continue;
        const double found = energy(dynamics, start.t, y);
        if (std::isfinite(found)) return found;
    }
    return std::nullopt;
}

/// Why no rest was found: who still moves, how many more, and how far the first of them went.
std::string moving_bodies(
    const PlacedParts& placement, const State& start, const Settling& settling, const SettleOptions& options)
{
    std::string first;
    double way = 0;
    int others = 0;
    for (const PlacedBody& body : placement.bodies) {
        Vec3 mean = Vec3::Zero(), moved = Vec3::Zero();
        for (Index i = body.first_node; i < body.first_node + body.nodes; ++i) {
            mean += Vec3(node(settling.acceleration, i)) / body.nodes;
            moved += Vec3(node(settling.x, i) - node(start.x, i)) / body.nodes;
        }
        if (mean.norm() <= driven * options.acceleration) continue;
        if (!first.empty()) {
            ++others;
            continue;
        }
        first = body.name;
        way = moved.norm();
    }
    const std::string who = fmt::format("body '{}'{}", first, others > 0 ? fmt::format(" and {} more", others) : "");
    if (settling.end == Settling::End::unfinished) {
        const std::string searched = fmt::format("the search gave up after {} steps", options.most_steps);
        if (first.empty()) return searched + ", in which something kept moving";
        return fmt::format("{}: {:.3g} m from its start {} still falls or slides", searched, way, who);
    }
    if (first.empty()) return "it never stops moving";
    return fmt::format("nothing stops {}: {:.3g} m from its start it still falls or slides", who, way);
}

InputError never_rests(const Scene& scene, const std::string& why)
{
    return InputError(scene.root.part("energy").place_of("ground").mistake("",
        fmt::format(
            "is not given, and no state of rest was found to take it from: {}. Put an obstacle under it, hold some "
            "of its nodes (\"fixed\"), or take the rule \"hold\". Give it [J] if the motion is meant to go on",
            why)));
}

} // namespace

GroundLevel ground_level(const Scene& scene, CpuDynamics& dynamics, const PlacedParts& placement, const State& start)
{
    GroundLevel out{.kind = GroundKind::equilibrium};
    const std::optional<double> balanced = equilibrium(dynamics, placement, start, out.iterations);
    if (balanced) out.energy = *balanced;
    const bool touches = scene.root.has("contact") || !placement.obstacles.empty();
    if (balanced && !touches) return out;

    // That equilibrium may be far from where the bodies come down, and there may be none: what lies on a box without
    // friction is held in one direction only.
    const double g = scene.root.options.vec3("gravity").norm();
    const SettleOptions options{.frictions = placement.frictions,
        .friction_speed = placement.friction_speed,
        .acceleration = g > 0 ? g : 1,
        .size = largest_body(placement, start.x),
        .reach = far * extent_of_scene(placement, start.x)};
    const Settling settling = dynamics.settle(start, options);
    out.iterations += settling.iterations;
    if (settling.end != Settling::End::resting) {
        if (balanced) return out;
        throw never_rests(scene,
            settling.end == Settling::End::unsolved ? std::string(text(settling.reason))
                                                    : moving_bodies(placement, start, settling, options));
    }
    const double settled = energy(dynamics, start.t, settling.x);
    const double height = std::abs(energy(dynamics, start.t, start.x) - settled);
    double mass = 0;
    for (const PlacedBody& body : placement.bodies) mass += body.mass;
    const double least = no_height * mass * options.acceleration * options.size;
    const auto same = [&](double level) { return std::abs(level - settled) <= std::max(same_level * height, least); };
    if (balanced && same(*balanced)) return out;

    Vector y;
    const SolveReport nearby = dynamics.rest(start.t, settling.x, y);
    out.iterations += nearby.iterations;
    const double level = nearby.ok() ? energy(dynamics, start.t, y) : settled;
    const bool exact = nearby.ok() && same(level);
    out.energy = exact ? level : settled;
    if (!exact) out.kind = options.frictions > 0 ? GroundKind::friction : GroundKind::bound;
    return out;
}

} // namespace rubato
