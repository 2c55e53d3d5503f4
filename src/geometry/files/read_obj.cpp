#include "geometry/files/read_obj.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/mesh_source.hpp"
#include "geometry/files/surface_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace rubato {

namespace {

constexpr std::array ignored_keywords = {"vn", "vp", "s", "l", "p", "mg", "usemap", "maplib", "lod", "bevel",
    "c_interp", "d_interp", "shadow_obj", "trace_obj"};

class ObjReader {
public:
    ObjReader(std::string_view bytes, const std::string& file)
        : bytes_(bytes)
        , file_(file)
    {
        surface_.polygons = {0};
    }

    Surface surface()
    {
        std::string joined;
        while (!bytes_.empty()) {
            ++line_;
            std::string_view text = next_line();
            const int first_line = line_;
            if (!text.empty() && text.back() == '\\') { // the statement goes on in the next line
                joined.clear();
                while (!text.empty() && text.back() == '\\') {
                    joined.append(text.substr(0, text.size() - 1)).push_back(' ');
                    ++line_;
                    text = next_line();
                }
                joined.append(text);
                text = joined;
            }
            read(text, first_line);
        }
        return finished();
    }

private:
    [[noreturn]] void fail(int line, const std::string& key, const std::string& found, const std::string& allowed) const
    {
        throw InputError({file_, line, key, found, allowed});
    }

