#include "scene/format.hpp"

#include "control/catalog.hpp"
#include "control/energy_catalog.hpp"
#include "integrators/catalog.hpp"
#include "potentials/tetrahedra.hpp"
#include "record/export/catalog.hpp"
#include "scene/copies_catalog.hpp"
#include "scene/damping_catalog.hpp"
#include "scene/families.hpp"
#include "scene/mesh_catalog.hpp"
#include "scene/motion_catalog.hpp"
#include "scene/selection.hpp"
#include "scene/shape_catalog.hpp"
#include "solvers/catalog.hpp"

#include <fmt/format.h>

#include <set>

namespace rubato {

namespace {

using Count = PartSpec::Count;

/// Lets the catalog entry make its thing, to hear what it has to say about options that do not fit together.
template <class Catalog, class... Extra>
void check_by_making(ObjectFamily& family, const Catalog& catalog, Extra... extra)
{
    for (std::size_t i = 0; i < family.specs.size(); ++i) {
        family.specs[i].check = [make = catalog[i].make, extra...](const Block& block) -> std::vector<Mistake> {
            try {
                make(block.options, extra...);
            } catch (const InputError& error) {
                return placed(error, block);
            }
            return {};
        };
    }
}

} // namespace

ObjectFamily family_of_one(std::string name, ObjectSpec spec)
{
    return {.name = std::move(name), .summary = spec.summary, .specs = {std::move(spec)}, .typed = false};
}

namespace {

const ObjectFamily& integrator_family()
{
    static const ObjectFamily family = [] {
        ObjectFamily f = family_from_catalog(
            "integrators", "How the state moves over one step.", integrator_catalog(), "implicit-euler");
        check_by_making(f, integrator_catalog());
        return f;
    }();
    return family;
}

const ObjectFamily& controller_family()
{
    static const ObjectFamily family = family_from_catalog(
        "controllers", "What happens to the length of the step.", step_controller_catalog(), "fixed");
    return family;
}

std::vector<Mistake> time_mistakes(const Block& time)
{
    constexpr double most_steps = 1e9;
    const double step = time.options.real("step"), duration = time.options.real("duration");
    if (duration / step <= most_steps) return {};
    return {time.place_of("step").mistake(fmt::format("{:g}", step),
        fmt::format("is too short for a duration of {:g} s: a run has at most {:g} steps", duration, most_steps))};
}

const ObjectFamily& time_family()
{
    static const ObjectFamily family = family_of_one("time",
        {
            .name = "",
            .summary = "Length of a step and of the run.",
            .options = {{.name = "step",
                            .fallback = 1.0 / 30,
                            .unit = "s",
                            .summary = "length of a step",
                            .least = 0,
                            .least_open = true},
                {.name = "duration",
                    .unit = "s",
                    .summary = "simulated time of the run",
                    .least = 0,
                    .least_open = true}},
            .parts = {{"controller", "what changes the length of the step", controller_family}},
            .check = time_mistakes,
        });
    return family;
}

const ObjectFamily& energy_family()
{
    static const ObjectFamily family = [] {
        ObjectFamily f = family_from_catalog("energies",
            "What the total energy should be, for integrators that aim at a target.", energy_target_catalog(), "hold");
        check_by_making(f, energy_target_catalog(), EnergyLevels{});
        return f;
    }();
    return family;
}

const ObjectFamily& solver_family()
{
    static const ObjectFamily family = family_from_catalog(
        "solvers", "How one implicit stage is solved.", solver_catalog(), solver_catalog().front().name);
    return family;
}

const ObjectFamily& mesh_family()
{
    static const ObjectFamily family
        = family_from_catalog("meshes", "Where the tetrahedra of a body come from.", mesh_catalog());
    return family;
}

const ObjectFamily& material_family()
{
    static const ObjectFamily family
        = family_from_catalog("materials", "Energy density of an elastic body.", tetrahedra_catalog());
    return family;
}

} // namespace

const ObjectFamily& rotate_family()
{
    static const ObjectFamily family = family_of_one("rotation",
        {
            .name = "",
            .summary = "A rotation about the origin.",
            .options = {{.name = "axis",
                            .type = OptionType::vec3,
                            .fallback = Vec3(0, 0, 1),
                            .summary = "direction of the axis, right-handed"},
                {.name = "angle", .fallback = 0.0, .unit = "deg", .summary = "angle"}},
            .check = [](const Block& b) -> std::vector<Mistake> {
                if (b.options.vec3("axis").norm() > 0) return {};
                return {b.place_of("axis").mistake("[0,0,0]", "must have a direction")};
            },
        });
    return family;
}

namespace {

const ObjectFamily& deformation_family()
{
    static const ObjectFamily family = family_from_catalog("deformations",
        "How the shape at the start differs from the rest shape; applied in order.", deformation_catalog());
    return family;
}

const ObjectFamily& velocity_family()
{
    static const ObjectFamily family = family_from_catalog(
        "velocities", "Velocity at the start, as a function of the place at the start; added up.", velocity_catalog());
    return family;
}

const ObjectFamily& shown_surface_family()
{
    static const ObjectFamily family = family_of_one("shown_surface",
        {
            .name = "",
            .summary
            = "A surface that rides on the tetrahedra of a body and is shown in their place. It lies where the "
              "mesh lies in its own file: what moves the mesh moves it too.",
            .options = {{.name = "path",
                .type = OptionType::text,
                .summary = "a .obj, .ply, .stl, .off, .vtu or .msh file, relative to the scene's folder"}},
        });
    return family;
}

const ObjectFamily& copies_family()
{
    static const ObjectFamily family
        = family_from_catalog("copies", "One body of the scene file as many bodies.", copies_catalog());
    return family;
}

std::vector<Mistake> body_mistakes(const Block& body)
{
    if (body.options.has("size") && body.options.has("scale")) {
        return {body.place_of("size").mistake("", "give either size or scale, not both")};
    }
    const bool density = body.options.has("density"), mass = body.options.has("mass");
    if (density && mass) return {body.place_of("mass").mistake("", "give either density or mass, not both")};
    if (!density && !mass) {
        return {body.place_of("density").mistake("", "is missing; give density [kg/m^3] or mass [kg]")};
    }
    return {};
}

const ObjectFamily& body_family()
{
    static const ObjectFamily family = family_of_one("bodies",
        {
            .name = "",
            .summary = "An elastic body. Its mesh is centred if wanted, scaled, rotated and moved, in this order; that is "
                       "its rest shape.",
            .options = {
                {.name = "name", .type = OptionType::text, .fallback = "body",
                    .summary = "what selections call it; must differ from body to body"},
                {.name = "density", .unit = "kg/m^3", .summary = "mass per rest volume", .least = 0, .least_open = true,
                    .optional = true},
                {.name = "mass", .unit = "kg", .summary = "total mass, instead of density", .least = 0,
                    .least_open = true, .optional = true},
                {.name = "scale", .summary = "factor of all lengths of the mesh; absent: 1", .least = 0, .least_open = true,
                    .optional = true},
                {.name = "size", .unit = "m",
                    .summary = "longest edge of the mesh's bounding box after scaling, instead of scale", .least = 0,
                    .least_open = true, .optional = true},
                {.name = "center", .type = OptionType::flag, .fallback = false,
                    .summary = "first bring the centre of the mesh's bounding box to the origin"},
                {.name = "translate", .type = OptionType::vec3, .fallback = Vec3(0, 0, 0), .unit = "m",
                    .summary = "displacement of the mesh"},
            },
            .parts = {
                {"mesh", "its tetrahedra", mesh_family, Count::one_required},
                {"material", "its material", material_family, Count::one_required},
                {"rotate", "rotation of the mesh", rotate_family},
                {"deform", "shape at the start", deformation_family, Count::any},
                {"velocity", "velocity at the start", velocity_family, Count::any},
                {"surface", "what is shown of it; absent: the boundary of its tetrahedra", shown_surface_family,
                    Count::one_or_none},
                {"copies", "more bodies like it, called name-1, name-2, ...", copies_family, Count::one_or_none},
            },
            .check = body_mistakes,
        });
    return family;
}

const ObjectFamily& selection_family()
{
    static const ObjectFamily family = [] {
        ObjectFamily f = family_from_catalog(
            "selections", "Which nodes. Places are those of the rest shape.", selection_catalog());
        for (ObjectSpec& spec : f.specs) spec.options.push_back(selection_body_spec());
        return f;
    }();
    return family;
}

} // namespace

const ObjectFamily& motion_family()
{
    static const ObjectFamily family = [] {
        ObjectFamily f = family_from_catalog(
            "motions", "A path in time, from the place X where a node starts.", motion_catalog(), "rest");
        check_by_making(f, motion_catalog());
        return f;
    }();
    return family;
}

namespace {

OptionSpec axes_spec()
{
    return {.name = "axes",
        .type = OptionType::choice,
        .fallback = "xyz",
        .summary = "which coordinates are held",
        .choices = {"xyz", "xy", "xz", "yz", "x", "y", "z"}};
}

const ObjectFamily& fixed_family()
{
    static const ObjectFamily family = family_of_one("fixed",
        {
            .name = "",
            .summary = "Nodes that stay where they start.",
            .options = {axes_spec()},
            .parts = {{"nodes", "which nodes", selection_family, Count::one_required}},
        });
    return family;
}

const ObjectFamily& scripted_family()
{
    static const ObjectFamily family = family_of_one("scripted",
        {
            .name = "",
            .summary = "Nodes that follow a path.",
            .options = {axes_spec()},
            .parts = {{"nodes", "which nodes", selection_family, Count::one_required},
                {"motion", "the path", motion_family, Count::one_required}},
        });
    return family;
}

const ObjectFamily& profile_family()
{
    static const ObjectFamily family = [] {
        ObjectFamily f = family_from_catalog(
            "profiles", "How the size of a force changes over time.", force_profile_catalog(), "constant");
        check_by_making(f, force_profile_catalog());
        return f;
    }();
    return family;
}

const ObjectFamily& force_family()
{
    static const ObjectFamily family = family_of_one("forces",
        {
            .name = "",
            .summary = "A force that depends on time only.",
            .options = {{.name = "force", .type = OptionType::vec3, .unit = "N", .summary = "the full force"},
                {.name = "distribution",
                    .type = OptionType::choice,
                    .fallback = "total",
                    .summary = "total: shared equally by the nodes; node: on each node; mass: per kilogram of node "
                               "mass, an acceleration [m/s^2]",
                    .choices = {"total", "node", "mass"}}},
            .parts = {{"nodes", "which nodes", selection_family, Count::one_required},
                {"profile", "its size over time", profile_family}},
        });
    return family;
}

const ObjectFamily& spring_family()
{
    static const ObjectFamily family = family_of_one("springs",
        {
            .name = "",
            .summary = "Springs between nodes: pairs in order when a and b have the same number of nodes, or one node "
                       "with each of the others.",
            .options
            = {{.name = "stiffness", .unit = "N/m", .summary = "of each spring", .least = 0, .least_open = true},
                {.name = "rest_length",
                    .unit = "m",
                    .summary = "absent: the distance at the start",
                    .least = 0,
                    .optional = true}},
            .parts = {{"a", "nodes at one end", selection_family, Count::one_required},
                {"b", "nodes at the other end", selection_family, Count::one_required}},
        });
    return family;
}

const ObjectFamily& attachment_family()
{
    static const ObjectFamily family = family_of_one("attachments",
        {
            .name = "",
            .summary = "Springs of length zero from nodes to points that start where the nodes start, and may move.",
            .options
            = {{.name = "stiffness", .unit = "N/m", .summary = "of each spring", .least = 0, .least_open = true}},
            .parts = {{"nodes", "which nodes", selection_family, Count::one_required},
                {"motion", "path of the points", motion_family}},
        });
    return family;
}

const ObjectFamily& damping_family()
{
    static const ObjectFamily family
        = family_from_catalog("dampings", "Dissipation that is wanted.", damping_catalog());
    return family;
}

const ObjectFamily& format_family()
{
    static const ObjectFamily family
        = family_from_catalog("formats", "Formats that frames are exported to when a run ends.", export_catalog());
    return family;
}

const ObjectFamily& output_family()
{
    static const ObjectFamily family = family_of_one("output",
        {
            .name = "",
            .summary = "What a run writes.",
            .options = {{.name = "frames_per_second",
                            .fallback = 30.0,
                            .unit = "1/s",
                            .summary = "frames per second of simulated time; 0: no frames",
                            .least = 0,
                            .most = 1e6},
                {.name = "tetrahedra",
                    .type = OptionType::flag,
                    .fallback = true,
                    .summary = "frames hold the tetrahedra too, not only what is shown"},
                {.name = "checkpoint_every",
                    .type = OptionType::integer,
                    .fallback = 100,
                    .summary = "steps between checkpoints; 0: none, and the run cannot be resumed",
                    .least = 0},
                {.name = "picture",
                    .type = OptionType::flag,
                    .fallback = true,
                    .summary = "draw moments of the run as picture.png when it ends"}},
            .parts = {{"formats", "exports of the frames, each in a folder of its name, when the run ends",
                format_family, Count::any}},
        });
    return family;
}

std::vector<Mistake> interval_mistakes(const Block& block, std::initializer_list<const char*> names)
{
    std::vector<Mistake> mistakes;
    for (const char* name : names) {
        if (!block.options.has(name)) continue;
        const std::vector<double>& range = block.options.reals(name);
        if (range.size() != 2 || range[0] > range[1]) {
            mistakes.push_back(block.place_of(name).mistake("", "must be two numbers [least, most]"));
        }
    }
    return mistakes;
}

const ObjectFamily& place_expectation_family()
{
    static const ObjectFamily family = family_of_one("places",
        {
            .name = "",
            .summary = "Where the mean of some nodes must be at the end.",
            .options = {{.name = "min", .type = OptionType::vec3, .unit = "m", .summary = "least coordinates"},
                {.name = "max", .type = OptionType::vec3, .unit = "m", .summary = "greatest coordinates"}},
            .parts = {{"nodes", "which nodes", selection_family, Count::one_required}},
        });
    return family;
}

const ObjectFamily& expect_family()
{
    static const ObjectFamily family = family_of_one("expect",
        {
            .name = "",
            .summary = "What the tests ask of a run of this scene as it stands.",
            .options = {{.name = "finishes",
                            .type = OptionType::flag,
                            .fallback = true,
                            .summary = "the run reaches its end; false: it must fail"},
                {.name = "energy_ratio",
                    .type = OptionType::reals,
                    .summary = "[least, most] of the total energy at the end over that at the start",
                    .optional = true},
                {.name = "peak_energy_ratio",
                    .type = OptionType::reals,
                    .summary = "[least, most] of the greatest total energy during the run over that at the start",
                    .optional = true},
                {.name = "newton_per_step",
                    .type = OptionType::integer,
                    .summary = "most Newton iterations in any step",
                    .least = 1,
                    .optional = true},
                {.name = "inverted_tets",
                    .type = OptionType::integer,
                    .summary = "most inverted or flat tetrahedra at the end",
                    .least = 0,
                    .optional = true},
                {.name = "target_error",
                    .summary = "largest time mean of the distance between total energy and target, over the energy "
                               "above the ground level at the start",
                    .least = 0,
                    .optional = true},
                {.name = "target_error_last", .summary = "the same distance at the end", .least = 0, .optional = true}},
            .parts = {{"places", "where nodes are at the end", place_expectation_family, Count::any}},
            .check =
                [](const Block& b) {
                    return interval_mistakes(b, {"energy_ratio", "peak_energy_ratio"});
                },
        });
    return family;
}

bool is_file_name(const std::string& name)
{
    return !name.empty() && name.front() != '.'
        && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        == std::string::npos;
}

std::vector<Mistake> scene_mistakes(const Block& scene)
{
    std::vector<Mistake> mistakes;
    const std::string& name = scene.options.text("name");
    if (!is_file_name(name)) {
        mistakes.push_back(scene.place_of("name").mistake('"' + name + '"',
            "names the run directory: must consist of letters, digits, '-', '_' and '.', and not begin with '.'"));
    }
    std::set<std::string> names;
    for (const Block& body : scene.list("bodies")) {
        const std::string& body_name = body.options.text("name");
        if (!names.insert(body_name).second) {
            mistakes.push_back(
                body.place_of("name").mistake('"' + body_name + '"', "another body has this name already"));
        }
    }
    for (const Block& obstacle : scene.list("obstacles")) {
        if (!obstacle.options.has("name")) continue;
        const std::string& own = obstacle.options.text("name");
        if (!names.insert(own).second) {
            mistakes.push_back(
                obstacle.place_of("name").mistake('"' + own + '"', "another body or obstacle has this name already"));
        }
    }
    return mistakes;
}

} // namespace

std::vector<Mistake> placed(const InputError& error, const Block& block)
{
    std::vector<Mistake> mistakes = error.mistakes();
    for (Mistake& mistake : mistakes) {
        if (!mistake.file.empty()) { // it names a file of its own; say who asked for that
            mistake.message += fmt::format(" ({}, {}:{})", block.place.key, block.place.file, block.place.line);
            continue;
        }
        // "cells[1]" stands where "cells" stands.
        const std::string option = mistake.key.substr(0, mistake.key.find('['));
        const Place at = option.empty() ? block.place : block.place_of(option);
        mistake.file = at.file;
        mistake.line = at.line;
        mistake.key = at.key + mistake.key.substr(option.size());
    }
    return mistakes;
}

const ObjectFamily& scene_family()
{
    static const ObjectFamily family = family_of_one("scene",
        {
            .name = "",
            .summary = "A scene. Lengths in metres, masses in kilograms, times in seconds.",
            .options = {
                {.name = "name", .type = OptionType::text, .fallback = "scene", .summary = "names the run directory"},
                {.name = "summary", .type = OptionType::text, .fallback = "", .summary = "one sentence about it"},
                {.name = "gravity", .type = OptionType::vec3, .fallback = Vec3(0, -9.8, 0), .unit = "m/s^2",
                    .summary = "acceleration of free fall"},
                {.name = "gravity_zero", .type = OptionType::vec3, .unit = "m",
                    .summary = "a point at which the energy of gravity is zero; absent: on the highest level "
                               "half-space; where there is none, the lowest point of the rest shapes",
                    .optional = true},
            },
            .parts = {
                {"time", "step and duration", time_family},
                {"integrator", "time integration", integrator_family},
                {"energy", "what the total energy should be", energy_family},
                {"solver", "solver of implicit stages", solver_family},
                {"bodies", "what moves", body_family, Count::some},
                {"obstacles", "what bodies run into", obstacle_family, Count::any},
                {"contact", "how surfaces touch; absent and no obstacles: bodies pass through each other", contact_family,
                    Count::one_or_none},
                {"fixed", "nodes that stay", fixed_family, Count::any},
                {"scripted", "nodes that follow a path", scripted_family, Count::any},
                {"forces", "forces over time", force_family, Count::any},
                {"springs", "springs between nodes", spring_family, Count::any},
                {"attachments", "springs to points that may move", attachment_family, Count::any},
                {"damping", "dissipation", damping_family, Count::any},
                {"output", "what is written", output_family},
                {"expect", "what the tests ask", expect_family},
            },
            .check = scene_mistakes,
        });
    return family;
}

} // namespace rubato
