#pragma once

#include "geometry/tet_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>
#include <zlib.h>

namespace rubato {

/// One of the many ways to store the arrays of a .vtu file, written here apart from the program's own writer.
struct VtuVariant {
    const char* name;
    enum Place { ascii, inline_base64, appended_raw, appended_base64 } place = ascii;
    bool compressed = false;
    bool long_header = false; ///< UInt64
    bool big_endian = false;
    bool single = false; ///< Float32 and Int64 instead of Float64 and Int32
    bool split_base64 = false; ///< head and data encoded apart
};

inline const std::vector<VtuVariant>& vtu_variants()
{
    using V = VtuVariant;
    static const std::vector<VtuVariant> all = {
        {"ascii", V::ascii},
        {"ascii_single", V::ascii, false, false, false, true},
        {"base64", V::inline_base64},
        {"base64_long_split", V::inline_base64, false, true, false, true, true},
        {"base64_compressed", V::inline_base64, true, false, false, false, true},
        {"base64_big_endian", V::inline_base64, false, true, true},
        {"raw", V::appended_raw},
        {"raw_long_single", V::appended_raw, false, true, false, true},
        {"raw_compressed", V::appended_raw, true, true},
        {"raw_big_endian_compressed", V::appended_raw, true, false, true, true},
        {"appended_base64", V::appended_base64, false, true},
        {"appended_base64_compressed", V::appended_base64, true, false, false, false, true},
    };
    return all;
}

class VtuVariantWriter {
public:
    explicit VtuVariantWriter(VtuVariant v)
        : v_(v)
    {
    }

    template <class T>
    std::string array(const char* type, const std::string& name, int components, const std::vector<T>& values)
    {
        std::string tag
            = fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"", type, name, components);
        if (v_.place == VtuVariant::ascii) {
            tag += " format=\"ascii\">\n";
            for (std::size_t i = 0; i < values.size(); ++i) {
                tag += std::is_same_v<T, std::uint8_t> ? fmt::format("{}", static_cast<int>(values[i]))
                                                       : fmt::format("{}", values[i]);
                tag += i % 7 == 6 ? '\n' : ' ';
            }
            return tag + "\n</DataArray>\n";
        }
        std::string data;
        for (const T value : values) data += raw(value);
        const std::string body = stored(data);
        if (v_.place == VtuVariant::inline_base64) {
            return tag + " format=\"binary\">\n  " + body + "\n</DataArray>\n";
        }
        tag += fmt::format(" format=\"appended\" offset=\"{}\"/>\n", appended_.size());
        appended_ += body;
        return tag;
    }

    std::string file(const std::string& piece) const
    {
        std::string s
            = fmt::format("<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<VTKFile type=\"UnstructuredGrid\" "
                          "version=\"{}\" byte_order=\"{}\"{}{}>\n<UnstructuredGrid>\n",
                v_.long_header ? "1.0" : "0.1", v_.big_endian ? "BigEndian" : "LittleEndian",
                v_.long_header ? " header_type=\"UInt64\"" : "",
                v_.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
        s += piece + "</UnstructuredGrid>\n";
        if (v_.place == VtuVariant::appended_raw || v_.place == VtuVariant::appended_base64) {
            s += fmt::format(
                "<AppendedData encoding=\"{}\">\n  _", v_.place == VtuVariant::appended_raw ? "raw" : "base64");
            s += appended_ + "\n</AppendedData>\n";
        }
        return s + "</VTKFile>\n";
    }

private:
    template <class T>
    std::string raw(T value) const
    {
        std::string bytes(reinterpret_cast<const char*>(&value), sizeof(T)); // the tests run on little-endian machines
        if (v_.big_endian) std::reverse(bytes.begin(), bytes.end());
        return bytes;
    }

    std::string head(std::uint64_t value) const
    {
        return v_.long_header ? raw(value) : raw(static_cast<std::uint32_t>(value));
    }

    static std::string base64(const std::string& bytes)
    {
        const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::string s;
        for (std::size_t i = 0; i < bytes.size(); i += 3) {
            std::uint32_t bits = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
            }
            for (std::size_t k = 0; k < 4; ++k) s += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
        }
        return s;
    }

    std::string stored(const std::string& data) const
    {
        std::string lengths = head(data.size()), body = data;
        if (v_.compressed) {
            const std::size_t block = 64; // small, so that there are several
            const std::size_t blocks = (data.size() + block - 1) / block;
            lengths = head(blocks) + head(block) + head(data.size() % block);
            body.clear();
            for (std::size_t i = 0; i < blocks; ++i) {
                const std::string part = data.substr(i * block, block);
                std::string packed(::compressBound(part.size()), '\0');
                uLongf size = packed.size();
                ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(part.data()),
                    part.size());
                lengths += head(size);
                body += packed.substr(0, size);
            }
        }
        if (v_.place == VtuVariant::appended_raw) return lengths + body;
        return v_.split_base64 ? base64(lengths) + base64(body) : base64(lengths + body);
    }

    VtuVariant v_;
    std::string appended_;
};

/// Tetrahedra with one group and a triangle that does not count. A point that no tetrahedron uses comes first.
inline std::string vtu_variant(const VtuVariant& v, const TetMesh& mesh)
{
    VtuVariantWriter out(v);
    std::vector<double> x = {9, 9, 9};
    for (const Vec3& node : mesh.nodes) x.insert(x.end(), node.data(), node.data() + 3);
    std::vector<std::int64_t> corners = {1, 2, 3}, ends = {3};
    std::vector<std::uint8_t> types = {5};
    for (const Tet& tet : mesh.tets) {
        for (const Index i : tet) corners.push_back(i + 1);
        ends.push_back(static_cast<std::int64_t>(corners.size()));
        types.push_back(10);
    }
    std::vector<std::uint8_t> group(mesh.nodes.size() + 1, 0);
    group[0] = 1;
    for (const Index i : mesh.groups.at("lid")) group[static_cast<std::size_t>(i) + 1] = 1;

    std::string piece = fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n", mesh.nodes.size() + 1, types.size());
    piece += out.array("UInt8", "group:lid", 1, group);
    piece += out.array("Float64", "heat", 1, std::vector<double>(group.size(), 0.5));
    piece += "</PointData>\n<CellData/>\n<Points>\n";
    piece += v.single ? out.array("Float32", "Points", 3, std::vector<float>(x.begin(), x.end()))
                      : out.array("Float64", "Points", 3, x);
    piece += "</Points>\n<Cells>\n";
    if (v.single) {
        piece += out.array("Int64", "connectivity", 1, corners);
        piece += out.array("Int64", "offsets", 1, ends);
    } else {
        piece += out.array("Int32", "connectivity", 1, std::vector<std::int32_t>(corners.begin(), corners.end()));
        piece += out.array("Int32", "offsets", 1, std::vector<std::int32_t>(ends.begin(), ends.end()));
    }
    piece += out.array("UInt8", "types", 1, types);
    return out.file(piece + "</Cells>\n</Piece>\n");
}

} // namespace rubato
