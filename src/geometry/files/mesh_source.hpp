#pragma once

#include "geometry/files/scalar.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rubato {

/// The bytes of a mesh file and a place in them. The same calls read text and binary: a number is a word, or its
/// machine representation. What is wrong is thrown as an InputError that names the line (text) or the byte (binary),
/// what was found and what is allowed. Numbers of one record stand on one line, so that a missing one is noticed there.
class MeshSource {
public:
    /// `bytes` must outlive the source; `file` is for messages.
    MeshSource(std::string file, std::string_view bytes);
    /// Only one line of the file, the one of that number; or several from there on.
    MeshSource(std::string file, std::string_view text, int line, bool one_line = true);

    bool binary() const { return binary_; }
    void set_binary() { binary_ = true; } ///< from here on numbers are in machine representation
    void set_swapped() { swapped_ = true; } ///< and in the byte order of other machines
    void set_comment(char mark) { comment_ = mark; } ///< text from there to the end of its line does not count
    std::size_t bytes_left() const { return bytes_.size() - position_; }

    /// Only white space is left.
    bool at_end();

    /// What the next numbers belong to, for messages: "node" 17. The first of them may stand on a later line.
    void begin_record(const char* kind, std::uint64_t number = 0);

    std::int32_t integer(const char* what);
    std::uint64_t size(const char* what); ///< 8 bytes in binary
    double real(const char* what); ///< always finite

    /// A number of that type in binary, a word in text.
    std::int64_t integer(const char* what, Scalar type);
    double real(const char* what, Scalar type); ///< always finite
    void skip(const char* what, Scalar type); ///< whatever it is

    void skip_bytes(const char* what, std::size_t count) { raw_bytes(what, count); }

    // Text whatever the encoding: binary files keep some lines of text.
    std::string_view word(const char* what);
    std::int32_t text_integer(const char* what);
    std::uint64_t text_size(const char* what);
    double text_real(const char* what);
    std::string_view rest_of_line(); ///< without blanks at its ends; stays before the line break

    /// In a binary file: moves over the line break that must follow here; binary data begin right behind it.
    void start_data();

    /// Moves over `marker`, the next word.
    void expect(std::string_view marker);
    /// Moves behind the next line that reads `marker`.
    void skip_past(std::string_view marker, const char* section);

    /// Refuses a count that the rest of the file cannot hold, before memory is reserved for it.
    void require_room(std::uint64_t count, std::size_t least_bytes_each, const char* what) const;

    /// `what` of the current record is `found`, and that is not `allowed`. Points at what was read last.
    [[noreturn]] void fail(const std::string& what, const std::string& found, const std::string& allowed) const;

private:
    void skip_blanks();
    const char* raw_bytes(const char* what, std::size_t size);
    template <class T>
    T raw(const char* what);
    template <class T>
    T parsed(const char* what, const char* allowed);

    std::string file_;
    std::string_view bytes_;
    std::size_t position_ = 0;
    std::size_t last_ = 0; ///< where the last word or number began
    int line_ = 1; ///< of position_, from 1
    int last_line_ = 1; ///< of last_
    bool binary_ = false;
    bool swapped_ = false;
    char comment_ = '\0';
    bool one_line_ = false;
    bool may_cross_line_ = true;
    const char* record_ = "";
    std::uint64_t record_number_ = 0;
};

} // namespace rubato
