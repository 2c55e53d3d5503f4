#pragma once

#include "geometry/surface.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace rubato {

/// Numbers on the nodes, one or three each, shown by ParaView under `name`. Points into data of the caller.
struct NodeField {
    std::string name;
    int components; ///< 1 or 3
    std::span<const double> values; ///< node by node
};
NodeField scalar_field(std::string name, const std::vector<double>& values);
NodeField vector_field(std::string name, const std::vector<Vec3>& values);
NodeField vector_field(std::string name, const Vector& values); ///< three entries per node

/// A VTK unstructured grid (.vtu) of tetrahedra or triangles with fields on the nodes; the numbers are appended as raw
/// bytes. `x` holds three coordinates per node [m]. Throws WriteError: also when a number is not finite or a field does
/// not have one value per node.
void write_vtu(const std::filesystem::path& path, const Vector& x, const std::vector<Tet>& tets,
    const std::vector<NodeField>& fields = {});
void write_vtu(const std::filesystem::path& path, const Vector& x, const std::vector<Triangle>& triangles,
    const std::vector<NodeField>& fields = {});
void write_vtu(const std::filesystem::path& path, const std::vector<Vec3>& nodes, const std::vector<Tet>& tets,
    const std::vector<NodeField>& fields = {});

/// A mesh with its groups, each a point array of bytes called group:NAME; read_vtu gives back the same mesh.
void write_vtu(const std::filesystem::path& path, const TetMesh& mesh);
std::string vtu_bytes(const std::filesystem::path& path, const TetMesh& mesh);

/// A surface with polygons, texture coordinates and names (see vtu_names.hpp); read_vtu gives back the same surface.
void write_vtu(const std::filesystem::path& path, const Surface& surface);
std::string vtu_bytes(const std::filesystem::path& path, const Surface& surface);

/// One frame of a ParaView collection.
struct PvdFrame {
    double time; ///< [s]
    std::string file; ///< relative to the folder of the collection
};

/// A ParaView collection (.pvd): which file shows which time.
void write_pvd(const std::filesystem::path& path, const std::vector<PvdFrame>& frames);

} // namespace rubato
