#include "geometry/fields/blobs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rubato {

namespace {

double smooth_min(double d, double e, double blend)
{
    const double overlap = blend - std::abs(d - e);
    return std::min(d, e) - (overlap > 0 ? overlap * overlap / (4 * blend) : 0);
}

double shape_value(const BlobShape& shape, const Vec3& p)
{
    return std::visit([&](const auto& s) { return s.value(p); }, shape);
}

template <class Shape>
constexpr bool is_bounded = !std::is_same_v<std::decay_t<Shape>, BlobHalfSpace>;

} // namespace

BlobField::BlobField(std::vector<Blob> blobs)
    : blobs_(std::move(blobs))
{
    assert(!blobs_.empty() && blobs_.front().role == Blob::Role::add);
    for (const Blob& blob : blobs_) {
        std::visit(
            [&](const auto& shape) {
                if constexpr (is_bounded<decltype(shape)>) {
                    balls_.push_back(shape.ball());
                    steepness_ = std::max(steepness_, shape.lipschitz());
                } else {
                    assert(blob.role != Blob::Role::add);
                    balls_.emplace_back();
                }
            },
            blob.shape);
    }
    bounds_ = tight_bounds();
}

double BlobField::value(const Vec3& p) const
{
    double d = shape_value(blobs_.front().shape, p);
    for (std::size_t i = 1; i < blobs_.size(); ++i) {
        const Blob& blob = blobs_[i];
        if (!std::holds_alternative<BlobHalfSpace>(blob.shape) && blob.role != Blob::Role::keep) {
            // Without influence where e >= d + blend (added) or e >= blend - d (carved).
            const double reach = blob.role == Blob::Role::add ? blob.blend + d : blob.blend - d;
            const BoundingBall& ball = balls_[i];
            const double far = ball.radius + std::max(reach, 0.0) / ball.pace;
            if ((p - ball.center).squaredNorm() >= far * far) continue;
        }
        d = joined(d, shape_value(blob.shape, p), blob);
    }
    return d;
}

double BlobField::joined(double d, double e, const Blob& blob) const
{
    switch (blob.role) {
    case Blob::Role::add: return smooth_min(d, e, blob.blend);
    case Blob::Role::carve: return -smooth_min(-d, e, blob.blend);
    case Blob::Role::keep: break;
    }
    return -smooth_min(-d, -e, blob.blend);
}

Bounds BlobField::tight_bounds() const
{
    // A first box: a blend lowers the minimum by a quarter of its width at most, so the body lies where some added
    // shape is below the sum of these.
    double swelling = 0;
    for (const Blob& blob : blobs_) swelling += blob.role == Blob::Role::add ? blob.blend / 4 : 0;
    std::vector<Vec3> corners;
    for (std::size_t i = 0; i < blobs_.size(); ++i) {
        if (blobs_[i].role != Blob::Role::add) continue;
        const BoundingBall& ball = balls_[i];
        const Vec3 reach = Vec3::Constant(ball.radius + swelling / ball.pace);
        corners.push_back(ball.center - reach);
        corners.push_back(ball.center + reach);
    }
    const Bounds first = rubato::bounds(corners);

    // Then halve boxes that may hold a piece of the body, down to 1/128 of the first; a box holds none if the value at
    // its middle exceeds what the steepness allows within half a diagonal. Boxes inside what is already bounded are
    // left alone.
    Bounds tight{first.center(), first.center()};
    bool found = false;
    constexpr int depth = 7;
    auto search = [&](auto& self, const Bounds& box, int level) -> void {
        if (found && (box.low.array() >= tight.low.array()).all() && (box.high.array() <= tight.high.array()).all())
            return;
        const Vec3 middle = box.center();
        if (value(middle) > steepness_ * box.diagonal() / 2) return;
        if (level == depth) {
            tight = found ? Bounds{tight.low.cwiseMin(box.low), tight.high.cwiseMax(box.high)} : box;
            found = true;
            return;
        }
        for (int child = 0; child < 8; ++child) {
            Bounds part = box;
            for (int axis = 0; axis < 3; ++axis) {
                if (child >> axis & 1) {
                    part.low[axis] = middle[axis];
                } else {
                    part.high[axis] = middle[axis];
                }
            }
            self(self, part, level + 1);
        }
    };
    search(search, first, 0);
    return tight;
}

} // namespace rubato
