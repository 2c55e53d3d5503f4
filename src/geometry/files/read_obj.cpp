#include "geometry/files/read_obj.hpp"

#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "geometry/files/mesh_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace rubato {

namespace {

constexpr std::array ignored_keywords = {"vt", "vn", "vp", "g", "o", "s", "l", "p", "mg", "usemtl", "mtllib", "usemap",
    "maplib", "lod", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

/// Which line a triangle came from: corners may name vertices that come later, so they are checked at the end.
struct Face {
    std::array<std::int64_t, 3> corners; ///< from 0
    int line;
};

class ObjReader {
public:
    ObjReader(std::string_view bytes, const std::string& file)
        : bytes_(bytes)
        , file_(file)
    {
    }

    TriangleMesh mesh()
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
            read(text.substr(0, text.find('#')), first_line);
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
        MeshSource words(file_, text, line);
        if (words.at_end()) return;
        const std::string keyword(words.word("keyword"));
        if (keyword == "v") {
            words.begin_record("vertex", nodes_.size() + 1);
            const double x = words.text_real("x");
            const double y = words.text_real("y");
            const double z = words.text_real("z");
            nodes_.emplace_back(x, y, z); // what may follow is a weight or a colour
        } else if (keyword == "f") {
            read_face(words, line);
        } else if (std::find(ignored_keywords.begin(), ignored_keywords.end(), keyword) == ignored_keywords.end()) {
            words.fail(
                "keyword", keyword, "unknown; a surface is made of v and f lines (free-form surfaces are not read)");
        }
    }

    void read_face(MeshSource& words, int line)
    {
        words.begin_record("face");
        polygon_.clear();
        while (!words.at_end()) polygon_.push_back(corner(words));
        if (polygon_.size() < 3) {
            words.fail("number of corners", fmt::format("{}", polygon_.size()), "must be at least 3");
        }
        for (std::size_t i = 2; i < polygon_.size(); ++i) {
            faces_.push_back({{polygon_[0], polygon_[i - 1], polygon_[i]}, line});
        }
    }

    /// "7", "7/1", "7//3", "7/1/3" or the same with negative numbers: only the first number counts.
    std::int64_t corner(MeshSource& words) const
    {
        const std::string text(words.word("corner"));
        const std::size_t end = std::min(text.find('/'), text.size());
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + end, number);
        if (error != std::errc() || stop != text.data() + end || number == 0) {
            words.fail("corner", text, "must be the number of a vertex: 1, 2, ... or counting back -1, -2, ...");
        }
        const auto count = static_cast<std::int64_t>(nodes_.size());
        if (number < -count) words.fail("corner", text, fmt::format("there are only {} vertices before it", count));
        return number > 0 ? number - 1 : count + number;
    }

    TriangleMesh finished()
    {
        if (faces_.empty()) fail(0, "faces", "none", "at least one is needed (lines that begin with f)");
        if (nodes_.size() > 700'000'000) fail(0, "vertices", fmt::format("{}", nodes_.size()), "are too many");
        constexpr Index unused = -1;
        std::vector<Index> number(nodes_.size(), unused);
        for (const Face& face : faces_) {
            const auto& c = face.corners;
            for (const std::int64_t i : c) {
                if (i >= static_cast<std::int64_t>(nodes_.size())) {
                    fail(face.line, "corner of face", fmt::format("{}", i + 1),
                        fmt::format("must be at most {}, the number of vertices", nodes_.size()));
                }
                number[static_cast<std::size_t>(i)] = 0;
            }
            if (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]) {
                fail(face.line, "corners of face", fmt::format("{} {} {}", c[0] + 1, c[1] + 1, c[2] + 1),
                    "a vertex occurs twice; the corners of a face must be different");
            }
        }
        TriangleMesh mesh;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (number[i] == unused) continue;
            number[i] = static_cast<Index>(mesh.nodes.size());
            mesh.nodes.push_back(nodes_[i]);
        }
        mesh.triangles.reserve(faces_.size());
        for (const Face& face : faces_) {
            Triangle t;
            for (int c = 0; c < 3; ++c) t[c] = number[static_cast<std::size_t>(face.corners[c])];
            mesh.triangles.push_back(t);
        }
        return mesh;
    }

    std::string_view bytes_; ///< what is left
    std::string file_;
    int line_ = 0;
    std::vector<Vec3> nodes_;
    std::vector<Face> faces_;
    std::vector<std::int64_t> polygon_;
};

} // namespace

TriangleMesh obj_from_bytes(std::string_view bytes, const std::string& file) { return ObjReader(bytes, file).mesh(); }

TriangleMesh read_obj(const std::filesystem::path& path) { return obj_from_bytes(file_bytes(path), path.string()); }

} // namespace rubato
