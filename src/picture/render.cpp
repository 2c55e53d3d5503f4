#include "picture/render.hpp"

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "picture/ground.hpp"
#include "picture/raster.hpp"
#include "picture/shading.hpp"
#include "picture/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato {

namespace {

constexpr Rgb ink{58, 64, 74};
constexpr float line_half_width = 0.5f; ///< of mesh edges [px]

void require_option(int value, int low, int high, const char* name)
{
    if (value < low || value > high) {
        throw InputError({.key = name,
            .value = fmt::format("{}", value),
            .message = fmt::format("must be from {} to {}", low, high)});
    }
}

/// Height of capitals in a caption [px].
double caption_size(const PictureOptions& o) { return std::clamp(0.0165 * o.width, 8.0, 40.0); }

/// All that a pixel's colour is made from.
struct PixelInputs {
    const Camera& camera;
    const Canvas& canvas;
    const Drawing& drawing;
    const std::vector<FlatTriangle>& flat;
    const Sky& sky;
    const Lamps& lamps;
    const Ground& ground;
};

/// Colours of samples. What lies close together and leans alike shares one look at the sky, the dearest part of it.
class PixelShading {
public:
    explicit PixelShading(const PixelInputs& scene)
        : s_(scene)
    {
    }

    void begin() { has_light_ = false; }

    Light surface(Index number, float x, float y)
    {
        const std::size_t n = static_cast<std::size_t>(number);
        const ShadedTriangle& t = s_.drawing.triangles[n];
        const auto& corners = s_.drawing.corners[n];
        const Eigen::Vector3f share = shares_at(s_.flat[n], x, y, s_.camera.perspective);
        const Vec3f point = share[0] * corners[0] + share[1] * corners[1] + share[2] * corners[2];
        const Light color = share[0] * t.color[0] + share[1] * t.color[1] + share[2] * t.color[2];
        const Vec3f to_eye = s_.camera.direction_to_eye(point.cast<double>()).cast<float>();
        const float side = t.face.dot(to_eye) < 0 ? -1.0f : 1.0f; // both sides of a sheet are lit
        const Vec3f face = side * t.face;
        Vec3f normal = side * (share[0] * t.normal[0] + share[1] * t.normal[1] + share[2] * t.normal[2]);
        const float length = normal.norm();
        normal = length > 1e-6f ? (normal / length).eval() : face;
        if (normal.dot(face) < 0.1f) normal = face; // rounding or a fold: trust the plane

        if (!has_light_ || light_normal_.dot(normal) < 0.98f || (light_point_ - point).squaredNorm() > 1e-4f) {
            light_ = s_.sky.at(point, (face + normal).normalized());
            light_normal_ = normal;
            light_point_ = point;
            has_light_ = true;
        }
        return surface_light(s_.lamps, color, normal, to_eye, light_);
    }

    /// How much of a mesh edge covers a sample; faint where triangles are too small to be told apart.
    float edge_cover(Index number, float x, float y) const
    {
        const std::size_t n = static_cast<std::size_t>(number);
        if (!s_.drawing.triangles[n].edges) return 0;
        const FlatTriangle& f = s_.flat[n];
        const float across = std::max({f.x[0], f.x[1], f.x[2]}) - std::min({f.x[0], f.x[1], f.x[2]});
        const float down = std::max({f.y[0], f.y[1], f.y[2]}) - std::min({f.y[0], f.y[1], f.y[2]});
        const float strength = std::clamp((std::max(across, down) - 2.5f) / 14.0f, 0.0f, 1.0f);
        const float d = distance_to_edges(f, x, y);
        return strength * std::clamp((line_half_width - d) * 3.0f + 0.5f, 0.0f, 1.0f);
    }

private:
    const PixelInputs& s_;
    bool has_light_ = false;
    Vec3f light_normal_ = Vec3f::Zero(), light_point_ = Vec3f::Zero();
    SkyLight light_;
};

Light pixel_light(const PixelInputs& s, PixelShading& shading, const TileBuffer& tile, int left, int top, int x, int y)
{
    const int n = s.canvas.samples;
    struct Surface {
        Index number;
        float x = 0, y = 0, edges = 0; ///< sums over its samples
        int count = 0;
    };
    std::array<Surface, 64> seen;
    int surfaces = 0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const Index number = tile.seen(x, y, i, j);
            int at = 0;
            while (at < surfaces && seen[static_cast<std::size_t>(at)].number != number) ++at;
            if (at == surfaces) seen[static_cast<std::size_t>(surfaces++)] = {.number = number};
            Surface& surface = seen[static_cast<std::size_t>(at)];
            const float px = static_cast<float>(left + x) + (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
            const float py = static_cast<float>(top + y) + (static_cast<float>(j) + 0.5f) / static_cast<float>(n);
            surface.x += px;
            surface.y += py;
            surface.count += 1;
            if (number >= 0) surface.edges += shading.edge_cover(number, px, py);
        }
    }
    if (x % 2 == 0) shading.begin(); // shadows are soft: two neighbours share one look at the sky
    Light sum = Light::Zero();
    for (int at = 0; at < surfaces; ++at) {
        const Surface& surface = seen[static_cast<std::size_t>(at)];
        const float count = static_cast<float>(surface.count);
        const float px = surface.x / count, py = surface.y / count;
        if (surface.number < 0) {
            sum += count * s.ground.at(px, py);
        } else {
            sum += (count - 0.72f * surface.edges) * shading.surface(surface.number, px, py);
        }
    }
    return sum / static_cast<float>(n * n);
}

