/// PLY: a header of lines of text, then the elements in its order.
///
///   ply
///   format ascii 1.0 | binary_little_endian 1.0 | binary_big_endian 1.0
///   comment ... | obj_info ...
///   element NAME COUNT
///   property TYPE NAME | property list TYPE_OF_COUNT TYPE NAME
///   end_header

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/mesh_source.hpp"
#include "geometry/files/part_names.hpp"
#include "geometry/files/ply.hpp"
#include "geometry/files/surface_draft.hpp"
#include "geometry/files/texture_numbers.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace rubato {

namespace {

struct Property {
    std::string name;
    Scalar type;
    std::optional<Scalar> list; ///< type of its count
};

struct Element {
    std::string name;
    std::uint64_t count;
    std::vector<Property> properties;
};

constexpr std::pair<std::string_view, Scalar> types[]
    = {{"char", Scalar::int8}, {"int8", Scalar::int8}, {"uchar", Scalar::uint8}, {"uint8", Scalar::uint8},
        {"short", Scalar::int16}, {"int16", Scalar::int16}, {"ushort", Scalar::uint16}, {"uint16", Scalar::uint16},
        {"int", Scalar::int32}, {"int32", Scalar::int32}, {"uint", Scalar::uint32}, {"uint32", Scalar::uint32},
        {"int64", Scalar::int64}, {"uint64", Scalar::uint64}, {"float", Scalar::float32}, {"float32", Scalar::float32},
        {"double", Scalar::float64}, {"float64", Scalar::float64}};

constexpr std::pair<std::string_view, std::string_view> texture_names[]
    = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}};

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& file)
        : source_(file, bytes)
    {
        surface_.polygons = {0};
    }

    Surface surface()
    {
        read_header();
        for (const Element& element : elements_) {
            if (element.name == "vertex") {
                read_vertices(element);
            } else if (element.name == "face") {
                read_faces(element);
            } else {
                require_room(element);
                for (std::uint64_t i = 1; i <= element.count; ++i) {
                    source_.begin_record(element.name.c_str(), i);
                    for (const Property& p : element.properties) skip(p);
                }
            }
        }
        source_.begin_record("");
        if (surface_.polygon_count() == 0) source_.fail("faces", "none", "at least one is needed (element face)");
        names_.apply(surface_);
        return std::move(surface_);
    }

