#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubato {

/// The tags of an XML file one after the other. Strict about what it knows: elements, attributes, the five named
/// entities, comments and declarations; nesting must be right. Everything else is an InputError with its line.
class XmlTokens {
public:
    /// `bytes` must outlive the tokens; `file` is for messages.
    XmlTokens(std::string file, std::string_view bytes);

    /// Moves to the next opening tag (also of an empty element) or closing tag; false behind the last one.
    bool next();

    const std::string& name() const { return name_; }
    bool closing() const { return closing_; } ///< of </name>, and once more behind <name/>
    std::optional<std::string> attribute(std::string_view name) const;
    std::string required(std::string_view name) const; ///< an attribute that must be there
    const std::vector<std::string>& path() const { return open_; } ///< names of the elements around and with the tag

    std::string_view text() const; ///< from the tag up to the next one
    std::string_view rest() const { return bytes_.substr(position_); } ///< all bytes behind the tag
    int line() const { return line_; } ///< of the tag
    int text_line() const { return text_line_; } ///< where the text begins

    [[noreturn]] void fail(const std::string& what, const std::string& found, const std::string& allowed) const;

private:
    void move_to(std::size_t position);
    void skip_blanks();
    std::string read_name();
    void read_attributes();
    std::string decoded(std::string_view text) const;

    std::string file_;
    std::string_view bytes_;
    std::size_t position_ = 0;
    int line_ = 1, text_line_ = 1;
    std::string name_;
    std::vector<std::pair<std::string, std::string>> attributes_;
    std::vector<std::string> open_;
    bool closing_ = false;
    bool empty_ = false; ///< <name/>: the closing tag is still to be told
    bool left_ = false; ///< the last element of open_ ends with this tag
};

} // namespace rubato
