#pragma once

#include "geometry/surface.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// The names of a surface as comments, for formats that have no other place for them (PLY, OFF). Each line of it:
///
///     rubato part 12          the names below hold from polygon 12 on, counted from 0
///     rubato object NAME      or group, material
///     rubato material_file NAME
std::vector<std::string> name_comments(const Surface& surface);

/// Takes the names back from such lines, in the order of the file; other comments are passed over. Lines that do not
/// fit the surface (another program has changed its polygons) are passed over with all names.
class NameComments {
public:
    void read(std::string_view comment);
    void apply(Surface& surface) const;

private:
    std::vector<SurfacePart> parts_;
    std::vector<std::string> material_files_;
    bool sound_ = true;
};

/// The one name of a part for formats that have room for one: that of its group, else its object, else its material.
const std::string& one_name(const SurfacePart& part);

/// The part that each polygon belongs to; -1 for none.
std::vector<Index> part_of_polygons(const Surface& surface);

} // namespace rubato
