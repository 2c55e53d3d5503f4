/// The number of nodes grows like edge^-p with p between 2 (all surface) and 3, but only as long as the body is whole:
/// long edges lose thin parts, and with them nodes. So each attempt is judged by what it lost first, by its number of
/// nodes then; what has lost too much counts as too coarse.

#include "geometry/mesher/edge_search.hpp"

#include "geometry/generators.hpp"
#include "geometry/mesher/body_size.hpp"
#include "geometry/quality.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato::mesher {

namespace {

constexpr int most_passes = 14;
constexpr double most_times = 25; // as many nodes as wanted are still made for the sake of a whole body
constexpr double near_enough = 1.04;

// A mesh is whole when its volume is within these parts of the body's, and no more than this part of the surface lost.
constexpr double least_volume = 0.7, most_volume = 1.4, most_lost = 0.03;

constexpr long more_holes = 3; // than a finer mesh has: where a gap is bridged there may be a few

struct Attempt {
    double edge = 0; ///< [m]
    double nodes = 0, volume = 0; ///< volume in [m^3]
    Index components = 0;
    long holes = 0; ///< that one could reach through, less the cavities
    double lost = 1; ///< part of the surface
    bool too_fine = false; ///< nothing else is known
};

Attempt attempt_at(const SignedField& field, double edge, const MesherOptions& o, Probe& probe)
{
    Attempt a;
    a.edge = edge;
    try {
        MesherReport told;
        const CutMesh cut = cut_body(field, edge, o, most_tets_for(o.nodes), probe, told);
        std::vector<char> used(cut.nodes.size(), 0);
        for (const Tet& t : cut.tets) {
            for (const Index v : t) used[v] = 1;
        }
        a.nodes = static_cast<double>(std::count(used.begin(), used.end(), 1));
        a.too_fine = a.nodes > most_times * o.nodes && a.nodes > 500;
        const MeshQuality quality = mesh_quality({cut.nodes, cut.tets, {}});
        a.volume = quality.volume;
        a.components = quality.components;
        a.holes = quality.components - quality.euler_number / 2;
        a.lost = told.lost_surface;
    } catch (const TooFine&) {
        a.too_fine = true;
    }
    return a;
}

/// Whether nothing is missing in an attempt, as far as the others know.
bool is_whole(const Attempt& a, const std::vector<Attempt>& all, const BodySize& body, double most_missing = most_lost)
{
    if (a.too_fine || a.nodes == 0 || a.lost > most_missing) return false;
    if (a.volume < least_volume * body.volume || a.volume > most_volume * body.volume) return false;
    return std::none_of(all.begin(), all.end(), [&](const Attempt& b) {
        return b.edge < a.edge && !b.too_fine && b.nodes > 0
            && (b.components < a.components || b.holes + more_holes < a.holes);
    });
}

/// The whole one with the number of nodes nearest to what is wanted; none: nullptr.
const Attempt* best_of(
    const std::vector<Attempt>& all, const MesherOptions& o, const BodySize& body, double most_missing = most_lost)
{
    const Attempt* best = nullptr;
    const auto miss = [&](const Attempt& a) { return std::abs(std::log(a.nodes / o.nodes)); };
    for (const Attempt& a : all) {
        if (is_whole(a, all, body, most_missing) && (best == nullptr || miss(a) < miss(*best))) best = &a;
    }
    return best;
}

double rounded_up(double number)
{
    const double unit = std::pow(10, std::floor(std::log10(std::max(number, 1.0))));
    return std::ceil(number / unit) * unit;
}

/// Walls as thick as the body's mean need about this many nodes.
double nodes_of_walls(const BodySize& body) { return 1.5 * body.area / std::pow(body.thickness(), 2); }

InputError too_thin(const MesherOptions& o, const BodySize& body, double nodes)
{
    std::string message;
    if (nodes > most_generated_tets / 5.0) {
        message = fmt::format("is too few for a body so thin ({:.2g} m on average), and what would do is more than the "
                              "largest mesh that is generated",
            body.thickness());
    } else {
        message
            = fmt::format("is too few to keep the body whole, {:.2g} m thick on average; try {:.0f} nodes, or edges "
                          "of {:.2g} [m]",
                body.thickness(), rounded_up(nodes), 2 * body.thickness());
    }
    return InputError(Mistake{"", 0, "nodes", fmt::format("{}", o.nodes), message});
}

} // namespace

