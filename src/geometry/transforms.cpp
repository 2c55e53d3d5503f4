#include "geometry/transforms.hpp"

#include "base/errors.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace rubato {

namespace {

void move_nodes(std::vector<Vec3>& nodes, const Mat3& linear, const Vec3& offset)
{
    for (Vec3& x : nodes) x = (linear * x + offset).eval();
}

} // namespace

TetMesh transformed(TetMesh mesh, const Mat3& linear, const Vec3& offset)
{
    move_nodes(mesh.nodes, linear, offset);
    if (linear.determinant() < 0) {
        for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
    }
    return mesh;
}

TriangleMesh transformed(TriangleMesh mesh, const Mat3& linear, const Vec3& offset)
{
    move_nodes(mesh.nodes, linear, offset);
    if (linear.determinant() < 0) {
        for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    }
    return mesh;
}

TetMesh translated(TetMesh mesh, const Vec3& offset) { return transformed(std::move(mesh), Mat3::Identity(), offset); }

TetMesh scaled(TetMesh mesh, const Vec3& factors)
{
    return transformed(std::move(mesh), factors.asDiagonal().toDenseMatrix(), Vec3::Zero());
}

TetMesh rotated(TetMesh mesh, const Vec3& axis, double angle)
{
    return transformed(std::move(mesh), rotation(axis, angle), Vec3::Zero());
}

Mat3 rotation(const Vec3& axis, double angle)
{
    const double length = axis.stableNorm();
    if (!(length > 0 && std::isfinite(length))) {
        throw InputError(
            {"", 0, "axis", fmt::format("[{}, {}, {}]", axis[0], axis[1], axis[2]), "must have a finite length > 0"});
    }
    return Eigen::AngleAxisd(angle, axis / length).toRotationMatrix();
}

} // namespace rubato
