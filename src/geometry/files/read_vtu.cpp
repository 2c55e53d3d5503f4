#include "geometry/files/read_vtu.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/surface_draft.hpp"
#include "geometry/files/vtu_arrays.hpp"
#include "geometry/files/vtu_names.hpp"
#include "geometry/files/xml_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace rubato {

namespace {

constexpr std::uint64_t most_points = 700'000'000, most_cells = 500'000'000;

class VtuReader {
public:
    VtuReader(std::string_view bytes, const std::string& file)
        : bytes_(bytes)
    {
        encoding_.file = file;
    }

    std::variant<TetMesh, Surface> mesh()
    {
        read_structure();
        read_points();
        read_cells();
        if (std::find(types_.begin(), types_.end(), vtk_tetra) != types_.end()) return tets();
        return surface();
    }

private:
    [[noreturn]] void fail(const std::string& key, const std::string& found, const std::string& allowed) const
    {
        throw InputError({encoding_.file, 0, key, found, allowed});
    }

    static std::uint64_t number(const XmlTokens& tag, std::string_view attribute, std::uint64_t most)
    {
        const std::string text = tag.required(attribute);
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value > most) {
            tag.fail(std::string(attribute), text, fmt::format("must be an integer from 0 to {}", most));
        }
        return value;
    }

