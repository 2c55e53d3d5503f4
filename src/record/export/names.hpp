#pragma once

#include <set>
#include <string>
#include <string_view>

/// Names of bodies are free text. Here they become what files and formats can bear.
namespace rubato {

/// Makes names different from each other: the second of its kind gets a number behind it. Upper and lower case count
/// as alike, as some file systems take them.
class DistinctNames {
public:
    std::string operator()(const std::string& name);

private:
    std::set<std::string> taken_; ///< in lower case
};

/// A file name without folder and ending: letters, digits, '-', '_' and dots within. Never empty.
std::string file_stem(std::string_view name);

/// A name of a USD prim: letters, digits and '_', no digit first. Never empty.
std::string prim_name(std::string_view name);

/// A name that comes back from a line of text (OBJ, comments of PLY): without control characters, without blanks at
/// the ends, and without what opens a comment or joins lines.
std::string line_name(std::string_view name);

} // namespace rubato
