#include "base/archive.hpp"

#include <cstring>

namespace rubato {

void Archive::raw(void* data, std::size_t size)
{
    if (size == 0) return;
    if (loading_) {
        if (bytes_.size() - position_ < size) throw Mismatch("ends too early");
        std::memcpy(data, bytes_.data() + position_, size);
        position_ += size;
    } else {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }
}

/// Layout of a field: length of name (1 byte), name, size of data (8 bytes), data.
std::uint64_t Archive::opened(std::string_view name, std::uint64_t size)
{
    auto length = static_cast<std::uint8_t>(name.size());
    raw(&length, 1);
    std::string stored(loading_ ? std::size_t(length) : name.size(), '\0');
    if (!loading_) stored = name;
    raw(stored.data(), stored.size());
    if (stored != name) {
        throw Mismatch("holds '" + stored + "' where this version expects '" + std::string(name) + "'");
    }
    raw(&size, sizeof size);
    if (loading_ && size > bytes_.size() - position_) throw Mismatch("ends too early");
    return size;
}

void Archive::field(std::string_view name, void* data, std::size_t size)
{
    if (opened(name, size) != size) throw Mismatch("field '" + std::string(name) + "' has another size");
    raw(data, size);
}

std::uint64_t Archive::opened_numbers(std::string_view name, std::uint64_t count)
{
    const std::uint64_t size = opened(name, count * sizeof(double));
    if (size % sizeof(double) != 0) throw Mismatch("field '" + std::string(name) + "' is not made of numbers");
    return size / sizeof(double);
}

void Archive::operator()(std::string_view name, Vector& value)
{
    const auto count = static_cast<Eigen::Index>(opened_numbers(name, static_cast<std::uint64_t>(value.size())));
    if (loading_ && vector_size_ >= 0 && count != 0 && count != vector_size_) {
        throw Mismatch("field '" + std::string(name) + "' has " + std::to_string(count) + " entries where "
            + std::to_string(vector_size_) + " are needed");
    }
    if (loading_) value.resize(count);
    raw(value.data(), static_cast<std::size_t>(count) * sizeof(double));
}

void Archive::operator()(std::string_view name, std::string& value)
{
    const std::uint64_t size = opened(name, value.size());
    if (loading_) value.resize(size);
    raw(value.data(), size);
}

void Archive::operator()(std::string_view name, std::vector<double>& value)
{
    const std::uint64_t count = opened_numbers(name, value.size());
    if (loading_) value.resize(count);
    raw(value.data(), count * sizeof(double));
}

} // namespace rubato