double most_tets_for(int nodes)
{
    return std::min<double>(most_generated_tets, 6 * most_times * std::max(nodes, 1000));
}

EdgeFound edge_for(const SignedField& field, const MesherOptions& o, Probe& probe)
{
    const BodySize body = body_size(field);
    if (!(body.volume > 0)) {
        throw InputError(Mistake{"", 0, "nodes", fmt::format("{}", o.nodes),
            "nothing of the body is inside along lines across it: it is too thin or too small for its bounds, or its "
            "triangles face inward"});
    }
    // Far from possible: a wall can be held by cells four times as wide, so by a sixteenth of the nodes.
    if (nodes_of_walls(body) / 16 > most_times * std::max(o.nodes, 20)) throw too_thin(o, body, nodes_of_walls(body));

    // nodes(edge) = 2 A / edge^2 + V / (2 edge^3), from measurements; solved by halving
    double low = 1e-6 * field.bounds().diagonal(), high = field.bounds().diagonal();
    while (high / low > 1.01) {
        const double h = std::sqrt(low * high);
        (2 * body.area / (h * h) + 0.5 * body.volume / (h * h * h) > o.nodes ? low : high) = h;
    }
    double edge = high, finer = 0, coarser = 0; // bracket, 0: not found yet
    bool lost_at_coarser = false;
    std::vector<Attempt> all;
    for (int pass = 0; pass < most_passes; ++pass) {
        if (o.progress) o.progress("edge length", static_cast<double>(pass) / most_passes);
        all.push_back(attempt_at(field, edge, o, probe));
        const Attempt& now = all.back();
        const bool whole = is_whole(now, all, body);
        const double ratio = std::max(now.nodes, 4.0) / o.nodes;
        if (whole && std::abs(std::log(ratio)) < std::log(near_enough)) break;
        double guess = edge * std::clamp(std::pow(ratio, 1 / 2.6), 0.4, 2.0);
        if (now.too_fine) guess = 1.5 * edge;
        if (!now.too_fine && !whole) guess = 0.75 * edge;
        if (now.too_fine || (whole && ratio > 1)) {
            finer = std::max(finer, edge);
        } else {
            coarser = coarser > 0 ? std::min(coarser, edge) : edge;
        }
        const bool bracketed = finer > 0 && coarser > 0;
        // Between whole and not whole, or not whole and too fine, nothing better is to be found.
        const bool edge_of_wholeness = coarser == edge ? !whole : lost_at_coarser;
        if (bracketed && coarser / finer < (edge_of_wholeness ? 1.08 : 1.01)) break;
        lost_at_coarser = edge_of_wholeness;
        edge = bracketed && !(guess > finer * 1.001 && guess < coarser * 0.999) ? std::sqrt(finer * coarser) : guess;
    }

    const Attempt* best = best_of(all, o, body);
    // Whether holes belong to the body a finer mesh can tell.
    while (best != nullptr && best->holes > more_holes) {
        const double shorter = 0.8 * best->edge;
        if (std::any_of(all.begin(), all.end(), [&](const Attempt& a) { return a.edge < 1.1 * shorter; })) break;
        all.push_back(attempt_at(field, shorter, o, probe));
        best = best_of(all, o, body);
    }
    // What is dropped as a crumb at any edge length must not stand in the way.
    if (best == nullptr) best = best_of(all, o, body, 3 * most_lost);
    if (best == nullptr) throw too_thin(o, body, std::max(nodes_of_walls(body), 2 * most_times * o.nodes));
    return {best->edge, best->nodes < 1.2 * o.nodes};
}

} // namespace rubato::mesher
