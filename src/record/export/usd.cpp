#include "record/export/usd.hpp"

#include "record/export/body_mesh.hpp"
#include "record/export/names.hpp"
#include "record/export/streamed_file.hpp"
#include "record/export/usd_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace rubato {

namespace {

namespace fs = std::filesystem;
using Piece = Spool::Piece;

/// A stage is written mesh by mesh, each with all its times, while frames come moment by moment with all meshes. The
/// text of one mesh at one moment waits on the disk until its place in the stage comes.
struct Moments {
    struct Texts {
        Piece points, velocities, extent;
    };
    std::vector<std::vector<Texts>> of_frame; ///< [frame][body]
    std::vector<bool> moves; ///< of each body
    bool with_velocities = false;
};

std::string extent_text(std::span<const float> x)
{
    std::array<float, 6> box{};
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = c; i < x.size(); i += 3) {
            box[c] = i == c ? x[i] : std::min(box[c], x[i]);
            box[c + 3] = i == c ? x[i] : std::max(box[c + 3], x[i]);
        }
    }
    NumberText out;
    usd::add_tuples(out, box, 3);
    return out.take();
}

Moments spooled(const FrameSelection& frames, const std::vector<BodyMesh>& bodies, Spool& spool)
{
    Moments moments;
    moments.moves.assign(bodies.size(), false);
    Frame before;
    NumberText text;
    const auto tuples = [&](std::span<const float> values) {
        text.clear();
        usd::add_tuples(text, values, 3);
        return spool.append(text.bytes());
    };
    for (std::size_t i = 0; i < frames.count(); ++i) {
        Frame frame = frames.frame(i);
        const auto x = frames.field(frame, "position"), v = frames.field(frame, "velocity");
        const auto x_before = frames.field(before, "position");
        moments.with_velocities = !v.empty();
        auto& texts = moments.of_frame.emplace_back();
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            const auto mine = of_body(x, bodies[b].body, 3);
            const auto mine_before = of_body(x_before, bodies[b].body, 3);
            if (i > 0 && std::equal(mine.begin(), mine.end(), mine_before.begin())) {
                texts.push_back(moments.of_frame[i - 1][b]);
                if (moments.moves[b]) texts.back().velocities = tuples(of_body(v, bodies[b].body, 3));
                continue;
            }
            if (i > 0) moments.moves[b] = true;
            texts.push_back({tuples(mine), tuples(of_body(v, bodies[b].body, 3)), spool.append(extent_text(mine))});
        }
        before = std::move(frame);
    }
    return moments;
}

/// Time codes: the moments counted in usual distances between frames, so that whole numbers are frames.
struct TimeCodes {
    double per_second = 24;
    std::vector<double> of_frame;
};

TimeCodes time_codes(const FrameSelection& frames)
{
    TimeCodes codes;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < frames.count(); ++i) gaps.push_back(frames.time(i) - frames.time(i - 1));
    if (!gaps.empty()) {
        std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
        codes.per_second = 1 / gaps[gaps.size() / 2];
        const double whole = std::round(codes.per_second);
        if (whole > 0 && std::abs(codes.per_second - whole) < 1e-6 * whole) codes.per_second = whole;
    }
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < frames.count(); ++i) {
        const double code = frames.time(i) * codes.per_second, whole = std::round(code);
        // Sums of steps miss whole numbers by round-off; programs that go from frame to frame want them hit.
        const bool hit = std::abs(code - whole) < 1e-6 && whole > last;
        codes.of_frame.push_back(hit ? whole : code);
        last = codes.of_frame.back();
    }
    return codes;
}

class UsdStage {
public:
    UsdStage(const FrameSelection& frames, const fs::path& file)
        : frames_(frames)
        , codes_(time_codes(frames))
        , bodies_(body_meshes(frames.reader()))
        , spool_(file.parent_path())
        , moments_(spooled(frames, bodies_, spool_))
        , root_(prim_name(frames.header().scene))
        , out_(file)
    {
    }

