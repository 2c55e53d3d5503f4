#include "geometry/files/read_msh.hpp"

#include "base/input_file.hpp"
#include "geometry/files/msh_draft.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

enum class Version { v2_2, v4_1 };

/// Version, encoding and, in a binary file, the number 1 that shows the order of its bytes.
Version format_of(MeshSource& source)
{
    if (source.at_end()) source.fail("$MeshFormat", "nothing", "the file is empty");
    const std::string_view opening = source.word("$MeshFormat");
    if (opening != "$MeshFormat") {
        source.fail("first word", std::string(opening), "a Gmsh mesh begins with $MeshFormat");
    }
    source.begin_record("$MeshFormat");
    const double number = source.text_real("version");
    if (number != 2.2 && number != 4.1) {
        source.fail("version", fmt::format("{}", number), "versions 2.2 and 4.1 are read; save again as one of them");
    }
    const std::int32_t type = source.text_integer("file type");
    if (type != 0 && type != 1) source.fail("file type", fmt::format("{}", type), "must be 0 (text) or 1 (binary)");
    const std::int32_t size = source.text_integer("data size");
    if (size != 8) source.fail("data size", fmt::format("{}", size), "must be 8");
    if (type == 1) {
        source.set_binary();
        source.start_data();
        const std::int32_t one = source.integer("byte order mark");
        if (one == 0x01000000) {
            source.fail("byte order mark", fmt::format("{}", one),
                "the file was written on a machine of the other byte order; save it as text");
        }
        if (one != 1) source.fail("byte order mark", fmt::format("{}", one), "must be 1");
    }
    source.expect("$EndMeshFormat");
    return number == 2.2 ? Version::v2_2 : Version::v4_1;
}

/// Text in both encodings: count, then per group: dimension, tag, "name".
void read_physical_names(MeshSource& source, MshDraft& draft)
{
    source.begin_record("$PhysicalNames");
    const std::uint64_t count = source.text_size("number of names");
    source.require_room(count, 7, "number of names"); // 0 1 "a"
    for (std::uint64_t i = 1; i <= count; ++i) {
        source.begin_record("physical name", i);
        const std::int32_t dimension = source.text_integer("dimension");
        if (dimension < 0 || dimension > 3) {
            source.fail("dimension", fmt::format("{}", dimension), "must be 0, 1, 2 or 3");
        }
        const std::int32_t tag = source.text_integer("tag");
        const std::string_view quoted = source.rest_of_line();
        if (quoted.size() < 3 || quoted.front() != '"' || quoted.back() != '"') {
            source.fail("text", std::string(quoted), "must be a name of at least one letter between double quotes");
        }
        draft.name_group(dimension, tag, std::string(quoted.substr(1, quoted.size() - 2)));
    }
    source.expect("$EndPhysicalNames");
}

/// Hands each section to its reader; sections without meaning for a mesh are skipped.
class Sections {
public:
    Sections(MeshSource& source, Version version)
        : source_(source)
        , version_(version)
    {
    }

    MshDraft draft()
    {
        while (!source_.at_end()) {
            source_.begin_record("");
            read(std::string(source_.word("section")));
        }
        source_.begin_record("");
        for (const char* needed : {"$Nodes", "$Elements"}) {
            if (!seen(needed)) source_.fail(needed, "nothing", "this section is missing");
        }
        return std::move(draft_);
    }

private:
    bool seen(std::string_view section) const { return std::find(seen_.begin(), seen_.end(), section) != seen_.end(); }

    void read(const std::string& section)
    {
        const bool v4 = version_ == Version::v4_1;
        const bool is_mesh = section == "$Nodes" || section == "$Elements" || section == "$PhysicalNames"
            || (v4 && section == "$Entities");
        if (section.size() < 2 || section.front() != '$' || section.starts_with("$End")) {
            source_.fail("section", section, "expected the opening line of a section here, such as $Nodes");
        }
        if (is_mesh && seen(section)) source_.fail("section", section, "occurs twice");
        if (is_mesh) seen_.push_back(section);

        if (section == "$PhysicalNames") {
            read_physical_names(source_, draft_);
        } else if (section == "$Nodes") {
            v4 ? read_nodes_4(source_, draft_) : read_nodes_2(source_, draft_);
        } else if (section == "$Elements") {
            if (!draft_.has_nodes()) source_.fail("section", section, "must come after $Nodes");
            v4 ? read_elements_4(source_, entities_, draft_) : read_elements_2(source_, draft_);
        } else if (v4 && section == "$Entities") {
            if (seen("$Elements")) source_.fail("section", section, "must come before $Elements");
            entities_ = read_entities_4(source_);
        } else if (section == "$PartitionedEntities") {
            source_.fail("section", section, "partitioned meshes are not read; save the mesh unpartitioned");
        } else {
            source_.skip_past("$End" + section.substr(1), section.c_str());
        }
    }

    MeshSource& source_;
    Version version_;
    MshDraft draft_;
    MshEntities entities_;
    std::vector<std::string> seen_;
};

MshDraft draft_of(MeshSource& source)
{
    const Version version = format_of(source);
    return Sections(source, version).draft();
}

} // namespace

TetMesh msh_from_bytes(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    return draft_of(source).mesh(source);
}

Surface msh_surface_from_bytes(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    return draft_of(source).surface(source);
}

std::variant<TetMesh, Surface> msh_any_from_bytes(std::string_view bytes, const std::string& file)
{
    MeshSource source(file, bytes);
    MshDraft draft = draft_of(source);
    if (draft.has_faces() && !draft.has_tets()) return std::move(draft).surface(source);
    return std::move(draft).mesh(source); // says what is missing when there is neither
}

TetMesh read_msh(const std::filesystem::path& path) { return msh_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
