#include "geometry/fields/surface_field.hpp"

#include <cmath>
#include <limits>

namespace rubato {

SurfaceField::SurfaceField(TriangleMesh mesh)
    : mesh_(std::move(mesh))
    , tree_(std::make_unique<TriangleTree>(mesh_))
    , winding_(*tree_)
{
}

double SurfaceField::value(const Vec3& p) const
{
    // On a wall between two shells that overlap the distance is 0, but the point is inside.
    const double distance = std::sqrt(tree_->closest(p).d2);
    return winding(p) > 0.5 ? -std::max(distance, std::numeric_limits<double>::min()) : distance;
}

} // namespace rubato
