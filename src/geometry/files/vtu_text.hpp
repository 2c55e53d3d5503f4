#pragma once

#include "geometry/files/writing.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rubato {

/// A VTK unstructured grid (.vtu) that grows array by array. Raw bytes behind the XML: each array is its length in
/// bytes (8 bytes), then its data. The XML refers to an array by the offset of that length from the underscore that
/// opens the appended data.
class VtuText {
public:
    static constexpr const char* byte_order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

    VtuText(std::size_t points, std::size_t cells)
        : points_(points)
        , cells_(cells)
    {
    }

    /// To PointData, CellData, Points, Cells or FieldData.
    template <class T>
    void add(const char* section, const char* type, const std::string& name, int components, std::span<const T> values)
    {
        const std::uint64_t offset = data_.size();
        const std::uint64_t size = values.size_bytes();
        data_.append(reinterpret_cast<const char*>(&size), sizeof size);
        data_.append(reinterpret_cast<const char*>(values.data()), size);
        const bool field = std::string_view(section) == "FieldData"; // arrays of a length of their own
        xml_[section] += fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} format=\"appended\" offset=\"{}\"/>\n",
            type, xml_text(name), components,
            field ? fmt::format(" NumberOfTuples=\"{}\"", values.size() / static_cast<std::size_t>(components)) : "",
            offset);
    }

    /// Words, to FieldData: codes of characters as text, a zero behind each word.
    void add_strings(const std::string& name, const std::vector<std::string>& words)
    {
        std::string& xml = xml_["FieldData"];
        xml += fmt::format("<DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">\n",
            xml_text(name), words.size());
        for (const std::string& word : words) {
            for (const char c : word) xml += fmt::format("{} ", static_cast<int>(static_cast<unsigned char>(c)));
            xml += "0\n";
        }
        xml += "</DataArray>\n";
    }

    std::string bytes() const
    {
        std::string text = fmt::format("<?xml version=\"1.0\"?>\n"
                                       "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" "
                                       "header_type=\"UInt64\">\n<UnstructuredGrid>\n",
            byte_order);
        const auto add_section = [&](const char* name, bool needed) {
            const auto found = xml_.find(name);
            if (!needed && found == xml_.end()) return;
            text += fmt::format("<{}>\n{}</{}>\n", name, found == xml_.end() ? "" : found->second, name);
        };
        add_section("FieldData", false);
        text += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", points_, cells_);
        add_section("PointData", true);
        add_section("CellData", false);
        add_section("Points", true);
        add_section("Cells", true);
        text += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
        text += data_;
        text += "\n</AppendedData>\n</VTKFile>\n";
        return text;
    }

private:
    std::size_t points_, cells_;
    std::map<std::string, std::string, std::less<>> xml_; ///< arrays by section
    std::string data_;
};

} // namespace rubato
