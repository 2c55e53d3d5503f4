#pragma once

#include "geometry/files/mesh_source.hpp"
#include "geometry/files/msh_elements.hpp"
#include "geometry/surface.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rubato {

/// A Gmsh mesh while it is being read: nodes go by the tags of the file, groups by dimension and physical tag.
class MshDraft {
public:
    // Nodes, in the order of the file.
    void reserve_nodes(std::uint64_t count) { nodes_.reserve(count), tags_.reserve(count); }
    void add_node(std::uint64_t tag, const Vec3& position);
    void close_nodes(const MeshSource& source); ///< a tag given twice is an error
    bool has_nodes() const { return nodes_closed_; }

    // Elements. Nodes must have been closed.
    void reserve_tets(std::uint64_t count) { tets_.reserve(tets_.size() + count); }
    void add_element(const MeshSource& source, const MshElement& element, std::span<const std::uint64_t> node_tags,
        std::span<const std::int32_t> physical_tags);

    /// Version 2.2 has one physical tag per element: an element of two groups is written twice, once for each. Keeps
    /// the first of them.
    void drop_repeated_elements();

    void name_group(int dimension, std::int32_t physical_tag, const std::string& name);

    bool has_tets() const { return !tets_.empty(); }
    bool has_faces() const { return !faces_.empty(); }

    /// The mesh of the tetrahedra: nodes that none of them uses are gone, from the groups too.
    TetMesh mesh(const MeshSource& source) &&;

    /// The triangles and quadrangles, where there are no tetrahedra: all nodes; the (first) physical group of each as
    /// the name of its group.
    Surface surface(const MeshSource& source) &&;

private:
    using GroupKey = std::pair<int, std::int32_t>; ///< dimension, physical tag

    Index node_of(const MeshSource& source, std::uint64_t tag) const;

    std::vector<Vec3> nodes_;
    std::vector<std::uint64_t> tags_; ///< of each node
    std::vector<std::pair<std::uint64_t, Index>> by_tag_; ///< ascending
    std::string group_name(const GroupKey& key) const;

    std::vector<Tet> tets_;
    std::vector<std::int32_t> tet_physical_; ///< first physical tag of each, 0 for none
    std::vector<Tet> faces_; ///< triangles and quadrangles; the last corner of a triangle is -1
    std::vector<std::int32_t> face_physical_;
    std::map<GroupKey, std::vector<Index>> groups_; ///< nodes in the order met, with repeats
    std::map<GroupKey, std::string> names_;
    std::size_t other_elements_ = 0;
    bool nodes_closed_ = false;
};

/// The element of that type number; one that cannot be read is an error of the source.
const MshElement& readable_element(const MeshSource& source, std::int32_t type);

/// Versions of the format: each fills the draft from one section, the reading place right behind its opening line.
void read_nodes_2(MeshSource& source, MshDraft& draft);
void read_elements_2(MeshSource& source, MshDraft& draft);

/// Physical tags of the geometric entities, by dimension and entity tag.
using MshEntities = std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>>;
MshEntities read_entities_4(MeshSource& source);
void read_nodes_4(MeshSource& source, MshDraft& draft);
void read_elements_4(MeshSource& source, const MshEntities& entities, MshDraft& draft);

/// More unknowns than an index can number.
inline constexpr std::uint64_t most_nodes = 700'000'000;
inline constexpr std::uint64_t most_elements = 500'000'000;

} // namespace rubato
