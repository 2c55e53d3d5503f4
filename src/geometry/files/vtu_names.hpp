#pragma once

#include "geometry/surface.hpp"

#include <string>
#include <string_view>

/// What our .vtu files call what VTK itself has no place for.
///
///   PointData  group:NAME      UInt8   1 for the nodes of a group of tetrahedra
///   CellData   object, group, material  Int32  which name a polygon has, from 1; 0 for none
///   FieldData  object names, ...        String the names
///   PointData or FieldData  texture     Float64, two components: one for each vertex, or a list
///   FieldData  corner_texture  Int32   number in that list for each corner, -1 for none
///   FieldData  material files  String
namespace rubato {

inline constexpr std::int64_t vtk_triangle = 5, vtk_polygon = 7, vtk_quad = 9, vtk_tetra = 10; ///< types of cells

struct PartKind {
    const char* name;
    std::string SurfacePart::*member;
};
inline constexpr PartKind part_kinds[]
    = {{"object", &SurfacePart::object}, {"group", &SurfacePart::group}, {"material", &SurfacePart::material}};

inline constexpr std::string_view group_prefix = "group:";
inline constexpr const char* names_suffix = " names";
inline constexpr const char* texture_name = "texture";
inline constexpr const char* corner_texture_name = "corner_texture";
inline constexpr const char* material_files_name = "material files";

} // namespace rubato
