#include "picture/text.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace rubato {

namespace {

using Point = Eigen::Vector2d;
using Stroke = std::vector<Point>;

constexpr double cap = 12; ///< height of a capital letter in the units of the table; small letters have 8
constexpr double gap = 3.6; ///< between two letters
constexpr double stroke_width = 1.55;

/// Strokes of the characters 32 to 126, separated by blanks. A stroke is a sign and points of two characters: x as a
/// digit, y as a letter from a = -4 over the baseline e = 0 to r = 13. Signs: '-' straight lines from point to point,
/// '~' a smooth curve (quadratic B-spline that begins and ends in its outer points), '@' the same, closed.
constexpr std::array<const char*, 95> strokes_of_characters{
    "", "-0q0i -0e0e", "-0q0n -3q3n", "-3q1e -7q5e -1m8m -0i7i", "~8o7q0q0k8k8e1e0g -4r4d", "@0m3m3q0q @5e8e8i5i -7q1e",
    "~8e2m2q6q6m0j0e5e8j", "-0q0n", "~3r0o0f3c", "~0r3o3f0c", "-3p3j -0o6k -6o0k", "-4n4f -0j8j", "-1f0c", "-0j5j",
    "-0e0e", "-0d6r", // ' ' to '/'
    "@0e7e7q0q", "-0n4q4e", "~0n0q7q7l0e -0e7e", "~0o0q7q7k3k ~3k8k8e0e0g", "-6e6q0h8h", "-7q1q0k ~0k2m8n8e1e0g",
    "~6q0o0i @0e7e7l0l", "-0q7q2e", "@0e8e8k0k @1k7k7q1q", "~1e7g7m @0j7j7q0q", // digits
    "-0e0e -0l0l", "-1l1l -1f0c", "-7n0j7f", "-0l7l -0h7h", "-0n7j0f", "~0o0q7q7l3l3i -3e3e",
    "~8d0d0p9p9g6g6l @2h6h6l2l", // ':' to '@'
    "-0e4q8e -1i7i", "-0e0q4q ~4q7q7k4k -4k0k ~4k8k8e4e -4e0e", "~8o7q0q0e7e8g", "-3e0e0q3q ~3q8q8e3e",
    "-7q0q0e7e -0k6k", "-7q0q0e -0k6k", "~8o7q0q0e8e8k -8k5k", "-0q0e -8q8e -0k8k", "-0q4q -2q2e -0e4e",
    "-5q5h ~5h5e0e0h", "-0q0e -7q0i -2k8e", "-0q0e6e", "-0e0q4h8q8e", "-0e0q8e8q", "@0e9e9q0q",
    "-0e0q4q ~4q8q8j4j -4j0j", "@0e9e9q0q -6h9d", "-0e0q4q ~4q8q8j4j -4j0j -4j8e", "~8o7q0q0k8k8e1e0g", "-0q8q -4q4e",
    "-0q0i ~0i0e8e8i -8i8q", "-0q4e8q", "-0q2e4o6e8q", "-0q8e -8q0e", "-0q4k8q -4k4e", "-0q8q0e8e", // capitals
    "-3r0r0c3c", "-0r6d", "-0r3r3c0c", "-0m3q6m", "-0c8c", "-0q2o", // '[' to '`'
    "@0e7e7m0m -7m7e", "-0q0e @0e7e7m0m", "~7l6m0m0e6e7f", "-7q7e @0e7e7m0m", "-0i7i ~7i7m0m0e6e7g",
    "~5q2q2n -2n2e -0m4m", "@0e7e7m0m -7m7d ~7d7a0a0c", "-0q0e ~0i0m6m6i -6i6e", "-0m0e -0p0p", "-2m2c ~2c2a0a -2p2p",
    "-0q0e -5m0h -2i6e", "-0q0g ~0g0e2e", "-0m0e ~0i0m4m4i -4i4e ~4i4m8m8i -8i8e", "-0m0e ~0i0m6m6i -6i6e", "@0e7e7m0m",
    "-0m0a @0e7e7m0m", "-7m7a @0e7e7m0m", "-0m0e ~0i0m4m", "~6l5m0m0i6i6e1e0f", "-2p2g ~2g2e5e -0m5m",
    "-0m0i ~0i0e6e6i -6m6e", "-0m3e6m", "-0m2e4l6e8m", "-0m6e -6m0e", "-0m3e -6m1a", "-0m6m0e6e", // small letters
    "~4r1r2k0j ~0j2i1c4c", "-0r0b", "~0r3r2k4j ~4j2i3c0c", "~0i2m5g7k", // '{' to '~'
};

struct Glyph {
    std::vector<Stroke> strokes; ///< straight pieces, fine enough for curves
    double width = 0;
};

/// The curve of quadratic B-spline control points in eight pieces per control point.
Stroke smoothed(const Stroke& control, bool closed)
{
    Stroke curve;
    const std::size_t n = control.size();
    const auto arc = [&](const Point& from, const Point& by, const Point& to) {
        for (int i = curve.empty() ? 0 : 1; i <= 8; ++i) {
            const double t = i / 8.0;
            curve.push_back((1 - t) * (1 - t) * from + 2 * t * (1 - t) * by + t * t * to);
        }
    };
    if (closed) {
        for (std::size_t i = 0; i < n; ++i) {
            const Point &before = control[(i + n - 1) % n], &here = control[i], &after = control[(i + 1) % n];
            arc((before + here) / 2, here, (here + after) / 2);
        }
        return curve;
    }
    for (std::size_t i = 1; i + 1 < n; ++i) {
        arc(i == 1 ? control[0] : ((control[i - 1] + control[i]) / 2).eval(), control[i],
            i + 2 == n ? control[n - 1] : ((control[i] + control[i + 1]) / 2).eval());
    }
    return curve;
}

Glyph glyph_from(std::string_view table)
{
    Glyph glyph;
    for (std::size_t i = 0; i < table.size();) {
        const char sign = table[i++];
        Stroke points;
        for (; i + 1 < table.size() && table[i] != ' '; i += 2) {
            points.emplace_back(table[i] - '0', table[i + 1] - 'e');
            glyph.width = std::max(glyph.width, points.back().x());
        }
        while (i < table.size() && table[i] == ' ') ++i;
        glyph.strokes.push_back(sign == '-' ? points : smoothed(points, sign == '@'));
    }
    return glyph;
}

const Glyph& glyph_of(char c)
{
    static const std::array<Glyph, 95> glyphs = [] {
        std::array<Glyph, 95> all;
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = glyph_from(strokes_of_characters[i]);
        all[0].width = 2.5; // the blank
        return all;
    }();
    return glyphs[c >= 32 && c <= 126 ? static_cast<std::size_t>(c - 32) : static_cast<std::size_t>('?' - 32)];
}

/// A multi-byte UTF-8 character becomes one sign, not one per byte.
bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

double distance_to_segment(const Point& p, const Point& a, const Point& b)
{
    const Point e = b - a;
    const double length2 = e.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - a).dot(e) / length2, 0.0, 1.0) : 0.0;
    return (p - a - t * e).norm();
}

