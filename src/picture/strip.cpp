#include "picture/strip.hpp"

#include "base/errors.hpp"
#include "picture/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr Rgb paper{255, 255, 255};
constexpr Rgb ink{58, 64, 74};

template <class List>
void require_one_per_body(const List& list, std::size_t bodies, std::size_t moment, const char* name)
{
    if (list.size() == bodies) return;
    throw InputError({.key = fmt::format("moments[{}].{}", moment, name),
        .value = fmt::format("{} lists", list.size()),
        .message = fmt::format("must have {}, one per body", bodies)});
}

std::vector<PictureBody> at_moment(
    const std::vector<PictureBody>& bodies, const std::vector<Moment>& moments, std::size_t m)
{
    const Moment& moment = moments[m];
    require_one_per_body(moment.positions, bodies.size(), m, "positions");
    if (!moment.vertex_values.empty()) require_one_per_body(moment.vertex_values, bodies.size(), m, "vertex_values");
    std::vector<PictureBody> moved = bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        moved[b].positions = moment.positions[b];
        if (!moment.vertex_values.empty()) moved[b].vertex_values = moment.vertex_values[b];
        require_drawable(moved[b], fmt::format("moments[{}].bodies[{}]", m, b));
    }
    return moved;
}

constexpr std::size_t crowd = 60; // bodies, counted at every moment, of which a few need not be in the picture
constexpr double kept_in_sight = 0.95; // of a crowd

/// What the camera has to hold: all bodies, or those of a crowd that did not fly off, lest they leave the others tiny.
std::vector<PictureBody> without_strays(const std::vector<PictureBody>& all)
{
    if (all.size() < crowd) return all;
    std::vector<Vec3> centre(all.size(), Vec3::Zero());
    for (std::size_t b = 0; b < all.size(); ++b) {
        for (const Vec3& p : all[b].positions) centre[b] += p / static_cast<double>(all[b].positions.size());
    }
    std::vector<double> sorted(all.size());
    const auto quantile = [&](double share, auto&& of) {
        for (std::size_t b = 0; b < all.size(); ++b) sorted[b] = of(centre[b]);
        const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size() - 1));
        std::nth_element(sorted.begin(), at, sorted.end());
        return *at;
    };
    Vec3 middle;
    for (int k = 0; k < 3; ++k) middle[k] = quantile(0.5, [&](const Vec3& c) { return c[k]; });
    const auto distance = [&](const Vec3& c) { return (c - middle).norm(); };
    const double farthest = quantile(kept_in_sight, distance);
    std::vector<PictureBody> kept;
    for (std::size_t b = 0; b < all.size(); ++b) {
        if (distance(centre[b]) <= farthest) kept.push_back(all[b]);
    }
    return kept;
}

} // namespace

Image strip_of(
    const std::vector<Image>& pictures, const std::vector<std::string>& captions, const StripOptions& options)
{
    if (!captions.empty() && captions.size() != pictures.size()) {
        throw InputError({.key = "captions",
            .value = fmt::format("{}", captions.size()),
            .message = fmt::format("must be none or {}, one per picture", pictures.size())});
    }
    int width = 16, height = 16;
    for (const Image& p : pictures) {
        width = std::max(width, p.width);
        height = std::max(height, p.height);
    }
    const int count = std::max(1, static_cast<int>(pictures.size()));
    const int wanted = options.columns > 0 ? options.columns
        : count <= 4                       ? count
                                           : static_cast<int>(std::ceil(std::sqrt(double(count) * height / width)));
    const int columns = std::clamp(wanted, 1, count), rows = (count + columns - 1) / columns,
              gap = std::max(options.gap, 0);

    const double text = std::clamp(0.034 * width, 8.0, 24.0);
    const int caption_rows = captions.empty() ? 0 : static_cast<int>(2.4 * text);
    const int title_rows = options.title.empty() ? 0 : static_cast<int>(3.2 * text);
    const int place = height + caption_rows + gap;
    Image strip(columns * (width + gap) + gap, rows * place + gap + title_rows, paper);
    if (!options.title.empty())
        draw_caption(strip, options.title, gap, strip.width - gap, 2.2 * text, 1.25 * text, ink);
    for (int i = 0; i < static_cast<int>(pictures.size()); ++i) {
        const std::size_t n = static_cast<std::size_t>(i);
        const int left = gap + i % columns * (width + gap), top = title_rows + gap + i / columns * place;
        paste(strip, pictures[n], left + (width - pictures[n].width) / 2, top + (height - pictures[n].height) / 2);
        if (!captions.empty())
            draw_caption(strip, captions[n], left, left + width, top + height + 1.7 * text, text, ink);
    }
    return strip;
}

Image moments_picture(const std::vector<PictureBody>& bodies, const std::vector<Moment>& moments,
    const PictureOptions& options, const StripOptions& strip)
{
    std::vector<PictureBody> all; // every body at every moment: what the common camera has to hold
    for (std::size_t m = 0; m < moments.size(); ++m) {
        for (PictureBody& body : at_moment(bodies, moments, m)) all.push_back(std::move(body));
    }

    PictureOptions common = options;
    common.caption.clear();
    if (!common.fixed_camera) common.fixed_camera = picture_camera(without_strays(all), common);
    const Vec3 up = common.fixed_camera->world_up;
    double lowest = HUGE_VAL, least = HUGE_VAL, most = -HUGE_VAL;
    for (const PictureBody& body : all) {
        for (const Triangle& t : body.triangles) {
            for (const Index corner : t)
                lowest = std::min(lowest, body.positions[static_cast<std::size_t>(corner)].dot(up));
        }
        for (const double v : body.triangle_values.empty() ? body.vertex_values : body.triangle_values) {
            if (!std::isfinite(v)) continue;
            least = std::min(least, v);
            most = std::max(most, v);
        }
    }
    if (!common.ground_height && std::isfinite(lowest)) common.ground_height = lowest;
    if (!common.value_low && least <= most) common.value_low = least;
    if (!common.value_high && least <= most) common.value_high = most;

    std::vector<Image> pictures;
    std::vector<std::string> captions;
    for (std::size_t m = 0; m < moments.size(); ++m) {
        pictures.push_back(picture_of(at_moment(bodies, moments, m), common));
        captions.push_back(
            fmt::format("t = {:.3g} s{}{}", moments[m].time, moments[m].words.empty() ? "" : ", ", moments[m].words));
    }
    return strip_of(pictures, captions, strip);
}

} // namespace rubato