    void write()
    {
        write_head();
        DistinctNames distinct;
        distinct("Materials");
        for (std::size_t b = 0; b < bodies_.size(); ++b) write_mesh(b, distinct(prim_name(bodies_[b].body.name)));
        write_materials();
        out_.write("}\n");
        out_.commit();
    }

private:
    void write_head()
    {
        const FrameHeader& header = frames_.header();
        // A stage has z or y up. Where gravity points elsewhere, the root turns everything.
        const Vec3 up = header.up.normalized();
        const bool z_up = up.z() > up.y();
        const bool turned = std::max(up.z(), up.y()) < std::sqrt(0.5) - 1e-9;
        out_.write(fmt::format("#usda 1.0\n(\n    defaultPrim = {}\n    doc = {}\n    metersPerUnit = 1\n"
                               "    upAxis = \"{}\"\n    timeCodesPerSecond = {}\n    framesPerSecond = {}\n"
                               "    startTimeCode = {}\n    endTimeCode = {}\n)\n\n",
            usd::quoted(root_), usd::quoted(fmt::format("Rubato {}, {}", header.program, header.integrator)),
            z_up ? "Z" : "Y", codes_.per_second, codes_.per_second, codes_.of_frame.front(), codes_.of_frame.back()));
        out_.write(fmt::format("def Xform {} (\n    kind = \"component\"\n{})\n{{\n", usd::quoted(root_),
            names(header.scene, root_, "    ")));
        if (turned) {
            const Eigen::Matrix3d R
                = Eigen::Quaterniond::FromTwoVectors(up, z_up ? Vec3::UnitZ() : Vec3::UnitY()).toRotationMatrix();
            out_.write("    matrix4d xformOp:transform = ( ");
            for (int i = 0; i < 3; ++i) // rows act from the left here
                out_.write(fmt::format("({}, {}, {}, 0), ", R(0, i), R(1, i), R(2, i)));
            out_.write("(0, 0, 0, 1) )\n    uniform token[] xformOpOrder = [\"xformOp:transform\"]\n");
        }
    }

    /// A name that a prim cannot have goes to where programs show it, and to where scripts find it.
    static std::string names(const std::string& name, const std::string& prim, const std::string& indent)
    {
        if (name == prim) return indent + "displayName = " + usd::quoted(name) + "\n";
        return fmt::format(
            "{0}displayName = {1}\n{0}customData = {{\n{0}    string name = {1}\n{0}}}\n", indent, usd::quoted(name));
    }

    /// A material of this name, made when it is first asked for.
    std::string material(const std::string& key, const std::string& name, Rgb color)
    {
        const auto found = materials_.find(key);
        if (found != materials_.end()) return found->second;
        const std::string prim = distinct_materials_(prim_name(name));
        material_text_
            += fmt::format("        def Material {0} (\n{1}        )\n        {{\n"
                           "            token outputs:surface.connect = </{2}/Materials/{3}/Surface.outputs:surface>\n"
                           "            def Shader \"Surface\"\n            {{\n"
                           "                uniform token info:id = \"UsdPreviewSurface\"\n"
                           "                color3f inputs:diffuseColor = {4}\n"
                           "                float inputs:roughness = 0.6\n"
                           "                token outputs:surface\n            }}\n        }}\n",
                usd::quoted(prim), names(name, prim, "            "), root_, prim, usd::color(color));
        return materials_[key] = fmt::format("</{}/Materials/{}>", root_, prim);
    }

    /// An attribute at all moments, and without a time for programs that do not ask for one; it comes behind the
    /// others because some programs keep only the last.
    void write_attribute(std::size_t b, const char* declaration, Piece Moments::Texts::*text, bool without_time)
    {
        if (moments_.moves[b]) {
            out_.write(fmt::format("        {}.timeSamples = {{\n", declaration));
            for (std::size_t i = 0; i < frames_.count(); ++i) {
                out_.write(fmt::format("            {}: ", codes_.of_frame[i]));
                spool_.copy(moments_.of_frame[i][b].*text, out_);
                out_.write(",\n");
            }
            out_.write("        }\n");
        }
        if (!without_time) return;
        out_.write(fmt::format("        {} = ", declaration));
        spool_.copy(moments_.of_frame.front()[b].*text, out_);
        out_.write("\n");
    }

