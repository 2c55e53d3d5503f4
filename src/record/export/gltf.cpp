#include "record/export/gltf.hpp"

#include "base/errors.hpp"
#include "picture/color.hpp"
#include "record/export/gltf_body.hpp"
#include "record/export/gltf_layout.hpp"
#include "record/export/names.hpp"
#include "record/export/streamed_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

namespace rubato {

namespace {

namespace fs = std::filesystem;
using gltf::MovingBody;
using gltf::MovingObject;
using gltf::quoted;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

template <class T>
std::string_view bytes_of(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string bounds_text(const gltf::Box& box) { return gltf::Layout::bounds({box.data(), 3}, {box.data() + 3, 3}); }

using Primitives = std::vector<std::string>; ///< of a mesh, as JSON

class GlbFile {
public:
    explicit GlbFile(const FrameSelection& frames)
        : frames_(frames)
    {
        for (const BodyMesh& mesh : body_meshes(frames.reader())) bodies_.emplace_back(mesh);
        // The format has no times below zero, and single precision may not tell close ones apart.
        const double origin = std::min(0.0, frames.time(0));
        for (std::size_t i = 0; i < frames.count(); ++i) {
            const auto time = static_cast<float>(frames.time(i) - origin);
            if (!times_.empty() && !(time > times_.back())) continue;
            keys_.push_back(i);
            times_.push_back(time);
        }
        measure();
    }

    void write(const fs::path& file)
    {
        std::string json = description();
        json.resize(gltf::Layout::padded(json.size()), ' ');
        const std::uint64_t buffer = layout_.length();
        const std::uint64_t total = 12 + 8 + json.size() + (buffer > 0 ? 8 + buffer : 0);
        require_size(total);
        StreamedFile out(file);
        const auto number = [&](std::uint64_t value) {
            const auto word = static_cast<std::uint32_t>(value);
            out.write({reinterpret_cast<const char*>(&word), 4});
        };
        out.write("glTF");
        number(2);
        number(total);
        number(json.size());
        out.write("JSON");
        out.write(json);
        if (buffer > 0) {
            number(buffer);
            out.write(std::string_view("BIN\0", 4));
            write_buffer(out);
        }
        out.commit();
    }

private:
    bool animated() const
    {
        return keys_.size() > 1
            && std::any_of(bodies_.begin(), bodies_.end(), [](const MovingBody& b) { return b.moves; });
    }

    /// First pass: what moves, and how far. The description needs it, and it comes first in the file.
    void measure()
    {
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            const Frame frame = frames_.frame(keys_[k]);
            for (MovingBody& body : bodies_) {
                const auto x = of_body(frames_.field(frame, "position"), body.body, 3);
                if (k == 0) {
                    body.start(x);
                } else {
                    body.moves = body.differ(x) || body.moves;
                    for (MovingObject& object : body.objects)
                        object.boxes.push_back(gltf::box_of(object.of(body.moved)));
                }
            }
        }
    }

    void require_size(std::uint64_t total) const
    {
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        if (total <= most) return;
        throw InputError(Mistake{.file = frames_.reader().file().string(),
            .message
            = fmt::format("{} frames take {:.1f} GB as binary glTF, which holds at most 4.3 GB; take fewer, for "
                          "example --every {}",
                keys_.size(), static_cast<double>(total) / 1e9, total / most + 1)});
    }

    std::size_t material(const std::string& name, Rgb color)
    {
        const Light light = light_of(color);
        const std::array<float, 4> rgba{light[0], light[1], light[2], 1};
        return materials_.add(fmt::format("{{\"name\":{},\"pbrMetallicRoughness\":{{\"baseColorFactor\":{},"
                                          "\"metallicFactor\":0,\"roughnessFactor\":0.6}},\"doubleSided\":true}}",
            quoted(name), gltf::listed(std::span<const float>(rgba))));
    }

    /// Everything that is not numbers of the buffer.
    std::string description()
    {
        const FrameHeader& header = frames_.header();
        std::vector<std::vector<Primitives>> primitives; // of each object of each body
        for (const MovingBody& body : bodies_) primitives.push_back(lay_out(body));
        std::string sampler;
        if (animated()) sampler = lay_out_times();
        const std::vector<std::vector<std::string>> targets = lay_out_targets();

        gltf::JsonList nodes, meshes, channels;
        std::string children;
        const auto add_node = [&](const MovingBody& body, const std::string& name, const std::string& rest,
                                  bool meshed) {
            const std::size_t node = nodes.add(fmt::format("{{\"name\":{}{}}}", quoted(name), rest));
            if (meshed && animated() && body.moves)
                channels.add(fmt::format("{{\"sampler\":0,\"target\":{{\"node\":{},\"path\":\"weights\"}}}}", node));
            return node;
        };
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            const MovingBody& body = bodies_[b];
            std::string own, parts; // what the node of the body holds: a mesh, or nodes of objects
            for (std::size_t i = 0; i < body.objects.size(); ++i) {
                const MovingObject& object = body.objects[i];
                if (object.count == 0) continue;
                const std::string mesh
                    = fmt::format(",\"mesh\":{}", meshes.add(mesh_text(object, primitives[b][i], targets[b][i])));
                if (body.objects.size() == 1 || object.name == body.body.name) {
                    own = mesh;
                } else {
                    parts += fmt::format("{}{}", parts.empty() ? "" : ",", add_node(body, object.name, mesh, true));
                }
            }
            std::string rest = own;
            if (!parts.empty()) rest += fmt::format(",\"children\":[{}]", parts);
            if (body.body.obstacle) rest += ",\"extras\":{\"obstacle\":true}";
            children
                += fmt::format("{}{}", children.empty() ? "" : ",", add_node(body, body.body.name, rest, !own.empty()));
        }
        std::string root = "{\"name\":" + quoted(header.scene);
        if (!children.empty()) root += fmt::format(",\"children\":[{}]", children);
        const auto turn = Eigen::Quaterniond::FromTwoVectors(header.up, Vec3::UnitY()); // the format has y up
        if (turn.vec().norm() > 1e-9)
            root += ",\"rotation\":" + gltf::listed(std::span<const double>(turn.coeffs().data(), 4));
        const std::size_t first = nodes.add(root + "}");

        std::string text
            = fmt::format("{{\"asset\":{{\"version\":\"2.0\",\"generator\":{}}},\"scene\":0,\"scenes\":[{{\"name\":{},"
                          "\"nodes\":[{}]}}]",
                quoted("Rubato " + header.program), quoted(header.scene), first);
        text += nodes.named("nodes") + meshes.named("meshes") + materials_.named("materials");
        if (channels.count > 0)
            text += fmt::format(",\"animations\":[{{\"name\":\"motion\",\"samplers\":[{}],\"channels\":[{}]}}]",
                sampler, channels.text);
        return text + layout_.text() + "}";
    }