    std::string_view next_line()
    {
        const std::size_t end = std::min(bytes_.find('\n'), bytes_.size());
        std::string_view line = bytes_.substr(0, end);
        bytes_.remove_prefix(std::min(end + 1, bytes_.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

    void read(std::string_view text, int line)
    {
        MeshSource words(file_, text.substr(0, text.find('#')), line);
        if (words.at_end()) return;
        const std::string_view keyword = words.word("keyword");
        if (keyword == "v") {
            words.begin_record("vertex", surface_.vertices.size() + 1);
            const double x = words.text_real("x");
            const double y = words.text_real("y");
            const double z = words.text_real("z");
            surface_.vertices.emplace_back(x, y, z); // what may follow is a weight or a colour
        } else if (keyword == "vt") {
            words.begin_record("texture coordinate", surface_.texture.size() + 1);
            const double u = words.text_real("u");
            const double v = words.at_end() ? 0 : words.text_real("v");
            surface_.texture.emplace_back(u, v); // what may follow is the depth of a solid texture
        } else if (keyword == "f") {
            read_face(words, line);
        } else if (keyword == "o") {
            names_.object = name(text, keyword);
        } else if (keyword == "g") {
            names_.group = name(text, keyword);
        } else if (keyword == "usemtl") {
            names_.material = name(text, keyword);
        } else if (keyword == "mtllib") {
            surface_.material_files.push_back(name(text, keyword));
        } else if (std::find(ignored_keywords.begin(), ignored_keywords.end(), keyword) == ignored_keywords.end()) {
            words.fail("keyword", std::string(keyword),
                "unknown; a surface is made of v and f lines (free-form surfaces are not read)");
        }
    }

    /// What follows the keyword, blanks inside included. A # belongs to the name unless there is a blank before it.
    static std::string name(std::string_view text, std::string_view keyword)
    {
        constexpr std::string_view blanks = " \t\r\v\f";
        text.remove_prefix(text.find(keyword) + keyword.size());
        for (std::size_t i = 1; i < text.size(); ++i) {
            if (text[i] == '#' && blanks.find(text[i - 1]) != std::string_view::npos) text = text.substr(0, i);
        }
        const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
        const std::size_t end = text.find_last_not_of(blanks) + 1; // npos + 1 = 0
        return end > begin ? std::string(text.substr(begin, end - begin)) : std::string();
    }

    void read_face(MeshSource& words, int line)
    {
        words.begin_record("face");
        polygon_.clear();
        polygon_texture_.clear();
        while (!words.at_end()) read_corner(words);
        if (polygon_.size() < 3) {
            words.fail("number of corners", fmt::format("{}", polygon_.size()), "must be at least 3");
        }
        if (polygon_.size() > most_corners - surface_.corners.size()) {
            words.fail("number of corners", fmt::format("{}", polygon_.size()), "there are too many corners in all");
        }
        add_polygon(surface_, names_, polygon_, polygon_texture_);
        lines_.push_back(line);
    }

    /// "7", "7/1", "7//3", "7/1/3" or the same with negative numbers. Normals are not looked at.
    void read_corner(MeshSource& words)
    {
        const std::string_view text = words.word("corner");
        const std::size_t slash = std::min(text.find('/'), text.size());
        polygon_.push_back(number(words, text, text.substr(0, slash), surface_.vertices.size(), "vertex", "vertices"));
        std::string_view texture = text.substr(std::min(slash + 1, text.size()));
        texture = texture.substr(0, texture.find('/'));
        polygon_texture_.push_back(texture.empty()
                ? -1
                : number(words, text, texture, surface_.texture.size(), "texture coordinate", "texture coordinates"));
    }

    /// From 0. A number may count on to what comes later in the file: that is checked at the end.
    Index number(const MeshSource& words, std::string_view corner, std::string_view digits, std::size_t so_far,
        const char* one, const char* many) const
    {
        std::int64_t n = 0;
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
        if (error != std::errc() || stop != digits.data() + digits.size() || n == 0) {
            words.fail("corner", std::string(corner),
                fmt::format("must be the number of a {}: 1, 2, ... or counting back -1, -2, ...", one));
        }
        const auto count = static_cast<std::int64_t>(so_far);
        if (n < -count) {
            words.fail("corner", std::string(corner), fmt::format("there are only {} {} before it", count, many));
        }
        if (n > static_cast<std::int64_t>(most_corners)) {
            words.fail("corner", std::string(corner), fmt::format("must be at most {}", most_corners));
        }
        return static_cast<Index>(n > 0 ? n - 1 : count + n);
    }

    Surface finished()
    {
        if (lines_.empty()) fail(0, "faces", "none", "at least one is needed (lines that begin with f)");
        if (surface_.vertices.size() > most_corners || surface_.texture.size() > most_corners) {
            fail(0, "vertices", fmt::format("{}", surface_.vertices.size()), "are too many");
        }
        const auto require
            = [&](const std::vector<Index>& numbers, std::size_t count, const char* key, const char* many) {
                  for (std::size_t i = 0; i < numbers.size(); ++i) {
                      if (numbers[i] < static_cast<std::int64_t>(count)) continue;
                      const auto next
                          = std::upper_bound(surface_.polygons.begin(), surface_.polygons.end(), static_cast<Index>(i));
                      fail(lines_[static_cast<std::size_t>(next - surface_.polygons.begin() - 1)], key,
                          fmt::format("{}", numbers[i] + 1LL),
                          fmt::format("must be at most {}, the number of {}", count, many));
                  }
              };
        require(surface_.corners, surface_.vertices.size(), "corner of face", "vertices");
        require(surface_.corner_texture, surface_.texture.size(), "texture of corner", "texture coordinates");
        return std::move(surface_);
    }

    std::string_view bytes_; ///< what is left
    std::string file_;
    int line_ = 0;
    Surface surface_;
    SurfacePart names_; ///< in force
    std::vector<int> lines_; ///< of each polygon
    std::vector<Index> polygon_, polygon_texture_;
};

} // namespace

Surface surface_from_obj(std::string_view bytes, const std::string& file) { return ObjReader(bytes, file).surface(); }

Surface read_obj_surface(const std::filesystem::path& path)
{
    return surface_from_obj(file_bytes(path), path.string());
}

TriangleMesh obj_from_bytes(std::string_view bytes, const std::string& file)
{
    const TriangleMesh all = triangulated(surface_from_obj(bytes, file));
    std::vector<Index> number(all.nodes.size(), -1);
    for (const Triangle& t : all.triangles) {
        for (const Index i : t) number[i] = 0;
    }
    TriangleMesh mesh;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<Index>(mesh.nodes.size());
        mesh.nodes.push_back(all.nodes[i]);
    }
    mesh.triangles.reserve(all.triangles.size());
    for (const Triangle& t : all.triangles) mesh.triangles.push_back({number[t[0]], number[t[1]], number[t[2]]});
    return mesh;
}

TriangleMesh read_obj(const std::filesystem::path& path) { return obj_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
