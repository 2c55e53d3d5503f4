#pragma once

#include "geometry/fields/winding_number.hpp"
#include "geometry/signed_field.hpp"
#include "geometry/triangle_tree.hpp"

#include <memory>

namespace rubato {

/// The solid within a surface of triangles, which may be dirty: the distance to the nearest triangle, negative where
/// the generalised winding number exceeds 1/2. Overlapping shells become their union, cavities (facing inward) stay
/// hollow, small holes are closed. Across a hole the value jumps from one sign to the other. Whether the result can be
/// trusted is another question: not_a_solid (geometry/surface_check.hpp).
class SurfaceField final : public SignedField {
public:
    explicit SurfaceField(TriangleMesh mesh);

    double value(const Vec3& p) const override;
    Bounds bounds() const override { return tree_->bounds(); }

    double winding(const Vec3& p) const { return winding_.at(p); } ///< to about 0.02
    const TriangleTree& tree() const { return *tree_; }
    const TriangleMesh& mesh() const { return mesh_; }

private:
    TriangleMesh mesh_;
    std::unique_ptr<TriangleTree> tree_; ///< keeps its place when the field moves
    WindingNumber winding_;
};

} // namespace rubato