/// A bar of the colour map with its ends, at the right side of the picture.
void draw_scale(Image& image, const PictureOptions& o, std::pair<double, double> values)
{
    const double size = std::max(8.0, 0.8 * caption_size(o));
    const int bar_width = std::max(4, o.width / 70), bar_height = o.height * 2 / 5;
    const int left = o.width - bar_width - o.width / 40, top = (o.height - bar_height) / 2;
    for (int y = 0; y < bar_height; ++y) {
        const Rgb color = map_color(1 - (y + 0.5) / bar_height);
        for (int x = 0; x < bar_width; ++x) image.at(left + x, top + y) = color;
    }
    const double right = left + bar_width;
    const auto write = [&](const std::string& text, double baseline) {
        draw_text(image, text, right - text_width(text, size), baseline, size, ink);
    };
    write(fmt::format("{:.4g}", values.second), top - 0.8 * size);
    write(fmt::format("{:.4g}", values.first), top + bar_height + 1.8 * size);
    write(o.value_name, 2.6 * size); // in the corner, where it is least likely to lie on a body
}

/// Room is left below for the caption and at the right for the scale of colours.
Canvas canvas_of(const PictureOptions& o, bool has_scale)
{
    require_option(o.width, 16, 8192, "width");
    require_option(o.height, 16, 8192, "height");
    require_option(o.samples, 1, 8, "samples");
    const int caption_rows = o.caption.empty() ? 0 : static_cast<int>(2.2 * caption_size(o));
    return {.width = o.width,
        .height = o.height,
        .frame_width = has_scale ? o.width - o.width / 12 : o.width,
        .frame_height = std::max(o.height / 2, o.height - caption_rows),
        .samples = o.samples};
}

/// Along up, in local coordinates.
std::optional<float> ground_height(const Drawing& drawing, const Camera& camera, const PictureOptions& o)
{
    if (!o.ground || drawing.corners.empty()) return {};
    if (o.ground_height) {
        const Vec3 there = camera.world_up * *o.ground_height;
        return static_cast<float>(camera.local(there).dot(camera.world_up));
    }
    const Vec3f up = camera.world_up.cast<float>();
    float lowest = drawing.corners.front().front().dot(up);
    for (const auto& corners : drawing.corners) {
        for (const Vec3f& p : corners) lowest = std::min(lowest, p.dot(up));
    }
    return lowest;
}

bool has_values(const std::vector<PictureBody>& bodies)
{
    return std::any_of(bodies.begin(), bodies.end(),
        [](const PictureBody& b) { return !b.vertex_values.empty() || !b.triangle_values.empty(); });
}

std::vector<Vec3> used_positions(const std::vector<PictureBody>& bodies)
{
    std::vector<Vec3> used;
    for (const PictureBody& body : bodies) {
        std::vector<char> is_used(body.positions.size(), 0);
        for (const Triangle& t : body.triangles) {
            for (const Index corner : t) is_used[static_cast<std::size_t>(corner)] = 1;
        }
        for (std::size_t i = 0; i < is_used.size(); ++i) {
            if (is_used[i]) used.push_back(body.positions[i]);
        }
    }
    return used;
}

} // namespace