    void read_head(const XmlTokens& tag)
    {
        if (tag.name() != "VTKFile") tag.fail("first element", tag.name(), "must be VTKFile");
        const std::string type = tag.required("type");
        if (type != "UnstructuredGrid") tag.fail("type", type, "must be UnstructuredGrid");
        const std::string order = tag.attribute("byte_order").value_or("LittleEndian");
        if (order != "LittleEndian" && order != "BigEndian") {
            tag.fail("byte_order", order, "must be LittleEndian or BigEndian");
        }
        encoding_.swapped = (order == "LittleEndian") != (std::endian::native == std::endian::little);
        const std::string header = tag.attribute("header_type").value_or("UInt32");
        if (header != "UInt32" && header != "UInt64") tag.fail("header_type", header, "must be UInt32 or UInt64");
        encoding_.header = header == "UInt32" ? Scalar::uint32 : Scalar::uint64;
        const std::string compressor = tag.attribute("compressor").value_or("");
        if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
            tag.fail("compressor", compressor, "only vtkZLibDataCompressor is read; save with zlib or uncompressed");
        }
        encoding_.compressed = !compressor.empty();
    }

    void read_structure()
    {
        XmlTokens tag(encoding_.file, bytes_);
        if (!tag.next()) tag.fail("first element", "nothing", "must be VTKFile");
        read_head(tag);
        bool piece = false;
        while (tag.next()) {
            if (tag.closing()) continue;
            if (tag.name() == "Piece") {
                if (piece) tag.fail("Piece", "a second one", "grids in one piece are read; merge them before saving");
                piece = true;
                points_ = number(tag, "NumberOfPoints", most_points);
                cells_ = number(tag, "NumberOfCells", most_cells);
            } else if (tag.name() == "DataArray" || tag.name() == "Array") {
                arrays_.push_back(array(tag));
            } else if (tag.name() == "AppendedData") {
                read_appended(tag);
                break; // what follows need not be XML
            }
        }
        if (!piece) fail("Piece", "nothing", "this element is missing");
    }

    static VtuArray array(const XmlTokens& tag)
    {
        VtuArray a;
        a.section = tag.path().size() > 1 ? tag.path()[tag.path().size() - 2] : "";
        a.name = tag.attribute("Name").value_or("");
        a.type = tag.required("type");
        a.format = tag.attribute("format").value_or("ascii");
        a.line = tag.line();
        if (tag.attribute("NumberOfComponents"))
            a.components = std::max<std::uint64_t>(1, number(tag, "NumberOfComponents", 1000));
        if (tag.attribute("NumberOfTuples")) a.tuples = number(tag, "NumberOfTuples", most_corners);
        if (a.format == "appended") a.offset = number(tag, "offset", UINT64_MAX);
        a.text = tag.text();
        if (a.format == "ascii") a.line = tag.text_line();
        return a;
    }

    void read_appended(const XmlTokens& tag)
    {
        const std::string encoding = tag.required("encoding");
        if (encoding != "raw" && encoding != "base64") tag.fail("encoding", encoding, "must be raw or base64");
        encoding_.appended_base64 = encoding == "base64";
        std::string_view data = tag.rest();
        const std::size_t mark = data.find_first_not_of(" \t\r\n");
        if (mark == std::string_view::npos || data[mark] != '_') {
            tag.fail("AppendedData", "no underscore", "the data must begin with one");
        }
        data.remove_prefix(mark + 1);
        const std::size_t end = data.rfind("</AppendedData>");
        if (end == std::string_view::npos || data.find("</VTKFile>", end) == std::string_view::npos) {
            tag.fail("AppendedData", "end of file", "is not closed; the file is cut short");
        }
        encoding_.appended = data.substr(0, end);
    }

    const VtuArray* find(std::string_view section, std::string_view name) const
    {
        for (const VtuArray& a : arrays_) {
            if (a.section == section && (name.empty() || a.name == name)) return &a;
        }
        return nullptr;
    }

    const VtuArray& needed(std::string_view section, std::string_view name) const
    {
        const VtuArray* found = find(section, name);
        if (found == nullptr) {
            fail(std::string(section), "nothing",
                fmt::format("there is no array {} in it", name.empty() ? "at all" : name));
        }
        return *found;
    }

    std::vector<double> reals(const VtuArray& a, std::uint64_t tuples, std::uint64_t components) const
    {
        if (a.components != components) {
            fail_vtu(encoding_, a, fmt::format("{} components", a.components), fmt::format("must have {}", components));
        }
        return vtu_reals(encoding_, a, tuples * components);
    }

    void read_points()
    {
        if (points_ == 0) fail("NumberOfPoints", "0", "at least three are needed");
        const std::vector<double> x = reals(needed("Points", ""), points_, 3);
        nodes_.reserve(points_);
        for (std::size_t i = 0; i < x.size(); i += 3) nodes_.emplace_back(x[i], x[i + 1], x[i + 2]);
    }

    void read_cells()
    {
        if (cells_ == 0) fail("NumberOfCells", "0", "at least one is needed");
        const VtuArray& ends = needed("Cells", "offsets");
        ends_ = vtu_integers(encoding_, ends, cells_);
        types_ = vtu_integers(encoding_, needed("Cells", "types"), cells_);
        std::int64_t last = 0;
        for (std::size_t i = 0; i < cells_; ++i) {
            if (ends_[i] < last || ends_[i] > static_cast<std::int64_t>(most_corners)) {
                fail_vtu(encoding_, ends, fmt::format("{} of cell {}", ends_[i], i), "offsets must ascend from 0");
            }
            const std::int64_t count = ends_[i] - last, wanted = corners_of_cell(types_[i]);
            if (wanted < 0) {
                fail_vtu(encoding_, needed("Cells", "types"), fmt::format("{} of cell {}", types_[i], i),
                    "only points, lines, triangles (5), polygons (7), quadrangles (9) and tetrahedra (10) are read");
            }
            if (wanted > 0 ? count != wanted : (types_[i] == vtk_polygon && count < 3)) {
                fail_vtu(encoding_, ends, fmt::format("{} corners of cell {}", count, i),
                    fmt::format("a cell of type {} has {}", types_[i], wanted > 0 ? wanted : 3));
            }
            last = ends_[i];
        }
        const VtuArray& corners = needed("Cells", "connectivity");
        corners_ = vtu_integers(encoding_, corners, static_cast<std::uint64_t>(last));
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            if (corners_[i] < 0 || corners_[i] >= static_cast<std::int64_t>(points_)) {
                fail_vtu(encoding_, corners, fmt::format("{}", corners_[i]),
                    fmt::format("must be from 0 to {}, the number of a point", points_ - 1));
            }
        }
    }

    /// 0: any number; -1: not read.
    static std::int64_t corners_of_cell(std::int64_t type)
    {
        switch (type) {
        case vtk_triangle: return 3;
        case vtk_quad:
        case vtk_tetra: return 4;
        case 1: return 1; // vertex
        case 3: return 2; // line
        case 2: // vertices
        case 4: // lines
        case vtk_polygon: return 0;
        default: return -1;
        }
    }

    const std::int64_t* corners_at(std::size_t cell) const
    {
        return corners_.data() + (cell == 0 ? 0 : ends_[cell - 1]);
    }

    TetMesh tets() const
    {
        TetMesh mesh;
        std::vector<Index> new_number(points_, -1);
        for (std::size_t i = 0; i < cells_; ++i) {
            if (types_[i] != vtk_tetra) continue;
            Tet tet;
            for (int c = 0; c < 4; ++c) {
                tet[c] = static_cast<Index>(corners_at(i)[c]);
                new_number[tet[c]] = 0;
            }
            mesh.tets.push_back(tet);
        }
        for (std::size_t i = 0; i < points_; ++i) {
            if (new_number[i] < 0) continue;
            new_number[i] = static_cast<Index>(mesh.nodes.size());
            mesh.nodes.push_back(nodes_[i]);
        }
        for (Tet& tet : mesh.tets) {
            for (Index& i : tet) i = new_number[i];
        }
        for (const VtuArray& a : arrays_) {
            if (a.section != "PointData" || !a.name.starts_with(group_prefix) || a.components != 1) continue;
            if (a.type != "UInt8" && a.type != "Int8") continue;
            const std::vector<std::int64_t> member = vtu_integers(encoding_, a, points_);
            std::vector<Index>& group = mesh.groups[a.name.substr(group_prefix.size())];
            for (std::size_t i = 0; i < points_; ++i) {
                if (member[i] != 0 && new_number[i] >= 0) group.push_back(new_number[i]);
            }
            std::sort(group.begin(), group.end());
            group.erase(std::unique(group.begin(), group.end()), group.end());
        }
        return mesh;
    }

    Surface surface() const
    {
        Surface s;
        s.vertices = nodes_;
        std::vector<std::size_t> cell; // of each polygon
        std::vector<Index> polygon;
        std::vector<std::string> names[3];
        std::vector<std::int64_t> numbers[3];
        for (int k = 0; k < 3; ++k) read_names(part_kinds[k].name, names[k], numbers[k]);
        for (std::size_t i = 0; i < cells_; ++i) {
            if (types_[i] != vtk_triangle && types_[i] != vtk_quad && types_[i] != vtk_polygon) continue;
            const std::int64_t* corners = corners_at(i);
            polygon.assign(corners, corners_.data() + ends_[i]);
            SurfacePart part;
            for (int k = 0; k < 3; ++k) {
                if (!numbers[k].empty() && numbers[k][i] > 0) {
                    part.*part_kinds[k].member = names[k][static_cast<std::size_t>(numbers[k][i]) - 1];
                }
            }
            add_polygon(s, part, polygon);
        }
        if (s.polygon_count() == 0) fail("Cells", "no polygons", "a surface or tetrahedra are needed");
        read_texture(s);
        if (const VtuArray* files = find("FieldData", material_files_name); files && files->format == "ascii") {
            s.material_files = vtu_strings(encoding_, *files);
        }
        return s;
    }

    /// Names of one kind, and which of them (from 1; 0: none) each cell has.
    void read_names(const std::string& kind, std::vector<std::string>& names, std::vector<std::int64_t>& numbers) const
    {
        const VtuArray* words = find("FieldData", kind + names_suffix);
        const VtuArray* cells = find("CellData", kind);
        if (words == nullptr || cells == nullptr || words->type != "String" || words->format != "ascii") return;
        names = vtu_strings(encoding_, *words);
        if (cells->components != 1) fail_vtu(encoding_, *cells, "several components", "must have one");
        numbers = vtu_integers(encoding_, *cells, cells_);
        for (const std::int64_t n : numbers) {
            if (n < 0 || n > static_cast<std::int64_t>(names.size())) {
                fail_vtu(encoding_, *cells, fmt::format("{}", n), fmt::format("there are {} names", names.size()));
            }
        }
    }

    void read_texture(Surface& s) const
    {
        const auto add = [&](const std::vector<double>& uv) {
            for (std::size_t i = 0; i < uv.size(); i += 2) s.texture.emplace_back(uv[i], uv[i + 1]);
        };
        if (const VtuArray* a = find("PointData", texture_name); a != nullptr && a->components == 2) {
            add(reals(*a, points_, 2));
            s.corner_texture = s.corners;
            return;
        }
        const VtuArray* uv = find("FieldData", texture_name);
        if (uv == nullptr || uv->components != 2) return;
        add(reals(*uv, uv->tuples, 2));
        const VtuArray* corners = find("FieldData", corner_texture_name);
        if (corners == nullptr) return;
        for (const std::int64_t n : vtu_integers(encoding_, *corners, s.corners.size())) {
            if (n < -1 || n >= static_cast<std::int64_t>(s.texture.size())) {
                fail_vtu(encoding_, *corners, fmt::format("{}", n),
                    fmt::format("must be less than {}, the number of texture coordinates", s.texture.size()));
            }
            s.corner_texture.push_back(static_cast<Index>(n));
        }
    }

    std::string_view bytes_;
    VtuEncoding encoding_;
    std::vector<VtuArray> arrays_;
    std::uint64_t points_ = 0, cells_ = 0;
    std::vector<Vec3> nodes_;
    std::vector<std::int64_t> ends_, types_, corners_;
};

} // namespace

std::variant<TetMesh, Surface> vtu_from_bytes(std::string_view bytes, const std::string& file)
{
    return VtuReader(bytes, file).mesh();
}

std::variant<TetMesh, Surface> read_vtu(const std::filesystem::path& path)
{
    return vtu_from_bytes(file_bytes(path), path.string());
}

} // namespace rubato