    /// The arrays of a body at its first frame, shared by its objects.
    std::vector<Primitives> lay_out(const MovingBody& body)
    {
        const std::size_t n = body.vertices.count();
        if (n == 0) return {{}};
        const bool shared = body.objects.size() > 1, textured = !body.vertices.texture().empty();
        const std::size_t positions = layout_.view(body.vector_bytes(), gltf::vertices, shared ? 12 : 0);
        const std::size_t normals = layout_.view(body.vector_bytes(), gltf::vertices, shared ? 12 : 0);
        const std::size_t texture = textured ? layout_.view(8 * n, gltf::vertices, shared ? 8 : 0) : 0;
        std::vector<std::optional<std::size_t>> materials(body.materials.names.size() + 1); // made when first seen
        std::vector<Primitives> all;
        for (const MovingObject& object : body.objects) {
            const auto array = [&](std::size_t view, std::uint64_t bytes, const char* type, const std::string& bounds) {
                return layout_.array(view, bytes * object.first, gltf::single, object.count, type, bounds);
            };
            std::string attributes = fmt::format("\"POSITION\":{},\"NORMAL\":{}",
                array(positions, 12, "VEC3", bounds_text(gltf::box_of(object.of(body.positions)))),
                array(normals, 12, "VEC3", ""));
            if (textured) attributes += fmt::format(",\"TEXCOORD_0\":{}", array(texture, 8, "VEC2", ""));
            all.push_back(primitives(body, object, attributes, materials));
        }
        return all;
    }

    /// One for each material of an object, open at the end, where targets go.
    Primitives primitives(const MovingBody& body, const MovingObject& object, const std::string& attributes,
        std::vector<std::optional<std::size_t>>& materials)
    {
        Primitives all;
        for (std::size_t m = 0; m < object.triangles_of.size(); ++m) {
            const std::size_t corners = 3 * object.triangles_of[m].size();
            if (corners == 0) continue;
            const bool brief = object.short_indices();
            const std::size_t view = layout_.view(corners * (brief ? 2 : 4), gltf::indices);
            const std::size_t indices
                = layout_.array(view, 0, brief ? gltf::unsigned_short : gltf::unsigned_int, corners, "SCALAR");
            if (!materials[m]) {
                materials[m] = m == 0
                    ? material(body.body.name, body.color)
                    : material(body.materials.names[m - 1], body_color(static_cast<int>(materials_.count)));
            }
            all.push_back(fmt::format(
                "{{\"attributes\":{{{}}},\"indices\":{},\"material\":{}", attributes, indices, *materials[m]));
        }
        return all;
    }

    std::string lay_out_times()
    {
        const std::size_t n = keys_.size();
        const std::size_t times = layout_.array(layout_.view(4 * n, gltf::none), 0, gltf::single, n, "SCALAR",
            gltf::Layout::bounds({times_.data(), 1}, {times_.data() + n - 1, 1}));
        const std::uint64_t weights = static_cast<std::uint64_t>(n) * (n - 1);
        const std::size_t shares
            = layout_.array(layout_.view(4 * weights, gltf::none), 0, gltf::single, weights, "SCALAR");
        return fmt::format("{{\"input\":{},\"output\":{},\"interpolation\":\"LINEAR\"}}", times, shares);
    }

