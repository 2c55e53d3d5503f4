/// A surface as a Gmsh file: every distinct name is a physical surface of its own, with an entity of its own; the last
/// entity holds the polygons without a name. Elements follow each other in the order of the polygons, in runs of one
/// entity and one type.

#include "base/errors.hpp"
#include "geometry/bounds.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/msh_text.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/files/writing.hpp"
#include "geometry/polygon.hpp"

#include <fmt/format.h>

#include <map>

namespace rubato {

namespace {

constexpr int msh_triangle = 2, msh_quadrangle = 3;

struct Element {
    int type;
    std::int32_t entity; ///< from 1
    Index corners[4];

    std::size_t size() const { return type == msh_triangle ? 3 : 4; }
};

struct Elements {
    std::vector<std::string> names; ///< of entities 1, 2, ...
    std::vector<Element> list;

    std::int32_t unnamed() const { return static_cast<std::int32_t>(names.size()) + 1; }
    std::int32_t physical(std::int32_t entity) const { return entity == unnamed() ? 0 : entity; }
};

Elements elements_of(const Surface& surface)
{
    Elements all;
    std::map<std::string, std::int32_t> entities;
    for (const SurfacePart& part : surface.parts) {
        const std::string& name = one_name(part);
        if (name.empty() || entities.contains(name)) continue;
        all.names.push_back(name);
        entities[name] = static_cast<std::int32_t>(all.names.size());
    }
    const std::vector<Index> part = part_of_polygons(surface);
    for (std::size_t p = 0; p < surface.polygon_count(); ++p) {
        const bool named = part[p] >= 0 && !one_name(surface.parts[part[p]]).empty();
        const std::int32_t entity = named ? entities.at(one_name(surface.parts[part[p]])) : all.unnamed();
        if (const auto c = surface.polygon(p); c.size() == 4) {
            all.list.push_back({msh_quadrangle, entity, {c[0], c[1], c[2], c[3]}});
            continue;
        }
        std::vector<Triangle> triangles;
        append_triangles(surface.vertices, surface.polygon(p), triangles);
        for (const Triangle& t : triangles) all.list.push_back({msh_triangle, entity, {t[0], t[1], t[2], 0}});
    }
    return all;
}

/// Calls `use(begin, end)` for each run of elements of one entity and one type.
template <class Use>
void for_runs(const std::vector<Element>& list, Use use)
{
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
        while (end < list.size() && list[end].type == list[begin].type && list[end].entity == list[begin].entity) ++end;
        use(begin, end);
    }
}

void add_body_2(MshText& out, const Surface& surface, const Elements& elements)
{
    out.nodes_2(surface.vertices);
    out.line("$Elements");
    out.line("{}", elements.list.size());
    for_runs(elements.list, [&](std::size_t begin, std::size_t end) {
        if (out.binary()) {
            for (const std::size_t value : {std::size_t(elements.list[begin].type), end - begin, std::size_t(2)}) {
                out.integer(static_cast<std::int32_t>(value));
            }
        }
        for (std::size_t i = begin; i < end; ++i) {
            const Element& e = elements.list[i];
            out.integer(static_cast<std::int32_t>(i + 1));
            if (!out.binary()) out.integer(e.type), out.integer(2);
            out.integer(elements.physical(e.entity));
            out.integer(e.entity);
            for (std::size_t c = 0; c < e.size(); ++c) out.integer(e.corners[c] + 1);
            out.end_record();
        }
    });
    out.end_section("$EndElements");
}

void add_body_4(MshText& out, const Surface& surface, const Elements& elements)
{
    const Bounds box = bounds(surface.vertices);
    out.line("$Entities");
    for (const std::size_t count : {std::size_t(0), std::size_t(0), elements.names.size() + 1, std::size_t(0)}) {
        out.size(count);
    }
    out.end_record();
    for (std::int32_t entity = 1; entity <= elements.unnamed(); ++entity) {
        out.integer(entity);
        out.reals(box.low);
        out.reals(box.high);
        out.size(elements.physical(entity) > 0);
        if (elements.physical(entity) > 0) out.integer(entity);
        out.size(0); // bounding curves
        out.end_record();
    }
    out.end_section("$EndEntities");
    out.nodes_4(surface.vertices, 2);

    std::size_t blocks = 0;
    for_runs(elements.list, [&](std::size_t, std::size_t) { ++blocks; });
    out.line("$Elements");
    out.header_4(blocks, elements.list.size());
    for_runs(elements.list, [&](std::size_t begin, std::size_t end) {
        for (const int value : {2, elements.list[begin].entity, elements.list[begin].type}) out.integer(value);
        out.size(end - begin);
        out.end_record();
        for (std::size_t i = begin; i < end; ++i) {
            const Element& e = elements.list[i];
            out.size(i + 1);
            for (std::size_t c = 0; c < e.size(); ++c) out.size(static_cast<std::uint64_t>(e.corners[c]) + 1);
            out.end_record();
        }
    });
    out.end_section("$EndElements");
}

} // namespace

std::string msh_bytes(
    const std::filesystem::path& path, const Surface& surface, MshVersion version, MshEncoding encoding)
{
    require_surface(path, surface, coordinates(surface.vertices));
    require_names(path, surface, "");
    const Elements elements = elements_of(surface);
    MshText out(encoding == MshEncoding::binary);
    out.head(version == MshVersion::v2_2 ? "2.2" : "4.1");
    if (!elements.names.empty()) {
        out.line("$PhysicalNames");
        out.line("{}", elements.names.size());
        for (std::size_t i = 0; i < elements.names.size(); ++i) out.line("2 {} \"{}\"", i + 1, elements.names[i]);
        out.line("$EndPhysicalNames");
    }
    version == MshVersion::v2_2 ? add_body_2(out, surface, elements) : add_body_4(out, surface, elements);
    return out.take();
}

void write_msh(const std::filesystem::path& path, const Surface& surface, MshVersion version, MshEncoding encoding)
{
    write_atomically(path, msh_bytes(path, surface, version, encoding));
}

} // namespace rubato
