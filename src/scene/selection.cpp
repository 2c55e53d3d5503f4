#include "scene/selection.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rubato {

namespace {

const OptionSpec tolerance_spec{
    .name = "tolerance", .fallback = 1e-6, .unit = "m", .summary = "how far outside a node may lie", .least = 0};

template <class Inside>
std::vector<Index> where(const SelectableNodes& nodes, const Inside& inside)
{
    std::vector<Index> picked;
    for (const SelectableBody& body : nodes.bodies) {
        for (Index i = body.first; i < body.first + body.count; ++i) {
            if (inside(nodes.X[static_cast<std::size_t>(i)])) picked.push_back(i);
        }
    }
    return picked;
}

std::vector<Index> in_box(const Options& o, const SelectableNodes& nodes)
{
    const Vec3 low = o.vec3("min").array() - o.real("tolerance"), high = o.vec3("max").array() + o.real("tolerance");
    return where(nodes, [&](const Vec3& x) { return (x.array() >= low.array() && x.array() <= high.array()).all(); });
}

/// Per body, so that each of several copies hangs from its own top.
std::vector<Index> at_end(const Options& o, const SelectableNodes& nodes)
{
    if (o.vec3("direction").norm() == 0) {
        throw InputError(Mistake{.key = "direction", .value = "[0,0,0]", .message = "must have a direction"});
    }
    const Vec3 d = o.vec3("direction").normalized();
    std::vector<Index> picked;
    for (const SelectableBody& body : nodes.bodies) {
        double low = OptionSpec::inf, high = -OptionSpec::inf;
        for (Index i = body.first; i < body.first + body.count; ++i) {
            low = std::min(low, d.dot(nodes.X[static_cast<std::size_t>(i)]));
            high = std::max(high, d.dot(nodes.X[static_cast<std::size_t>(i)]));
        }
        const double least = high - o.real("fraction") * (high - low) - 1e-9 * (high - low);
        for (Index i = body.first; i < body.first + body.count; ++i) {
            if (d.dot(nodes.X[static_cast<std::size_t>(i)]) >= least) picked.push_back(i);
        }
    }
    return picked;
}

std::vector<Index> in_group(const Options& o, const SelectableNodes& nodes)
{
    const std::string& name = o.text("name");
    std::vector<Index> picked;
    std::vector<std::string> known;
    bool found = false;
    for (const SelectableBody& body : nodes.bodies) {
        for (const auto& [group, members] : *body.groups) {
            if (std::find(known.begin(), known.end(), group) == known.end()) known.push_back(group);
            if (group != name) continue;
            found = true;
            for (const Index i : members) picked.push_back(body.first + i);
        }
    }
    if (!found) {
        const std::string best = closest(name, known);
        throw InputError(Mistake{.key = "name",
            .value = "\"" + name + "\"",
            .message = known.empty() ? "the mesh has no named groups"
                                     : fmt::format("no such group; there are {}{}", fmt::join(known, ", "),
                                         best.empty() ? "" : fmt::format("; did you mean '{}'?", best))});
    }
    std::sort(picked.begin(), picked.end());
    picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
    return picked;
}

std::vector<Index> by_number(const Options& o, const SelectableNodes& nodes)
{
    if (nodes.bodies.size() != 1) {
        throw InputError(Mistake{.key = "body", .message = "is missing: with several bodies a node number needs one"});
    }
    const SelectableBody& body = nodes.bodies.front();
    const int index = o.integer("index");
    if (index >= body.count) {
        throw InputError(Mistake{.key = "index",
            .value = std::to_string(index),
            .message = fmt::format("body '{}' has nodes 0 to {}", body.name, body.count - 1)});
    }
    return {body.first + index};
}

std::vector<Index> nearest(const Options& o, const SelectableNodes& nodes)
{
    double least = OptionSpec::inf;
    std::vector<Index> picked;
    for (const SelectableBody& body : nodes.bodies) {
        for (Index i = body.first; i < body.first + body.count; ++i) {
            const double d2 = (nodes.X[static_cast<std::size_t>(i)] - o.vec3("point")).squaredNorm();
            if (d2 < least) {
                least = d2;
                picked = {i};
            }
        }
    }
    return picked;
}

} // namespace

const OptionSpec& selection_body_spec()
{
    static const OptionSpec spec{.name = "body",
        .type = OptionType::text,
        .summary = "name of the body to choose from, or of a body with copies for all of them; absent: all bodies",
        .optional = true};
    return spec;
}

const std::vector<SelectionEntry>& selection_catalog()
{
    static const std::vector<SelectionEntry> catalog{
        {
            .name = "all",
            .summary = "Every node.",
            .options = {},
            .pick = [](const Options&, const SelectableNodes& n) { return where(n, [](const Vec3&) { return true; }); },
        },
        {
            .name = "box",
            .summary = "Nodes in an axis-aligned box.",
            .options = {{.name = "min", .type = OptionType::vec3, .unit = "m", .summary = "lowest corner"},
                {.name = "max", .type = OptionType::vec3, .unit = "m", .summary = "highest corner"}, tolerance_spec},
            .pick = in_box,
        },
        {
            .name = "sphere",
            .summary = "Nodes in a ball.",
            .options = {{.name = "center", .type = OptionType::vec3, .unit = "m", .summary = "its centre"},
                {.name = "radius", .unit = "m", .summary = "its radius", .least = 0}, tolerance_spec},
            .pick =
                [](const Options& o, const SelectableNodes& n) {
                    const double reach = o.real("radius") + o.real("tolerance");
                    return where(n, [&](const Vec3& x) { return (x - o.vec3("center")).norm() <= reach; });
                },
        },
        {
            .name = "plane",
            .summary = "Nodes on a plane or on the side its normal points to.",
            .options = {{.name = "point", .type = OptionType::vec3, .unit = "m", .summary = "a point on the plane"},
                {.name = "normal", .type = OptionType::vec3, .summary = "its direction"}, tolerance_spec},
            .pick =
                [](const Options& o, const SelectableNodes& n) {
                    if (o.vec3("normal").norm() == 0) {
                        throw InputError(
                            Mistake{.key = "normal", .value = "[0,0,0]", .message = "must have a direction"});
                    }
                    const Vec3 normal = o.vec3("normal").normalized();
                    const double least = normal.dot(o.vec3("point")) - o.real("tolerance");
                    return where(n, [&](const Vec3& x) { return normal.dot(x) >= least; });
                },
        },
        {
            .name = "end",
            .summary = "The end of a body: the nodes that lie farthest in a direction.",
            .options = {{.name = "direction",
                            .type = OptionType::vec3,
                            .fallback = Vec3(0, 1, 0),
                            .summary = "towards the end that is meant"},
                {.name = "fraction",
                    .fallback = 0.1,
                    .summary = "how much of the body's length in that direction",
                    .least = 0,
                    .most = 1}},
            .pick = at_end,
        },
        {
            .name = "group",
            .summary = "Nodes of a named group of the mesh.",
            .options = {{.name = "name", .type = OptionType::text, .summary = "name of the group"}},
            .pick = in_group,
        },
        {
            .name = "node",
            .summary = "One node by its number within the body, counted from 0.",
            .options = {{.name = "index", .type = OptionType::integer, .summary = "its number", .least = 0}},
            .pick = by_number,
        },
        {
            .name = "nearest",
            .summary = "The one node that lies nearest to a point.",
            .options = {{.name = "point", .type = OptionType::vec3, .unit = "m", .summary = "the point"}},
            .pick = nearest,
        },
    };
    return catalog;
}

} // namespace rubato