    /// Frame after frame, as they will be written; returns the targets of each object of each body.
    std::vector<std::vector<std::string>> lay_out_targets()
    {
        std::vector<std::vector<std::string>> targets;
        for (const MovingBody& body : bodies_) targets.emplace_back(body.objects.size());
        std::uint64_t length = 0;
        for (const MovingBody& body : bodies_) length += body.moves ? 2 * body.vector_bytes() : 0;
        for (std::size_t k = 1; k < keys_.size() && length > 0; ++k) {
            const std::size_t view = layout_.view(length, gltf::vertices, 12);
            std::uint64_t at = 0;
            for (std::size_t b = 0; b < bodies_.size(); ++b) {
                const MovingBody& body = bodies_[b];
                if (!body.moves) continue;
                for (std::size_t i = 0; i < body.objects.size(); ++i) {
                    const MovingObject& object = body.objects[i];
                    const std::uint64_t first = at + 12 * object.first;
                    const std::size_t moved = layout_.array(
                        view, first, gltf::single, object.count, "VEC3", bounds_text(object.boxes[k - 1]));
                    const std::size_t turned
                        = layout_.array(view, first + body.vector_bytes(), gltf::single, object.count, "VEC3");
                    targets[b][i]
                        += fmt::format("{}{{\"POSITION\":{},\"NORMAL\":{}}}", k == 1 ? "" : ",", moved, turned);
                }
                at += 2 * body.vector_bytes();
            }
        }
        return targets;
    }

    std::string mesh_text(const MovingObject& object, const Primitives& primitives, const std::string& targets) const
    {
        gltf::JsonList closed;
        for (const std::string& primitive : primitives)
            closed.add(primitive + (targets.empty() ? "}" : ",\"targets\":[" + targets + "]}"));
        std::string text = fmt::format("{{\"name\":{}", quoted(object.name)) + closed.named("primitives");
        if (!targets.empty()) {
            text += ",\"extras\":{\"targetNames\":[";
            for (std::size_t k = 1; k < keys_.size(); ++k)
                text += fmt::format("{}\"{} s\"", k == 1 ? "" : ",", times_[k]);
            text += "]}";
        }
        return text + "}";
    }

    /// Second pass, in the order of the layout.
    void write_buffer(StreamedFile& out)
    {
        const auto put = [&](std::string_view bytes) {
            out.write(bytes);
            out.write(std::string_view("\0\0\0", gltf::Layout::padded(bytes.size()) - bytes.size()));
        };
        for (const MovingBody& body : bodies_) {
            if (body.vertices.count() == 0) continue;
            put(bytes_of(body.positions));
            put(bytes_of(body.normals));
            std::vector<float> st = body.vertices.texture();
            for (std::size_t i = 1; i < st.size(); i += 2) st[i] = 1 - st[i]; // the format counts from the top
            if (!st.empty()) put(bytes_of(st));
            for (const MovingObject& object : body.objects) {
                for (const std::vector<Triangle>& triangles : object.triangles_of) {
                    if (!triangles.empty()) put(object.short_indices() ? short_bytes(triangles) : bytes_of(triangles));
                }
            }
        }
        if (!animated()) return;
        put(bytes_of(times_));
        std::vector<float> weights(keys_.size() - 1);
        for (std::size_t k = 0; k < keys_.size(); ++k) { // at its own time a frame has all the weight
            std::fill(weights.begin(), weights.end(), 0.0F);
            if (k > 0) weights[k - 1] = 1;
            put(bytes_of(weights));
        }
        for (std::size_t k = 1; k < keys_.size(); ++k) {
            const Frame frame = frames_.frame(keys_[k]);
            for (MovingBody& body : bodies_) {
                if (!body.moves) continue;
                const auto x = of_body(frames_.field(frame, "position"), body.body, 3);
                body.differ(x);
                body.turn(x);
                put(bytes_of(body.moved));
                put(bytes_of(body.turned));
            }
        }
    }

    /// Corners in two bytes each.
    std::string_view short_bytes(const std::vector<Triangle>& triangles)
    {
        brief_.clear();
        for (const Triangle& t : triangles)
            for (const Index i : t) brief_.push_back(static_cast<std::uint16_t>(i));
        return bytes_of(brief_);
    }

    const FrameSelection& frames_;
    std::vector<MovingBody> bodies_;
    std::vector<std::size_t> keys_; ///< frames
    std::vector<float> times_; ///< of the keys [s]
    gltf::Layout layout_;
    gltf::JsonList materials_;
    std::vector<std::uint16_t> brief_; ///< work space of short_bytes
};

} // namespace

std::vector<fs::path> export_gltf(const FrameSelection& frames, const ExportOptions& options)
{
    make_folder(options.folder);
    const std::string& name = options.name.empty() ? frames.header().scene : options.name;
    const fs::path file = options.folder / (file_stem(name) + ".glb");
    GlbFile(frames).write(file);
    return {file};
}

} // namespace rubato
