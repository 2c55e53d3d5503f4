#include "geometry/files/msh_draft.hpp"

#include "geometry/files/surface_draft.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

void MshDraft::add_node(std::uint64_t tag, const Vec3& position)
{
    tags_.push_back(tag);
    nodes_.push_back(position);
}

void MshDraft::close_nodes(const MeshSource& source)
{
    by_tag_.resize(tags_.size());
    for (std::size_t i = 0; i < tags_.size(); ++i) by_tag_[i] = {tags_[i], static_cast<Index>(i)};
    std::sort(by_tag_.begin(), by_tag_.end());
    const auto same_tag = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twice = std::adjacent_find(by_tag_.begin(), by_tag_.end(), same_tag);
    if (twice != by_tag_.end()) {
        source.fail("node tag", fmt::format("{}", twice->first), "occurs twice; node tags must be different");
    }
    nodes_closed_ = true;
}

Index MshDraft::node_of(const MeshSource& source, std::uint64_t tag) const
{
    if (!by_tag_.empty()) {
        // Tags are consecutive in nearly all files: then the place follows from the first.
        const std::uint64_t guess = tag - by_tag_.front().first;
        if (guess < by_tag_.size() && by_tag_[guess].first == tag) return by_tag_[guess].second;
        const auto found = std::lower_bound(by_tag_.begin(), by_tag_.end(), std::pair<std::uint64_t, Index>(tag, 0));
        if (found != by_tag_.end() && found->first == tag) return found->second;
    }
    source.fail("node tag", fmt::format("{}", tag), "there is no node with this tag in $Nodes");
}

void MshDraft::add_element(const MeshSource& source, const MshElement& element,
    std::span<const std::uint64_t> node_tags, std::span<const std::int32_t> physical_tags)
{
    Tet nodes{};
    for (std::size_t i = 0; i < node_tags.size(); ++i) nodes[i] = node_of(source, node_tags[i]);
    for (const std::int32_t physical : physical_tags) {
        auto& group = groups_[{element.dimension, physical}];
        group.insert(group.end(), nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(node_tags.size()));
    }
    if (element.type == msh_tet) {
        tets_.push_back(nodes);
        tet_physical_.push_back(physical_tags.empty() ? 0 : physical_tags.front());
        return;
    }
    ++other_elements_;
    if (element.dimension == 2) {
        if (element.nodes == 3) nodes[3] = -1;
        faces_.push_back(nodes);
        face_physical_.push_back(physical_tags.empty() ? 0 : physical_tags.front());
    }
}

void MshDraft::name_group(int dimension, std::int32_t physical_tag, const std::string& name)
{
    names_[{dimension, physical_tag}] = name;
    groups_[{dimension, physical_tag}]; // a named group exists even when it has no elements
}

namespace {

void drop_repeated(std::vector<Tet>& elements, std::vector<std::int32_t>& physical)
{
    const auto differs = [&](std::int32_t p) { return p != physical.front(); };
    if (std::none_of(physical.begin(), physical.end(), differs)) return;

    std::vector<std::size_t> order(elements.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return elements[a] != elements[b] ? elements[a] < elements[b] : a < b; });
    std::vector<char> dropped(elements.size(), 0);
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
        if (elements[order[i]] != elements[order[first]]) {
            first = i;
        } else if (physical[order[i]] != physical[order[first]]) {
            dropped[order[i]] = 1; // the same tag twice is left to the check of the mesh
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (dropped[i]) continue;
        elements[kept] = elements[i];
        physical[kept++] = physical[i];
    }
    elements.resize(kept);
    physical.resize(kept);
}

} // namespace

void MshDraft::drop_repeated_elements()
{
    drop_repeated(tets_, tet_physical_);
    drop_repeated(faces_, face_physical_);
}

std::string MshDraft::group_name(const GroupKey& key) const
{
    const auto named = names_.find(key);
    return named != names_.end() ? named->second : fmt::format("physical_{}_{}", key.first, key.second);
}

Surface MshDraft::surface(const MeshSource& source) &&
{
    if (!tets_.empty()) {
        source.fail("4-node tetrahedra", fmt::format("{}", tets_.size()),
            "this is a mesh of a volume; a surface has triangles and quadrangles only");
    }
    if (faces_.empty()) {
        source.fail("triangles", "none",
            fmt::format("a surface needs triangles or quadrangles, and there are only {} other elements; mesh the "
                        "surface first (gmsh -2)",
                other_elements_));
    }
    Surface surface;
    surface.vertices = std::move(nodes_);
    SurfacePart names;
    std::int32_t physical = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
        if (face_physical_[i] != physical) {
            physical = face_physical_[i];
            names.group = physical == 0 ? std::string() : group_name({2, physical});
        }
        add_polygon(surface, names, {faces_[i].data(), faces_[i][3] < 0 ? 3u : 4u});
    }
    return surface;
}

TetMesh MshDraft::mesh(const MeshSource& source) &&
{
    if (tets_.empty()) {
        source.fail("4-node tetrahedra", "none",
            fmt::format("at least one is needed, and there are {} other elements; mesh the volume first (gmsh -3)",
                other_elements_));
    }

    constexpr Index unused = -1;
    std::vector<Index> number(nodes_.size(), unused);
    for (const Tet& tet : tets_) {
        for (const Index i : tet) number[i] = 0;
    }
    TetMesh mesh;
    mesh.nodes.reserve(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (number[i] == unused) continue;
        number[i] = static_cast<Index>(mesh.nodes.size());
        mesh.nodes.push_back(nodes_[i]);
    }
    mesh.tets = std::move(tets_);
    for (Tet& tet : mesh.tets) {
        for (Index& i : tet) i = number[i];
    }
    for (const auto& [key, members] : groups_) {
        auto& group = mesh.groups[group_name(key)];
        for (const Index i : members) {
            if (number[i] != unused) group.push_back(number[i]);
        }
    }
    for (auto& [name, group] : mesh.groups) {
        std::sort(group.begin(), group.end());
        group.erase(std::unique(group.begin(), group.end()), group.end());
    }
    return mesh;
}

const MshElement& readable_element(const MeshSource& source, std::int32_t type)
{
    for (const MshElement& element : msh_elements) {
        if (element.type != type) continue;
        if (!element.readable) {
            source.fail("element type", fmt::format("{} ({})", type, element.name),
                "only 4-node tetrahedra (type 4) and first-order points, lines, triangles and quadrangles (15, 1, 2, "
                "3) "
                "are read; save a first-order tetrahedral mesh (Gmsh: Mesh.ElementOrder = 1)");
        }
        return element;
    }
    source.fail("element type", fmt::format("{}", type),
        "unknown; only 4-node tetrahedra (type 4) and points, lines, triangles and quadrangles (15, 1, 2, 3) are read");
}

} // namespace rubato
