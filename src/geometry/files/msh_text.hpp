#pragma once

#include "base/types.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace rubato {

/// A Gmsh file that grows: the same calls add a number as text or in machine representation.
class MshText {
public:
    explicit MshText(bool binary)
        : binary_(binary)
    {
    }

    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(bytes_), format, std::forward<Args>(args)...);
        bytes_ += '\n';
    }
    template <class T>
    void add(T value)
    {
        if (binary_) {
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        } else {
            if (!bytes_.empty() && bytes_.back() != '\n') bytes_ += ' ';
            fmt::format_to(std::back_inserter(bytes_), "{}", value); // shortest text that gives back the same number
        }
    }
    void integer(std::int32_t value) { add(value); }
    void size(std::uint64_t value) { add(value); }
    void reals(const Vec3& x) { add(x[0]), add(x[1]), add(x[2]); }
    void end_record()
    {
        if (!binary_) bytes_ += '\n';
    }
    void end_section(const char* marker)
    {
        if (binary_) bytes_ += '\n';
        line("{}", marker);
    }

    void head(const char* version)
    {
        line("$MeshFormat");
        line("{} {} 8", version, binary_ ? 1 : 0);
        if (binary_) {
            integer(1);
            line("");
        }
        line("$EndMeshFormat");
    }
    void nodes_2(const std::vector<Vec3>& nodes)
    {
        line("$Nodes");
        line("{}", nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            integer(static_cast<std::int32_t>(i + 1));
            reals(nodes[i]);
            end_record();
        }
        end_section("$EndNodes");
    }
    /// Four counts in front of nodes or elements numbered 1 ... count.
    void header_4(std::size_t blocks, std::size_t count)
    {
        for (const std::size_t n : {blocks, count, std::size_t(count > 0), count}) size(n);
        end_record();
    }
    /// All of the first entity of that dimension.
    void nodes_4(const std::vector<Vec3>& nodes, int dimension)
    {
        line("$Nodes");
        header_4(1, nodes.size());
        for (const int value : {dimension, 1, 0}) integer(value); // dimension, entity, not parametric
        size(nodes.size());
        end_record();
        for (std::size_t i = 1; i <= nodes.size(); ++i) {
            size(i);
            end_record();
        }
        for (const Vec3& x : nodes) {
            reals(x);
            end_record();
        }
        end_section("$EndNodes");
    }

    bool binary() const { return binary_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
    bool binary_;
};

} // namespace rubato