    void write_mesh(std::size_t b, const std::string& prim)
    {
        const BodyMesh& mesh = bodies_[b];
        const Surface& surface = mesh.surface;
        out_.write(
            fmt::format("    def Mesh {} (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n{}    )\n    {{\n",
                usd::quoted(prim), names(mesh.body.name, prim, "        ")));
        out_.write("        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n");
        std::vector<Index> counts;
        for (std::size_t p = 0; p < surface.polygon_count(); ++p)
            counts.push_back(static_cast<Index>(surface.polygon(p).size()));
        out_.write(fmt::format("        int[] faceVertexCounts = {}\n", usd::integers(counts)));
        out_.write(fmt::format("        int[] faceVertexIndices = {}\n", usd::integers(surface.corners)));
        write_attribute(b, "float3[] extent", &Moments::Texts::extent, true);
        write_attribute(b, "point3f[] points", &Moments::Texts::points, true);
        if (moments_.with_velocities) write_attribute(b, "vector3f[] velocities", &Moments::Texts::velocities, false);
        write_texture(surface);
        out_.write(
            fmt::format("        color3f[] primvars:displayColor = [{}] (\n            interpolation = \"constant\"\n"
                        "        )\n",
                usd::color(mesh.color)));
        out_.write(fmt::format(
            "        rel material:binding = {}\n", material(fmt::format("body {}", b), mesh.body.name, mesh.color)));
        write_subsets(surface);
        out_.write("    }\n\n");
    }

    void write_texture(const Surface& surface)
    {
        if (surface.corner_texture.empty()) return;
        std::vector<float> st;
        for (const Eigen::Vector2d& uv : surface.texture) {
            st.push_back(static_cast<float>(uv.x()));
            st.push_back(static_cast<float>(uv.y()));
        }
        std::vector<Index> numbers = surface.corner_texture;
        if (std::find(numbers.begin(), numbers.end(), -1) != numbers.end()) {
            const auto none = static_cast<Index>(surface.texture.size()); // every corner must have one
            std::replace(numbers.begin(), numbers.end(), -1, none);
            st.insert(st.end(), 2, 0.0F);
        }
        NumberText text;
        usd::add_tuples(text, st, 2);
        out_.write("        texCoord2f[] primvars:st = " + text.bytes()
            + " (\n            interpolation = \"faceVarying\"\n        )\n");
        out_.write(fmt::format("        int[] primvars:st:indices = {}\n", usd::integers(numbers)));
    }

    /// Polygons by the material that their author named.
    void write_subsets(const Surface& surface)
    {
        const MaterialNames materials = materials_of(surface);
        if (materials.names.empty()) return;
        out_.write("        uniform token subsetFamily:materialBind:familyType = \"nonOverlapping\"\n");
        DistinctNames distinct;
        for (std::size_t m = 0; m < materials.names.size(); ++m) {
            std::vector<Index> polygons;
            for (std::size_t p = 0; p < materials.of_polygon.size(); ++p) {
                if (materials.of_polygon[p] == static_cast<Index>(m)) polygons.push_back(static_cast<Index>(p));
            }
            const std::string& name = materials.names[m];
            const std::string prim = distinct(prim_name(name));
            const std::string bound
                = material("material " + name, name, body_color(static_cast<int>(materials_.size())));
            out_.write(
                fmt::format("        def GeomSubset {} (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n{}"
                            "        )\n        {{\n            uniform token elementType = \"face\"\n"
                            "            uniform token familyName = \"materialBind\"\n"
                            "            int[] indices = {}\n            rel material:binding = {}\n        }}\n",
                    usd::quoted(prim), names(name, prim, "            "), usd::integers(polygons), bound));
        }
    }

    void write_materials() { out_.write("    def Scope \"Materials\"\n    {\n" + material_text_ + "    }\n"); }

    const FrameSelection& frames_;
    TimeCodes codes_;
    std::vector<BodyMesh> bodies_;
    Spool spool_;
    Moments moments_;
    std::string root_;
    StreamedFile out_;
    DistinctNames distinct_materials_;
    std::map<std::string, std::string> materials_; ///< path of each material
    std::string material_text_;
};

} // namespace

std::vector<fs::path> export_usd(const FrameSelection& frames, const ExportOptions& options)
{
    make_folder(options.folder);
    const std::string& name = options.name.empty() ? frames.header().scene : options.name;
    const fs::path file = options.folder / (file_stem(name) + ".usda");
    UsdStage(frames, file).write();
    return {file};
}

} // namespace rubato
