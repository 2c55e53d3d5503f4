#pragma once

#include "geometry/fields/blob_shapes.hpp"
#include "geometry/signed_field.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rubato {

using BlobShape = std::variant<Ellipsoid, TaperedCapsule, BlobBox, BlobHalfSpace>;

/// One line of a list: what becomes of the body so far, d, and a shape, e. With the smooth minimum
///
///   smin(d, e) = min(d, e) - max(blend - |d - e|, 0)^2 / (4 blend)
///
/// `add` makes it smin(d, e), `carve` -smin(-d, e) and `keep` -smin(-d, -e): union, difference and intersection with
/// seams rounded over a width of about `blend`.
struct Blob {
    enum class Role { add, carve, keep };

    Role role = Role::add;
    BlobShape shape;
    double blend = 0; ///< [m]; 0: a sharp seam
};

/// A body made of blobs, each joined to what the ones before it made: the order matters.
///
/// Both weights of grad smin = (1 - c) grad d + c grad e lie in [0, 1], so the Lipschitz constant of the whole is at
/// most the largest of the shapes', and that bounds its steepness. Where a shape is further away than the blend reaches
/// it has no influence at all; a bounding ball tells so without a square root.
class BlobField final : public SignedField {
public:
    /// The first blob must be added, and no half-space may be: its body has no end.
    explicit BlobField(std::vector<Blob> blobs);

    double value(const Vec3& p) const override;
    double steepness() const override { return steepness_; }
    Bounds bounds() const override { return bounds_; } ///< about 1 % wider than the body
    const std::vector<Blob>& blobs() const { return blobs_; }

private:
    double joined(double d, double e, const Blob& blob) const;
    Bounds tight_bounds() const;

    std::vector<Blob> blobs_;
    std::vector<BoundingBall> balls_; ///< one per blob; unused for half-spaces
    double steepness_ = 1;
    Bounds bounds_;
};

/// Reads the text of a .blobs file (docs/bodies/blobs.md). A mistake is an InputError with its line.
BlobField blobs_from_bytes(std::string_view bytes, const std::string& file);
BlobField read_blobs(const std::filesystem::path& path);

} // namespace rubato
