#include "scene/families.hpp"
#include "scene/obstacle_catalog.hpp"

#include <fmt/format.h>

namespace rubato {

namespace {

using Count = PartSpec::Count;

std::vector<Mistake> pair_mistakes(const Block& pair)
{
    const std::size_t names = pair.options.texts("between").size();
    if (names != 2) {
        return {pair.place_of("between").mistake(fmt::format("{} name{}", names, names == 1 ? "" : "s"),
            "must be two names; the same twice for contact within a body or among its copies")};
    }
    if (!pair.options.has("touch") && !pair.options.has("friction")) {
        return {pair.place.mistake("", "says nothing; give touch or friction")};
    }
    return {};
}

const ObjectFamily& pair_family()
{
    static const ObjectFamily family = family_of_one("pairs",
        {
            .name = "",
            .summary
            = "What holds between two bodies or obstacles. Of entries about the same pair the last one counts.",
            .options = {{.name = "between",
                            .type = OptionType::texts,
                            .summary = "two names of bodies, of bodies with copies for all of these, or of obstacles; "
                                       "the same name twice: within that body, and among its copies"},
                {.name = "touch",
                    .type = OptionType::flag,
                    .summary = "false: they pass through each other; absent: as without this entry",
                    .optional = true},
                {.name = "friction",
                    .summary = "Coulomb's coefficient; absent: as without this entry",
                    .least = 0,
                    .most = 1e4,
                    .optional = true}},
            .check = pair_mistakes,
        });
    return family;
}

} // namespace

const ObjectFamily& contact_family()
{
    static const ObjectFamily family = family_of_one("contact",
        {
            .name = "",
            .summary = "Bodies do not pass through each other, through themselves or through obstacles. A scene with "
                       "obstacles has contact even without this block.",
            .options
            = {{.name = "dhat",
                   .unit = "m",
                   .summary
                   = "gap below which surfaces repel each other; absent: the least of 1/200 of the "
                     "diagonal of a body's bounding box, 1/4 of its thickness and 1/2 of its edges; less where "
                     "bodies start closer",
                   .least = 0,
                   .least_open = true,
                   .optional = true},
                {.name = "stiffness",
                    .unit = "N/m",
                    .summary = "of the barrier; absent: chosen from the stiffness and the mass of the bodies, gravity "
                               "and the step",
                    .least = 0,
                    .least_open = true,
                    .optional = true},
                {.name = "self",
                    .type = OptionType::flag,
                    .fallback = true,
                    .summary = "whether a body touches itself"},
                {.name = "friction",
                    .fallback = 0.0,
                    .summary = "Coulomb's coefficient of all pairs",
                    .least = 0,
                    .most = 1e4},
                {.name = "friction_speed",
                    .fallback = 1e-3,
                    .unit = "m/s",
                    .summary = "sliding speed below which friction grows smoothly from zero",
                    .least = 0,
                    .least_open = true},
                {.name = "friction_iterations",
                    .type = OptionType::integer,
                    .fallback = 1,
                    .summary = "solves per stage, friction forces brought up to date in between",
                    .least = 1,
                    .most = 1000}},
            .parts = {{"pairs", "what differs for some of them", pair_family, Count::any}},
        });
    return family;
}

const ObjectFamily& obstacle_family()
{
    static const ObjectFamily family = [] {
        const std::vector<ObstacleEntry>& catalog = obstacle_catalog();
        ObjectFamily f = family_from_catalog(
            "obstacles", "Things that bodies run into; they have no mass and do not give way.", catalog);
        for (std::size_t i = 0; i < catalog.size(); ++i) {
            ObjectSpec& spec = f.specs[i];
            const std::string& first = catalog[i].first_name;
            spec.options.insert(spec.options.begin(),
                {.name = "name",
                    .type = OptionType::text,
                    .summary
                    = fmt::format("must differ from those of all bodies and obstacles; absent: {}{}-1, {}-2, ...",
                        first.empty() ? "" : first + ", or if that is taken ", spec.name, spec.name),
                    .optional = true});
            if (catalog[i].turns) spec.parts.push_back({"rotate", "its rotation", rotate_family});
            if (catalog[i].moves) {
                spec.parts.push_back({"motion", "its path; absent: it stays", motion_family, Count::one_or_none});
                continue;
            }
            spec.parts.push_back({"motion", "not for this one: it stays", motion_family, Count::one_or_none});
            spec.check = [](const Block& block) -> std::vector<Mistake> {
                if (!block.has("motion")) return {};
                return {block.part("motion").place.mistake(block.part("motion").type,
                    fmt::format(
                        "a {} does not move: it is a plane in space, without nodes that could; let a box move in "
                        "its place",
                        block.type))};
            };
        }
        return f;
    }();
    return family;
}

} // namespace rubato
