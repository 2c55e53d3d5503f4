#pragma once

#include "record/export/body_mesh.hpp"

namespace rubato {

/// Vertices as renderers want them: one place, one normal, one texture coordinate each. Points of a body are split
/// where texture coordinates meet and along sharp edges, so that a cube keeps its edges and a ball is smooth. Objects
/// have vertices of their own, one object's behind the other's, but share normals where they share points.
class SmoothVertices {
public:
    SmoothVertices(const BodyMesh& mesh, const ObjectNames& objects);

    std::size_t count() const { return point_.size(); }
    const std::vector<Index>& points() const { return point_; } ///< of the body, behind each vertex
    const std::vector<Triangle>& triangles() const { return triangles_; } ///< in numbers of vertices
    /// The first vertex of each object, and behind the last the number of all.
    const std::vector<Index>& first_of_object() const { return first_of_object_; }
    const std::vector<float>& texture() const { return texture_; } ///< two numbers per vertex; empty: none

    /// Unit normals of the vertices, three numbers each, when the points of the body are at x [m].
    void normals(std::span<const float> x, std::vector<float>& result);

private:
    void add_vertex(const BodyMesh& mesh, Index point, Index fan, Index uv);

    std::vector<Index> point_; ///< of each vertex
    std::vector<Index> fan_; ///< of each vertex: triangles around a point with one smooth normal
    std::vector<Index> corner_fan_; ///< of each corner of each triangle
    std::vector<Triangle> triangles_;
    std::vector<Index> first_of_object_;
    std::vector<Triangle> point_triangles_;
    std::vector<float> texture_;
    std::vector<Eigen::Vector3d> sums_; ///< work space: of each fan
};

} // namespace rubato
