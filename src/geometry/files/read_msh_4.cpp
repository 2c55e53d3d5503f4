/// Gmsh format 4.1. In binary, tags of entities, dimensions and types are int, everything else is size_t or double.
///
///   $Entities   points, curves, surfaces, volumes (counts)
///               point: tag, x y z, n, n physical tags
///               others: tag, box (6 numbers), n, n physical tags, m, m tags of the boundary
///   $Nodes      blocks, nodes, lowest tag, highest tag
///               block: dimension, entity, parametric, n; n tags; n times x y z and, when parametric, u (v (w))
///   $Elements   blocks, elements, lowest tag, highest tag
///               block: dimension, entity, type, n; n times tag and node tags

#include "geometry/files/msh_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace rubato {

namespace {

/// Every element of an entity enters each of its groups: a wild number here would multiply the memory needed.
constexpr std::uint64_t most_physical_tags = 100;

struct Header {
    std::uint64_t blocks;
    std::uint64_t count; ///< nodes or elements
};

Header header(MeshSource& source, const char* section, const char* what, std::uint64_t most)
{
    source.start_data();
    source.begin_record(section);
    Header h{};
    h.blocks = source.size("number of blocks");
    h.count = source.size(what);
    if (h.count > most) source.fail(what, fmt::format("{}", h.count), "is too large");
    source.size("lowest tag");
    source.size("highest tag");
    return h;
}

std::int32_t dimension(MeshSource& source)
{
    const std::int32_t d = source.integer("dimension");
    if (d < 0 || d > 3) source.fail("dimension", fmt::format("{}", d), "must be 0, 1, 2 or 3");
    return d;
}

std::uint64_t node_tag_4(MeshSource& source)
{
    const std::uint64_t tag = source.size("node tag");
    if (tag < 1) source.fail("node tag", "0", "must be >= 1");
    return tag;
}

/// A block may not hold more than the section announced and has not yet delivered.
void require_announced(const MeshSource& source, std::uint64_t block, std::uint64_t left)
{
    if (block > left) {
        source.fail(
            "count", fmt::format("{}", block), fmt::format("must be at most {}, what the section announces", left));
    }
}

void require_all(const MeshSource& source, const char* what, std::uint64_t found, std::uint64_t announced)
{
    if (found != announced) {
        source.fail(what, fmt::format("{}", found), fmt::format("the section announces {}", announced));
    }
}

} // namespace

MshEntities read_entities_4(MeshSource& source)
{
    source.start_data();
    source.begin_record("$Entities");
    std::uint64_t counts[4];
    for (std::uint64_t& count : counts) {
        count = source.size("number of entities");
        source.require_room(count, 8, "number of entities");
    }
    MshEntities entities;
    for (int d = 0; d < 4; ++d) {
        for (std::uint64_t i = 1; i <= counts[d]; ++i) {
            source.begin_record("entity", i);
            const std::int32_t tag = source.integer("tag");
            for (int c = 0; c < (d == 0 ? 3 : 6); ++c) source.real("extent");
            const std::uint64_t physical_count = source.size("number of physical tags");
            if (physical_count > most_physical_tags) {
                source.fail("number of physical tags", fmt::format("{}", physical_count),
                    fmt::format("must be at most {}", most_physical_tags));
            }
            std::vector<std::int32_t> physical;
            for (std::uint64_t p = 0; p < physical_count; ++p) {
                // The sign tells the orientation, which does not matter for a set of nodes.
                const std::int32_t signed_tag = source.integer("physical tag");
                if (signed_tag > INT32_MIN) physical.push_back(std::abs(signed_tag));
            }
            if (d > 0) {
                const std::uint64_t boundary_count = source.size("number of boundary entities");
                source.require_room(boundary_count, 2, "number of boundary entities");
                for (std::uint64_t b = 0; b < boundary_count; ++b) source.integer("boundary entity");
            }
            entities[{d, tag}] = std::move(physical);
        }
    }
    source.expect("$EndEntities");
    return entities;
}

void read_nodes_4(MeshSource& source, MshDraft& draft)
{
    const Header h = header(source, "$Nodes", "number of nodes", most_nodes);
    source.require_room(h.count, source.binary() ? 8 + 3 * 8 : 8, "number of nodes");
    draft.reserve_nodes(h.count);
    std::uint64_t done = 0;
    std::vector<std::uint64_t> tags;
    for (std::uint64_t b = 1; b <= h.blocks; ++b) {
        source.begin_record("block of nodes", b);
        const std::int32_t dim = dimension(source);
        source.integer("entity");
        const std::int32_t parametric = source.integer("parametric");
        if (parametric != 0 && parametric != 1) {
            source.fail("parametric", fmt::format("{}", parametric), "must be 0 or 1");
        }
        const std::uint64_t count = source.size("count");
        require_announced(source, count, h.count - done);
        tags.resize(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            source.begin_record("node", done + i + 1);
            tags[i] = node_tag_4(source);
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            source.begin_record("node", done + i + 1);
            const double x = source.real("x");
            const double y = source.real("y");
            const double z = source.real("z");
            for (int p = 0; p < (parametric ? dim : 0); ++p) source.real("parameter");
            draft.add_node(tags[i], Vec3(x, y, z));
        }
        done += count;
    }
    source.begin_record("$Nodes");
    require_all(source, "nodes in all blocks", done, h.count);
    draft.close_nodes(source);
    source.expect("$EndNodes");
}

void read_elements_4(MeshSource& source, const MshEntities& entities, MshDraft& draft)
{
    const Header h = header(source, "$Elements", "number of elements", most_elements);
    source.require_room(h.count, source.binary() ? 16 : 4, "number of elements"); // a point: "1 1"
    std::uint64_t done = 0;
    for (std::uint64_t b = 1; b <= h.blocks; ++b) {
        source.begin_record("block of elements", b);
        const std::int32_t dim = dimension(source);
        const std::int32_t entity = source.integer("entity");
        const MshElement& element = readable_element(source, source.integer("element type"));
        if (element.dimension != dim) {
            source.fail("element type", fmt::format("{} ({})", element.type, element.name),
                fmt::format("does not fit the dimension {} of the block", dim));
        }
        const std::uint64_t count = source.size("count");
        require_announced(source, count, h.count - done);
        if (element.type == msh_tet) draft.reserve_tets(count);
        const auto found = entities.find({dim, entity});
        const std::span<const std::int32_t> physical
            = found == entities.end() ? std::span<const std::int32_t>() : std::span(found->second);
        for (std::uint64_t i = 0; i < count; ++i) {
            source.begin_record("element", ++done);
            source.size("tag");
            std::uint64_t nodes[most_element_nodes];
            for (int c = 0; c < element.nodes; ++c) nodes[c] = node_tag_4(source);
            draft.add_element(source, element, {nodes, static_cast<std::size_t>(element.nodes)}, physical);
        }
    }
    source.begin_record("$Elements");
    require_all(source, "elements in all blocks", done, h.count);
    source.expect("$EndElements");
}

} // namespace rubato
