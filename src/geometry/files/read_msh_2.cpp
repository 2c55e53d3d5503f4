/// Gmsh format 2.2.
///
///   $Nodes      count, then per node: tag (int), x, y, z (double)
///   $Elements   count, then
///               text:   per element: number, type, number of tags, tags, nodes
///               binary: blocks: type, number of elements, number of tags; per element: number, tags, nodes (all int)
///
/// The counts are text in binary files too. The first tag of an element is its physical group, 0 for none.

#include "geometry/files/msh_draft.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace rubato {

namespace {

std::uint64_t node_tag_2(MeshSource& source)
{
    const std::int32_t tag = source.integer("node tag");
    if (tag < 1) source.fail("node tag", fmt::format("{}", tag), "must be >= 1");
    return static_cast<std::uint64_t>(tag);
}

/// Tags and nodes of one element.
void read_element(MeshSource& source, MshDraft& draft, const MshElement& element, std::int32_t tag_count)
{
    std::int32_t physical = 0;
    for (std::int32_t i = 0; i < tag_count; ++i) {
        const std::int32_t tag = source.integer("element tag");
        if (i == 0) physical = tag;
    }
    std::uint64_t nodes[most_element_nodes];
    for (int i = 0; i < element.nodes; ++i) nodes[i] = node_tag_2(source);
    // A negative tag asks Gmsh to reverse the element when drawing it; the group is the same. (INT_MIN has no
    // opposite.)
    const std::int32_t group = physical > INT32_MIN ? std::abs(physical) : 0;
    draft.add_element(source, element, {nodes, static_cast<std::size_t>(element.nodes)},
        {&group, static_cast<std::size_t>(group != 0)});
}

std::int32_t tag_count(MeshSource& source)
{
    const std::int32_t count = source.integer("number of tags");
    if (count < 0) source.fail("number of tags", fmt::format("{}", count), "must be >= 0");
    return count;
}

} // namespace

void read_nodes_2(MeshSource& source, MshDraft& draft)
{
    source.begin_record("$Nodes");
    const std::uint64_t count = source.text_size("number of nodes");
    if (count > most_nodes) source.fail("number of nodes", fmt::format("{}", count), "is too large");
    source.start_data();
    source.require_room(count, source.binary() ? 4 + 3 * 8 : 8, "number of nodes");
    draft.reserve_nodes(count);
    for (std::uint64_t i = 1; i <= count; ++i) {
        source.begin_record("node", i);
        const std::uint64_t tag = node_tag_2(source);
        const double x = source.real("x");
        const double y = source.real("y");
        const double z = source.real("z");
        draft.add_node(tag, Vec3(x, y, z));
    }
    draft.close_nodes(source);
    source.expect("$EndNodes");
}

void read_elements_2(MeshSource& source, MshDraft& draft)
{
    source.begin_record("$Elements");
    const std::uint64_t count = source.text_size("number of elements");
    if (count > most_elements) source.fail("number of elements", fmt::format("{}", count), "is too large");
    source.start_data();
    source.require_room(count, 8, "number of elements"); // a point without tags: "1 15 0 1"
    for (std::uint64_t done = 0; done < count;) {
        source.begin_record("element", done + 1);
        if (source.binary()) {
            const MshElement& element = readable_element(source, source.integer("element type"));
            const std::int32_t block = source.integer("number of elements in the block");
            if (block < 1 || static_cast<std::uint64_t>(block) > count - done) {
                source.fail("number of elements in the block", fmt::format("{}", block),
                    fmt::format("must be from 1 to {}, what the section announces", count - done));
            }
            const std::int32_t tags = tag_count(source);
            source.require_room(block, 4 * (1 + static_cast<std::size_t>(tags) + element.nodes), "block of elements");
            for (std::int32_t i = 0; i < block; ++i) {
                source.begin_record("element", ++done);
                source.integer("number");
                read_element(source, draft, element, tags);
            }
        } else {
            source.size("number");
            const MshElement& element = readable_element(source, source.integer("element type"));
            read_element(source, draft, element, tag_count(source));
            ++done;
        }
    }
    source.expect("$EndElements");
    draft.drop_repeated_elements();
}

} // namespace rubato
