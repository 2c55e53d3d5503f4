#include "geometry/files/mesh_source.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace rubato {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// Short and printable, whatever the file holds.
std::string shown(std::string_view text)
{
    std::string s(text.substr(0, 40));
    for (char& c : s) {
        if (c < ' ' || c > '~') c = '?';
    }
    return text.size() > 40 ? s + "..." : s;
}

} // namespace

MeshSource::MeshSource(std::string file, std::string_view bytes)
    : file_(std::move(file))
    , bytes_(bytes)
{
}

MeshSource::MeshSource(std::string file, std::string_view text, int line, bool one_line)
    : file_(std::move(file))
    , bytes_(text)
    , line_(line)
    , last_line_(line)
    , one_line_(one_line)
{
}

void MeshSource::fail(const std::string& what, const std::string& found, const std::string& allowed) const
{
    std::string key = what;
    if (*record_ != '\0') key += fmt::format(" of {}", record_);
    if (record_number_ > 0) key += fmt::format(" {}", record_number_);
    if (binary_) key += fmt::format(" at byte {}", last_);
    throw InputError({file_, binary_ ? 0 : last_line_, key, shown(found), allowed});
}

void MeshSource::begin_record(const char* kind, std::uint64_t number)
{
    record_ = kind;
    record_number_ = number;
    may_cross_line_ = true;
}

void MeshSource::skip_blanks()
{
    while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
    if (comment_ != '\0' && position_ < bytes_.size() && bytes_[position_] == comment_) {
        position_ = std::min(bytes_.find('\n', position_), bytes_.size());
    }
}

bool MeshSource::at_end()
{
    for (skip_blanks(); position_ < bytes_.size() && bytes_[position_] == '\n'; skip_blanks()) {
        ++position_;
        ++line_;
    }
    return position_ == bytes_.size();
}

std::string_view MeshSource::word(const char* what)
{
    if (may_cross_line_) {
        at_end();
    } else {
        skip_blanks();
    }
    last_ = position_;
    last_line_ = line_;
    const bool ended = position_ == bytes_.size();
    if (ended && !one_line_) fail(what, "end of file", "the file is cut short");
    if (ended || bytes_[position_] == '\n') fail(what, "end of line", "the line is too short");
    while (position_ < bytes_.size() && bytes_[position_] != '\n' && !is_blank(bytes_[position_])) ++position_;
    may_cross_line_ = false;
    return bytes_.substr(last_, position_ - last_);
}

template <class T>
T MeshSource::parsed(const char* what, const char* allowed)
{
    const std::string_view text = word(what);
    // from_chars takes a minus but no plus
    const std::string_view digits = text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) fail(what, std::string(text), allowed);
    return value;
}

std::int32_t MeshSource::text_integer(const char* what)
{
    return parsed<std::int32_t>(what, "must be an integer of at most 32 bits");
}

std::uint64_t MeshSource::text_size(const char* what)
{
    return parsed<std::uint64_t>(what, "must be an integer >= 0 of at most 64 bits");
}

double MeshSource::text_real(const char* what)
{
    constexpr const char* allowed = "must be a finite number";
    const double value = parsed<double>(what, allowed);
    if (!std::isfinite(value)) fail(what, std::string(bytes_.substr(last_, position_ - last_)), allowed);
    return value;
}

const char* MeshSource::raw_bytes(const char* what, std::size_t size)
{
    last_ = position_;
    if (bytes_left() < size) fail(what, "end of file", "the file is cut short");
    position_ += size;
    may_cross_line_ = true; // what follows binary data is a line of its own
    return bytes_.data() + last_;
}

template <class T>
T MeshSource::raw(const char* what)
{
    T value;
    std::memcpy(&value, raw_bytes(what, sizeof(T)), sizeof(T));
    return value;
}

std::int32_t MeshSource::integer(const char* what) { return binary_ ? raw<std::int32_t>(what) : text_integer(what); }

std::uint64_t MeshSource::size(const char* what) { return binary_ ? raw<std::uint64_t>(what) : text_size(what); }

double MeshSource::real(const char* what)
{
    if (!binary_) return text_real(what);
    const double value = raw<double>(what);
    if (!std::isfinite(value)) fail(what, fmt::format("{}", value), "must be a finite number");
    return value;
}

std::int64_t MeshSource::integer(const char* what, Scalar type)
{
    if (!binary_) return parsed<std::int64_t>(what, "must be an integer");
    return integer_at(raw_bytes(what, size_of(type)), type, swapped_);
}

double MeshSource::real(const char* what, Scalar type)
{
    if (!binary_) return text_real(what);
    const double value = real_at(raw_bytes(what, size_of(type)), type, swapped_);
    if (!std::isfinite(value)) fail(what, fmt::format("{}", value), "must be a finite number");
    return value;
}

void MeshSource::skip(const char* what, Scalar type)
{
    if (binary_) {
        raw_bytes(what, size_of(type));
    } else {
        word(what);
    }
}

std::string_view MeshSource::rest_of_line()
{
    skip_blanks();
    last_ = position_;
    last_line_ = line_;
    position_ = std::min(bytes_.find('\n', position_), bytes_.size());
    std::string_view rest = bytes_.substr(last_, position_ - last_);
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
}

void MeshSource::start_data()
{
    if (!binary_) return;
    const std::string_view rest = rest_of_line();
    if (!rest.empty()) fail("line before binary data", std::string(rest), "the line must end here");
    if (position_ == bytes_.size()) fail("binary data", "end of file", "the file is cut short");
    ++position_;
}

void MeshSource::expect(std::string_view marker)
{
    begin_record("");
    const std::string what(marker);
    const std::string_view found = word(what.c_str());
    if (found != marker) {
        fail(what, std::string(found), "expected " + what + " here; a count before it may be wrong");
    }
}

void MeshSource::skip_past(std::string_view marker, const char* section)
{
    const std::string at_line_start = std::string("\n").append(marker);
    const std::size_t found = bytes_.find(at_line_start, position_);
    if (found == std::string_view::npos) {
        fail(section, "end of file", "is not closed by " + std::string(marker));
    }
    const std::size_t end = found + at_line_start.size();
    if (!binary_) {
        for (std::size_t i = position_; i < end; ++i) line_ += bytes_[i] == '\n';
    }
    position_ = end;
}

void MeshSource::require_room(std::uint64_t count, std::size_t least_bytes_each, const char* what) const
{
    if (count > bytes_left() / least_bytes_each) {
        fail(what, fmt::format("{}", count),
            fmt::format("the file is too short for so many: {} bytes are left", bytes_left()));
    }
}

} // namespace rubato