private:
    Scalar scalar(const char* what)
    {
        const std::string_view name = source_.word(what);
        for (const auto& [known, type] : types) {
            if (name == known) return type;
        }
        source_.fail(what, std::string(name), "must be a type such as uchar, int, float or double");
    }

    void read_format()
    {
        const std::string_view format = source_.word("format");
        constexpr bool little = std::endian::native == std::endian::little;
        if (format == "binary_little_endian" || format == "binary_big_endian") {
            binary_ = true;
            swapped_ = (format == "binary_little_endian") != little;
        } else if (format != "ascii") {
            source_.fail("format", std::string(format), "must be ascii, binary_little_endian or binary_big_endian");
        }
        const std::string_view version = source_.word("version");
        if (version != "1.0") source_.fail("version", std::string(version), "must be 1.0");
    }

    void read_property()
    {
        if (elements_.empty()) source_.fail("keyword", "property", "must follow a line that begins with element");
        Property property{};
        const std::string_view first = source_.word("type");
        if (first == "list") {
            property.list = scalar("type of the count");
            if (!is_integer(*property.list))
                source_.fail("type of the count", "a real type", "must be an integer type");
            property.type = scalar("type");
        } else {
            bool known = false;
            for (const auto& [name, type] : types) {
                if (name == first) property.type = type, known = true;
            }
            if (!known) source_.fail("type", std::string(first), "must be list or a type such as float or double");
        }
        property.name = source_.word("name");
        elements_.back().properties.push_back(property);
    }

    void read_header()
    {
        if (source_.at_end()) source_.fail("first line", "nothing", "the file is empty");
        const std::string_view opening = source_.word("first line");
        if (opening != "ply") source_.fail("first line", std::string(opening), "a PLY file begins with ply");
        bool format_seen = false;
        for (;;) {
            source_.begin_record("header");
            const std::string_view keyword = source_.word("keyword");
            if (keyword == "format") {
                read_format();
                format_seen = true;
            } else if (keyword == "comment") {
                names_.read(source_.rest_of_line());
            } else if (keyword == "obj_info") {
                source_.rest_of_line();
            } else if (keyword == "element") {
                std::string name(source_.word("name"));
                elements_.push_back({std::move(name), source_.text_size("count"), {}});
            } else if (keyword == "property") {
                read_property();
            } else if (keyword == "end_header") {
                break;
            } else {
                source_.fail("keyword", std::string(keyword),
                    "must be format, comment, obj_info, element, property or end_header");
            }
        }
        if (!format_seen) source_.fail("format", "nothing", "this line is missing");
        if (!binary_) return;
        source_.set_binary();
        if (swapped_) source_.set_swapped();
        if (std::all_of(elements_.begin(), elements_.end(), [](const Element& e) { return e.count == 0; })) return;
        source_.start_data();
    }

    /// An element takes at least so many bytes: its numbers, or in text one digit and a blank for each.
    void require_room(const Element& element)
    {
        std::size_t least = 0;
        for (const Property& p : element.properties) least += binary_ ? size_of(p.list ? *p.list : p.type) : 2;
        if (!binary_ && least > 0) --least; // the file may end without a line break
        source_.begin_record(element.name.c_str());
        source_.require_room(element.count, std::max<std::size_t>(least, 1), "number of elements");
    }

    std::uint64_t list_count(const Property& p)
    {
        const std::int64_t count = source_.integer(p.name.c_str(), *p.list);
        if (count < 0) source_.fail(p.name, fmt::format("{}", count), "the count of a list must be >= 0");
        source_.require_room(static_cast<std::uint64_t>(count), binary_ ? size_of(p.type) : 1, p.name.c_str());
        return static_cast<std::uint64_t>(count);
    }

    void skip(const Property& p)
    {
        const std::uint64_t count = p.list ? list_count(p) : 1;
        for (std::uint64_t i = 0; i < count; ++i) source_.skip(p.name.c_str(), p.type);
    }

    void read_vertices(const Element& element)
    {
        constexpr std::size_t none = std::size_t(-1);
        const auto place = [&](std::string_view name) {
            for (std::size_t i = 0; i < element.properties.size(); ++i) {
                if (element.properties[i].name == name && !element.properties[i].list) return i;
            }
            return none;
        };
        source_.begin_record("element vertex");
        if (!surface_.vertices.empty()) source_.fail("element", "vertex", "occurs twice");
        std::size_t wanted[5] = {place("x"), place("y"), place("z"), none, none};
        for (int i = 0; i < 3; ++i) {
            if (wanted[i] == none) source_.fail("property", "nothing", fmt::format("there is no {}", "xyz"[i]));
        }
        for (const auto& [u, v] : texture_names) {
            if (place(u) != none && place(v) != none) wanted[3] = place(u), wanted[4] = place(v);
        }
        const bool textured = wanted[3] != none;
        require_room(element);
        if (element.count > most_corners) source_.fail("count", fmt::format("{}", element.count), "is too large");
        surface_.vertices.reserve(element.count);
        if (textured) surface_.texture.reserve(element.count);
        for (std::uint64_t i = 1; i <= element.count; ++i) {
            source_.begin_record("vertex", i);
            double values[5] = {};
            for (std::size_t k = 0; k < element.properties.size(); ++k) {
                const Property& p = element.properties[k];
                const auto found = std::find(wanted, wanted + 5, k);
                if (found == wanted + 5) {
                    skip(p);
                } else {
                    values[found - wanted] = source_.real(p.name.c_str(), p.type);
                }
            }
            surface_.vertices.emplace_back(values[0], values[1], values[2]);
            if (textured) surface_.texture.emplace_back(values[3], values[4]);
        }
        vertex_texture_ = textured;
    }

    void read_faces(const Element& element)
    {
        source_.begin_record("element face");
        const Property* corners = nullptr;
        const Property* texture = nullptr;
        for (const Property& p : element.properties) {
            if (p.list && (p.name == "vertex_indices" || p.name == "vertex_index")) corners = &p;
            if (p.list && p.name == "texcoord") texture = &p;
        }
        if (corners == nullptr) source_.fail("property", "nothing", "there is no list vertex_indices");
        if (!is_integer(corners->type)) source_.fail(corners->name, "a real type", "must be an integer type");
        if (surface_.vertices.empty()) source_.fail("element", "face", "must come after element vertex");
        require_room(element);
        surface_.polygons.reserve(element.count + 1);
        std::vector<Index> polygon, polygon_texture;
        std::vector<double> uv;
        TextureNumbers numbers(surface_.texture);
        for (std::uint64_t i = 1; i <= element.count; ++i) {
            source_.begin_record("face", i);
            uv.clear();
            for (const Property& p : element.properties) {
                if (&p == corners) {
                    read_corners(p, polygon);
                } else if (&p == texture && !vertex_texture_) {
                    const std::uint64_t count = list_count(p);
                    for (std::uint64_t k = 0; k < count; ++k) uv.push_back(source_.real("texcoord", p.type));
                } else {
                    skip(p);
                }
            }
            polygon_texture.clear();
            if (vertex_texture_) polygon_texture = polygon;
            if (uv.size() == 2 * polygon.size()) {
                for (std::size_t c = 0; c < polygon.size(); ++c) {
                    polygon_texture.push_back(numbers.number({uv[2 * c], uv[2 * c + 1]}));
                }
            } else if (!uv.empty()) {
                source_.fail("texcoord", fmt::format("{} numbers", uv.size()),
                    fmt::format("must be two for each of the {} corners, or none", polygon.size()));
            }
            add_polygon(surface_, {}, polygon, polygon_texture);
        }
    }

    void read_corners(const Property& p, std::vector<Index>& polygon)
    {
        const std::uint64_t count = list_count(p);
        if (count < 3) source_.fail("number of corners", fmt::format("{}", count), "must be at least 3");
        if (count > most_corners - surface_.corners.size()) {
            source_.fail("number of corners", fmt::format("{}", count), "there are too many corners in all");
        }
        polygon.clear();
        for (std::uint64_t k = 0; k < count; ++k) {
            const std::int64_t corner = source_.integer("corner", p.type);
            if (corner < 0 || corner >= static_cast<std::int64_t>(surface_.vertices.size())) {
                source_.fail("corner", fmt::format("{}", corner),
                    fmt::format("must be from 0 to {}, a number of a vertex", surface_.vertices.size() - 1));
            }
            polygon.push_back(static_cast<Index>(corner));
        }
    }

    MeshSource source_;
    bool binary_ = false, swapped_ = false;
    bool vertex_texture_ = false;
    std::vector<Element> elements_;
    NameComments names_;
    Surface surface_;
};

} // namespace

Surface ply_from_bytes(std::string_view bytes, const std::string& file) { return PlyReader(bytes, file).surface(); }

Surface read_ply(const std::filesystem::path& path) { return ply_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
