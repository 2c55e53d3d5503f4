#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rubato {

/// A checkpoint in memory, written and read by the same function: `archive("h_old", h_old_)` stores when saving and
/// restores when loading. Each field carries its name, so a file of another version says what does not fit.
class Archive {
public:
    class Mismatch : public std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    Archive() = default; ///< to save into
    explicit Archive(std::vector<std::uint8_t> bytes) ///< to load from
        : bytes_(std::move(bytes))
        , loading_(true)
    {
    }

    bool loading() const { return loading_; }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    bool at_end() const { return position_ == bytes_.size(); }

    /// From now on a Vector that is loaded must have this many entries, or none: whoever knows the size of the system
    /// says so before those who do not load their history.
    void expect_vectors_of(Eigen::Index size) { vector_size_ = size; }

    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(std::string_view name, T& value) { field(name, &value, sizeof(T)); }
    void operator()(std::string_view name, Vector& value);
    void operator()(std::string_view name, std::string& value);
    void operator()(std::string_view name, std::vector<double>& value);

private:
    void field(std::string_view name, void* data, std::size_t size);
    std::uint64_t opened(std::string_view name, std::uint64_t size);
    std::uint64_t opened_numbers(std::string_view name, std::uint64_t count); ///< how many doubles follow
    void raw(void* data, std::size_t size);

    std::vector<std::uint8_t> bytes_;
    std::size_t position_ = 0;
    Eigen::Index vector_size_ = -1; // -1: any
    bool loading_ = false;
};

} // namespace rubato
