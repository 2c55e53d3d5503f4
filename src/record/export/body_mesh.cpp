#include "record/export/body_mesh.hpp"

#include "base/errors.hpp"
#include "geometry/files/part_names.hpp"
#include "picture/color.hpp"
#include "record/export/names.hpp"

#include <algorithm>
#include <map>

namespace rubato {

namespace {

constexpr Rgb obstacle_color{172, 172, 168};

[[noreturn]] void refuse(const FrameReader& reader)
{
    throw InputError(Mistake{.file = reader.file().string(),
        .message = "is damaged: its surface, its triangles and its bodies do not fit each other"});
}

/// Cuts the surface of the file into bodies.
class Cutter {
public:
    explicit Cutter(FrameReader& reader)
        : reader_(reader)
        , all_(reader.surface())
        , triangles_(reader.triangles())
        , part_of_(part_of_polygons(all_))
    {
        if (all_.vertices.size() != static_cast<std::size_t>(reader.header().points)) refuse(reader);
    }

    /// Fills an empty mesh. (g++ 12 destroys one that is returned twice when an exception leaves.)
    void next(const FrameBody& body, BodyMesh& mesh)
    {
        mesh.body = body;
        mesh.color = obstacle_color;
        const auto first = all_.vertices.begin() + body.first_point;
        mesh.surface.vertices.assign(first, first + body.points);
        mesh.surface.polygons = {0};
        mesh.surface.material_files = all_.material_files;
        // Polygons and triangles run side by side: one of n corners is n - 2 triangles.
        std::map<Index, Index> texture; // number in the file -> here
        Index last_part = -1;
        const Index end = body.first_triangle + body.triangles;
        while (triangle_ < end && polygon_ < all_.polygon_count()) {
            const auto corners = all_.polygon(polygon_);
            add_part(mesh.surface, last_part);
            for (std::size_t k = 0; k < corners.size(); ++k) add_corner(mesh, texture, k);
            mesh.surface.polygons.push_back(static_cast<Index>(mesh.surface.corners.size()));
            for (std::size_t k = 2; k < corners.size(); ++k, ++triangle_) {
                if (triangle_ == end) refuse(reader_);
                add_triangle(mesh);
            }
            ++polygon_;
        }
        if (triangle_ != end) refuse(reader_);
        if (texture.empty()) mesh.surface.corner_texture.clear();
    }
    bool at_end() const { return polygon_ == all_.polygon_count(); }

private:
    Index own(const FrameBody& body, Index point) const
    {
        if (point < body.first_point || point >= body.first_point + body.points) refuse(reader_);
        return point - body.first_point;
    }
    void add_part(Surface& surface, Index& last_part) const
    {
        const Index part = part_of_[polygon_];
        if (part < 0 || part == last_part) return;
        last_part = part;
        surface.parts.push_back(all_.parts[static_cast<std::size_t>(part)]);
        surface.parts.back().first_polygon = static_cast<Index>(surface.polygon_count());
    }
    void add_corner(BodyMesh& mesh, std::map<Index, Index>& texture, std::size_t k) const
    {
        Surface& surface = mesh.surface;
        const auto at = static_cast<std::size_t>(all_.polygons[polygon_]) + k;
        surface.corners.push_back(own(mesh.body, all_.corners[at]));
        const Index uv = all_.corner_texture.empty() ? -1 : all_.corner_texture[at];
        if (uv < 0) {
            surface.corner_texture.push_back(-1);
            return;
        }
        const auto [place, is_new] = texture.try_emplace(uv, static_cast<Index>(surface.texture.size()));
        if (is_new) surface.texture.push_back(all_.texture[static_cast<std::size_t>(uv)]);
        surface.corner_texture.push_back(place->second);
    }
    void add_triangle(BodyMesh& mesh) const
    {
        const auto corners = all_.polygon(polygon_);
        Triangle triangle = triangles_[static_cast<std::size_t>(triangle_)];
        for (Index& point : triangle) {
            if (std::find(corners.begin(), corners.end(), point) == corners.end()) refuse(reader_);
            point = own(mesh.body, point);
        }
        mesh.triangles.push_back(triangle);
        mesh.polygon_of.push_back(static_cast<Index>(mesh.surface.polygon_count()) - 1);
    }

    FrameReader& reader_;
    Surface all_;
    std::vector<Triangle> triangles_;
    std::vector<Index> part_of_;
    std::size_t polygon_ = 0;
    Index triangle_ = 0;
};

} // namespace

std::vector<BodyMesh> body_meshes(FrameReader& reader)
{
    Cutter cutter(reader);
    std::vector<BodyMesh> meshes;
    int colored = 0;
    for (const FrameBody& body : reader.header().bodies) {
        cutter.next(body, meshes.emplace_back());
        if (!body.obstacle) meshes.back().color = body_color(colored++);
    }
    if (!cutter.at_end()) refuse(reader);
    return meshes;
}

MaterialNames materials_of(const Surface& surface)
{
    MaterialNames materials;
    std::map<std::string, Index> numbers;
    for (const Index part : part_of_polygons(surface)) {
        const std::string name = part < 0 ? std::string() : surface.parts[static_cast<std::size_t>(part)].material;
        if (name.empty()) {
            materials.of_polygon.push_back(-1);
            continue;
        }
        const auto [place, is_new] = numbers.try_emplace(name, static_cast<Index>(materials.names.size()));
        if (is_new) materials.names.push_back(name);
        materials.of_polygon.push_back(place->second);
    }
    return materials;
}

ObjectNames objects_of(const BodyMesh& mesh)
{
    const std::vector<Index> parts = part_of_polygons(mesh.surface);
    // Where the body has no surface of its own, the file calls its polygons after it, as far as an .obj bears the name.
    const std::string own = line_name(mesh.body.name);
    ObjectNames objects;
    std::map<std::string, Index> numbers;
    for (const Index polygon : mesh.polygon_of) {
        const Index part = parts[static_cast<std::size_t>(polygon)];
        const std::string& named = part < 0 ? std::string() : mesh.surface.parts[static_cast<std::size_t>(part)].object;
        const std::string name = named.empty() || named == own ? mesh.body.name : named;
        const auto [place, is_new] = numbers.try_emplace(name, static_cast<Index>(objects.names.size()));
        if (is_new) objects.names.push_back(name);
        objects.of_triangle.push_back(place->second);
    }
    if (objects.names.empty()) objects.names.push_back(mesh.body.name);
    return objects;
}

void name_materials_from(const std::filesystem::path& folder, const FrameReader& reader, Surface& surface)
{
    for (std::string& name : surface.material_files) {
        std::error_code error;
        const std::filesystem::path file = reader.file().parent_path() / name;
        // One that is not there was never found; its name is the author's.
        if (!std::filesystem::exists(file, error)) continue;
        const std::filesystem::path seen = std::filesystem::proximate(file, folder, error);
        if (!error) name = seen.generic_string();
    }
}

} // namespace rubato
