#pragma once

#include "geometry/files/scalar.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// A <DataArray> of a VTK XML file, not yet decoded.
struct VtuArray {
    std::string section; ///< Points, Cells, PointData, CellData or FieldData
    std::string name, type, format; ///< as in the file
    std::uint64_t components = 1;
    std::uint64_t tuples = 0; ///< of FieldData
    std::uint64_t offset = 0; ///< of appended data
    std::string_view text; ///< of inline data
    int line = 0;
};

/// How the numbers of a file are stored.
struct VtuEncoding {
    std::string file; ///< for messages
    bool swapped = false; ///< in the byte order of other machines
    bool compressed = false; ///< in blocks, by zlib
    Scalar header = Scalar::uint32; ///< type of lengths before binary data
    std::string_view appended; ///< behind the underscore of <AppendedData>
    bool appended_base64 = false;
};

/// The numbers of an array, which must be so many. InputError names the array and its line.
std::vector<double> vtu_reals(const VtuEncoding& encoding, const VtuArray& array, std::uint64_t count);
std::vector<std::int64_t> vtu_integers(const VtuEncoding& encoding, const VtuArray& array, std::uint64_t count);

/// The words of an array of type String that is written as text: codes of characters, a zero behind each word.
std::vector<std::string> vtu_strings(const VtuEncoding& encoding, const VtuArray& array);

std::optional<Scalar> vtu_scalar(std::string_view type); ///< Float64, Int32, ...

[[noreturn]] void fail_vtu(
    const VtuEncoding& encoding, const VtuArray& array, const std::string& found, const std::string& allowed);

} // namespace rubato