Camera picture_camera(const std::vector<PictureBody>& bodies, const PictureOptions& options)
{
    const Canvas canvas = canvas_of(options, has_values(bodies));
    for (std::size_t i = 0; i < bodies.size(); ++i) require_drawable(bodies[i], fmt::format("bodies[{}]", i));
    CameraOptions camera = options.camera;
    camera.aspect = static_cast<double>(canvas.frame_width) / canvas.frame_height;
    return framing(used_positions(bodies), camera);
}

Image picture_of(const std::vector<PictureBody>& bodies, const PictureOptions& options)
{
    const Canvas canvas = canvas_of(options, has_values(bodies));
    const Camera framed = picture_camera(bodies, options); // also checks the bodies
    const Camera& camera = options.fixed_camera ? *options.fixed_camera : framed;
    const Drawing drawing = drawing_of(bodies, camera, options.value_low, options.value_high);

    std::vector<FlatTriangle> flat(drawing.corners.size());
    parallel_for(
        static_cast<Index>(flat.size()),
        [&](Index i) {
            flat[static_cast<std::size_t>(i)]
                = flat_triangle(camera, canvas, drawing.corners[static_cast<std::size_t>(i)]);
        },
        1024);
    const TileLists lists = tile_lists(canvas, flat);
    const Lamps lamps = lamps_for(camera);
    const Sky sky(drawing.corners, lamps.up, lamps.key, std::max(canvas.width, canvas.height));

    const Ground ground(camera, canvas, sky, ground_height(drawing, camera, options));
    const PixelInputs scene{camera, canvas, drawing, flat, sky, lamps, ground};
    Image image(canvas.width, canvas.height, {});
    parallel_for(
        canvas.tile_columns() * canvas.tile_rows(),
        [&](Index tile) {
            const int left = tile % canvas.tile_columns() * tile_side, top = tile / canvas.tile_columns() * tile_side;
            TileBuffer buffer(canvas.samples);
            const Index* triangles = lists.triangles.data();
            const std::size_t n = static_cast<std::size_t>(tile);
            buffer.fill(left, top, flat, triangles + lists.first[n], triangles + lists.first[n + 1]);
            PixelShading shading(scene);
            for (int y = 0; y < std::min(tile_side, canvas.height - top); ++y) {
                for (int x = 0; x < std::min(tile_side, canvas.width - left); ++x) {
                    image.at(left + x, top + y) = rgb_of(pixel_light(scene, shading, buffer, left, top, x, y));
                }
            }
        },
        1);

    if (has_values(bodies)) draw_scale(image, options, drawing.values);
    if (!options.caption.empty()) {
        const double size = caption_size(options);
        draw_caption(
            image, options.caption, 0.03 * options.width, 0.97 * options.width, options.height - 1.1 * size, size, ink);
    }
    return image;
}

Image picture_of(const TetMesh& mesh, const PictureOptions& options)
{
    std::optional<CutPlane> cut = options.cut;
    if (!cut && options.cut_open) {
        // Across the level axis that points most toward the eye, so that one looks onto the cut and not along it.
        const Camera camera = picture_camera({picture_body(mesh)}, options);
        const Mat3 axes = world_axes(camera.world_up);
        const double sideways = camera.back.dot(axes.col(0)), forward = camera.back.dot(axes.col(2));
        const Vec3 axis = std::abs(sideways) > std::abs(forward) ? axes.col(0) : axes.col(2);
        cut = CutPlane{.point = camera.target, .normal = axis.dot(camera.back) < 0 ? (-axis).eval() : axis};
    }
    PictureBody body = picture_body(mesh, cut, options.tet_values);
    body.edges = options.edges;
    body.color = options.color;
    return picture_of(std::vector<PictureBody>{std::move(body)}, options);
}

Image picture_of(const TriangleMesh& mesh, const PictureOptions& options)
{
    PictureBody body = picture_body(mesh);
    body.edges = options.edges;
    body.color = options.color;
    return picture_of(std::vector<PictureBody>{std::move(body)}, options);
}

} // namespace rubato
