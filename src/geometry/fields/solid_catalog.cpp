#include "geometry/fields/solid_catalog.hpp"

#include "geometry/fields/solids.hpp"

namespace rubato {

namespace {

OptionSpec length(const char* name, double fallback, const char* summary)
{
    return {.name = name,
        .type = OptionType::real,
        .fallback = fallback,
        .unit = "m",
        .summary = summary,
        .least = 0,
        .least_open = true};
}

OptionSpec length_or_zero(const char* name, double fallback, const char* summary)
{
    OptionSpec spec = length(name, fallback, summary);
    spec.least_open = false;
    return spec;
}

/// An entry for the solid that `shape` reads from the options.
template <class Shape>
SolidEntry entry(const char* name, const char* summary, std::vector<OptionSpec> options, Shape (*shape)(const Options&))
{
    return {
        .name = name,
        .summary = summary,
        .options = std::move(options),
        .make = [shape](const Options& o) -> std::unique_ptr<SignedField> {
            return std::make_unique<SolidField<Shape>>(shape(o));
        },
        .volume = [shape](const Options& o) { return shape(o).volume(); },
    };
}

Ball ball(const Options& o) { return {.radius = o.real("radius")}; }

Cylinder cylinder(const Options& o) { return {.radius = o.real("radius"), .height = o.real("height")}; }

Torus torus(const Options& o) { return {.radius = o.real("radius"), .tube = o.real("tube")}; }

RoundedBox rounded_box(const Options& o) { return {.size = o.vec3("size"), .edge_radius = o.real("edge_radius")}; }

ChainLink chain_link(const Options& o)
{
    return {.bend_radius = o.real("bend_radius"), .straight = o.real("straight"), .wire = o.real("wire")};
}

Stairs stairs(const Options& o)
{
    return {.steps = o.integer("steps"), .rise = o.real("rise"), .run = o.real("run"), .width = o.real("width")};
}

Bowl bowl(const Options& o)
{
    return {.radius = o.real("radius"), .thickness = o.real("thickness"), .round_rim = o.text("rim") == "round"};
}

std::vector<SolidEntry> entries()
{
    std::vector<SolidEntry> all;
    all.push_back(entry("ball", "a ball", {length("radius", Ball{}.radius, "radius of the ball")}, ball));

    const Cylinder c;
    all.push_back(entry("cylinder", "an upright cylinder with sharp rims",
        {length("radius", c.radius, "radius"), length("height", c.height, "height along y")}, cylinder));

    const Torus t;
    all.push_back(entry("torus", "a ring that lies flat",
        {length("radius", t.radius, "from the axis to the middle of the tube"),
            length("tube", t.tube, "radius of the tube, less than radius")},
        torus));

    const RoundedBox b;
    all.push_back(entry("rounded-cube", "a box with rounded edges and corners",
        {OptionSpec{.name = "size",
             .type = OptionType::vec3,
             .fallback = b.size,
             .unit = "m",
             .summary = "sides along x, y and z",
             .least = 0,
             .least_open = true},
            length_or_zero("edge_radius", b.edge_radius, "radius of edges and corners; 0: sharp")},
        rounded_box));

    const ChainLink l;
    all.push_back(entry("chain-link", "a round wire bent to a link, longer along y, thin along z",
        {length("bend_radius", l.bend_radius, "radius of the bends, to the middle of the wire"),
            length_or_zero("straight", l.straight, "length of each straight piece"),
            length("wire", l.wire, "radius of the wire, less than bend_radius")},
        chain_link));

    const Stairs s;
    all.push_back(entry("stairs", "solid stairs that climb along +x",
        {OptionSpec{.name = "steps",
             .type = OptionType::integer,
             .fallback = s.steps,
             .summary = "number of steps",
             .least = 1,
             .most = 1000},
            length("rise", s.rise, "height of a step"), length("run", s.run, "depth of a step"),
            length("width", s.width, "width along z")},
        stairs));

    const Bowl w;
    all.push_back(entry("bowl", "the lower half of a spherical shell, open upwards",
        {length("radius", w.radius, "outer radius"), length("thickness", w.thickness, "of the wall, less than radius"),
            OptionSpec{.name = "rim",
                .type = OptionType::choice,
                .fallback = std::string(w.round_rim ? "round" : "flat"),
                .summary = "shape of the rim",
                .choices = {"round", "flat"}}},
        bowl));
    return all;
}

} // namespace

const std::vector<SolidEntry>& solid_catalog()
{
    static const std::vector<SolidEntry> all = entries();
    return all;
}

} // namespace rubato