void draw_glyph(Image& image, const Glyph& glyph, double left, double baseline, double scale, Rgb color)
{
    const double reach = stroke_width / 2 * scale + 1;
    const int x0 = std::max(0, static_cast<int>(std::floor(left - reach)));
    const int x1 = std::min(image.width - 1, static_cast<int>(std::ceil(left + glyph.width * scale + reach)));
    const int y0 = std::max(0, static_cast<int>(std::floor(baseline - 13 * scale - reach)));
    const int y1 = std::min(image.height - 1, static_cast<int>(std::ceil(baseline + 4 * scale + reach)));
    // Mixed as stored, not as light: dark letters on light paper would look thin otherwise.
    const auto mixed = [](std::uint8_t paper, std::uint8_t ink, double share) {
        return static_cast<std::uint8_t>(std::lround((1 - share) * paper + share * ink));
    };
    for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
            const Point p((x + 0.5 - left) / scale, (baseline - y - 0.5) / scale);
            double d = 1e9;
            for (const Stroke& s : glyph.strokes) {
                for (std::size_t i = 0; i + 1 < s.size(); ++i) d = std::min(d, distance_to_segment(p, s[i], s[i + 1]));
            }
            const double covered = std::clamp((stroke_width / 2 - d) * scale + 0.5, 0.0, 1.0);
            if (covered <= 0) continue;
            Rgb& pixel = image.at(x, y);
            pixel = {
                mixed(pixel.r, color.r, covered), mixed(pixel.g, color.g, covered), mixed(pixel.b, color.b, covered)};
        }
    }
}

} // namespace

double text_width(std::string_view text, double cap_height)
{
    double width = 0;
    for (const char c : text) {
        if (!continues_a_character(c)) width += glyph_of(c).width + gap;
    }
    return std::max(width - gap, 0.0) * cap_height / cap;
}

void draw_text(Image& image, std::string_view text, double left, double baseline, double cap_height, Rgb color)
{
    const double scale = cap_height / cap;
    for (const char c : text) {
        if (continues_a_character(c)) continue;
        draw_glyph(image, glyph_of(c), left, baseline, scale, color);
        left += (glyph_of(c).width + gap) * scale;
    }
}

void draw_caption(
    Image& image, std::string_view text, double left, double right, double baseline, double cap_height, Rgb color)
{
    const double room = right - left;
    const double wanted = text_width(text, cap_height);
    if (wanted > room) cap_height = std::max(std::min(8.0, cap_height), cap_height * room / wanted);
    std::string line(text);
    for (std::size_t kept = line.size(); kept > 0 && text_width(line, cap_height) > room;) {
        line = std::string(text.substr(0, --kept)) + "...";
    }
    draw_text(image, line, (left + right - text_width(line, cap_height)) / 2, baseline, cap_height, color);
}

} // namespace rubato
