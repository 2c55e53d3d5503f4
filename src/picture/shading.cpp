#include "picture/shading.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

/// Compresses what is brighter than paper instead of clipping it, so that highlights keep their colour.
Light toned(const Light& light)
{
    const auto shoulder = [](float l) {
        constexpr float knee = 0.75f;
        return l <= knee ? l : knee + (1 - knee) * (1 - std::exp(-(l - knee) / (1 - knee)));
    };
    return {shoulder(light[0]), shoulder(light[1]), shoulder(light[2])};
}

/// Least and largest finite value of all bodies.
std::pair<double, double> range_of_values(const std::vector<PictureBody>& bodies)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const PictureBody& body : bodies) {
        const std::vector<double>& values = body.triangle_values.empty() ? body.vertex_values : body.triangle_values;
        for (const double v : values) {
            if (!std::isfinite(v)) continue;
            low = std::min(low, v);
            high = std::max(high, v);
        }
    }
    return low <= high ? std::pair{low, high} : std::pair{0.0, 1.0};
}

} // namespace

Drawing drawing_of(const std::vector<PictureBody>& bodies, const Camera& camera, const std::optional<double>& value_low,
    const std::optional<double>& value_high)
{
    Drawing drawing;
    drawing.values = range_of_values(bodies);
    if (value_low) drawing.values.first = *value_low;
    if (value_high) drawing.values.second = *value_high;
    const auto value_light = [&](double value) {
        const double half_span = drawing.values.second / 2 - drawing.values.first / 2; // halves cannot overflow
        return light_of(
            map_color(half_span > 0 ? (value / 2 - drawing.values.first / 2) / half_span : 0.5 + 0 * value));
    };

    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const PictureBody& body = bodies[b];
        std::vector<Vec3> local(body.positions.size());
        for (std::size_t i = 0; i < local.size(); ++i) local[i] = camera.local(body.positions[i]);
        // Inner faces of a cut stay flat, and the skin is not smoothed into them.
        std::array<std::vector<Triangle>, 2> parts;
        std::array<std::vector<std::size_t>, 2> numbers;
        for (std::size_t t = 0; t < body.triangles.size(); ++t) {
            const std::size_t part = !body.inside.empty() && body.inside[t] ? 1 : 0;
            parts[part].push_back(body.triangles[t]);
            numbers[part].push_back(t);
        }
        const Light plain = light_of(body.color.value_or(body_color(static_cast<int>(b))));
        const bool by_face = !body.triangle_values.empty(), by_vertex = !by_face && !body.vertex_values.empty();

        for (std::size_t part = 0; part < 2; ++part) {
            const auto normals = crease_normals(local, parts[part], part == 1 ? 0.0 : body.crease_angle);
            for (std::size_t i = 0; i < parts[part].size(); ++i) {
                std::array<Vec3f, 3> corners;
                ShadedTriangle shaded;
                shaded.edges = body.edges;
                bool near = true;
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::size_t v = static_cast<std::size_t>(parts[part][i][k]);
                    near = near && local[v].cwiseAbs().maxCoeff() < 1e6; // farther is beyond any framed picture
                    corners[k] = local[v].cast<float>();
                    shaded.normal[k] = normals[i][k].cast<float>();
                    shaded.color[k] = part == 1 ? light_of(cut_color) : plain;
                    if (by_face) shaded.color[k] = value_light(body.triangle_values[numbers[part][i]]);
                    if (by_vertex) shaded.color[k] = value_light(body.vertex_values[v]);
                }
                if (!near) continue;
                shaded.face = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                const float size = shaded.face.norm();
                shaded.face = size > 0 ? (shaded.face / size).eval() : Vec3f::Zero();
                drawing.corners.push_back(corners);
                drawing.triangles.push_back(shaded);
            }
        }
    }
    return drawing;
}

Lamps lamps_for(const Camera& camera)
{
    const Vec3 up = camera.world_up;
    Vec3 front = camera.back - camera.back.dot(up) * up; // toward the eye, level
    if (front.norm() < 0.1) front = -camera.up; // from straight above: the bottom of the picture
    front.normalize();
    const Vec3 right = up.cross(front).normalized();
    const auto lamp = [&](double r, double u, double f) {
        return (r * right + u * up + f * front).normalized().cast<float>().eval();
    };
    return {.up = up.cast<float>(),
        .key = lamp(-1.0, 0.95, 0.45),
        .fill = lamp(0.9, 0.25, 0.55),
        .rim = lamp(0.55, 0.5, -0.9)};
}

Light surface_light(
    const Lamps& lamps, const Light& color, const Vec3f& normal, const Vec3f& to_eye, const SkyLight& seen)
{
    const Light sky_above(0.86f, 0.95f, 1.08f), ground_below(0.60f, 0.57f, 0.54f), warm(1.10f, 1.0f, 0.88f);
    const float upward = 0.5f + 0.5f * normal.dot(lamps.up);
    const Light around
        = (upward * sky_above + (1 - upward) * ground_below) * (0.52f * (0.04f + 0.96f * std::pow(seen.sky, 1.4f)));
    const Light key = warm * (1.28f * std::max(0.0f, normal.dot(lamps.key)) * seen.lamp);
    const float fill = 0.16f * std::max(0.0f, 0.6f * normal.dot(lamps.fill) + 0.4f) * seen.sky;

    const Vec3f half = (lamps.key + to_eye).normalized();
    const float gloss = 0.16f * std::pow(std::max(0.0f, normal.dot(half)), 42.0f) * seen.lamp;
    const float grazing = std::pow(1 - std::clamp(normal.dot(to_eye), 0.0f, 1.0f), 3.0f);
    const float rim = grazing * (0.10f + 0.45f * std::max(0.0f, normal.dot(lamps.rim))) * seen.sky;

    const Light diffuse = color.cwiseProduct(around + key + Light::Constant(fill));
    return toned(diffuse + warm * gloss + sky_above * rim);
}

Light backdrop(float down, float across)
{
    static const Light top = light_of({226, 233, 240}), bottom = light_of({252, 251, 249});
    const float t = std::clamp(down, 0.0f, 1.0f);
    const float smooth = t * t * (3 - 2 * t);
    const float dx = across - 0.5f, dy = down - 0.55f;
    const float vignette = 1 - 0.10f * std::min(1.0f, 1.6f * (dx * dx + dy * dy));
    return ((1 - smooth) * top + smooth * bottom) * vignette;
}

Light shaded_ground(const Light& bare, float missing_sky, float missing_lamp)
{
    const Light sky_part(0.62f, 0.61f, 0.58f), lamp_part(0.40f, 0.38f, 0.34f);
    return bare.cwiseProduct(
        (Light::Ones() - missing_sky * sky_part).cwiseProduct(Light::Ones() - missing_lamp * lamp_part));
}

} // namespace rubato
