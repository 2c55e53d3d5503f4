#include "geometry/files/xml_tokens.hpp"

#include "base/errors.hpp"
#include "geometry/files/writing.hpp"

#include <algorithm>

namespace rubato {

namespace {

constexpr std::size_t deepest = 32; ///< mesh files nest six deep

bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
        || c == ':' || c == '.';
}

constexpr std::string_view blanks = " \t\r\n";

} // namespace

XmlTokens::XmlTokens(std::string file, std::string_view bytes)
    : file_(std::move(file))
    , bytes_(bytes)
{
}

void XmlTokens::fail(const std::string& what, const std::string& found, const std::string& allowed) const
{
    throw InputError({file_, line_, what, printable(std::string_view(found).substr(0, 40)), allowed});
}

void XmlTokens::move_to(std::size_t position)
{
    position = std::min(position, bytes_.size());
    text_line_ += static_cast<int>(std::count(bytes_.begin() + static_cast<std::ptrdiff_t>(position_),
        bytes_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
    position_ = position;
}

void XmlTokens::skip_blanks() { move_to(bytes_.find_first_not_of(blanks, position_)); }

std::string XmlTokens::read_name()
{
    std::size_t end = position_;
    while (end < bytes_.size() && is_name(bytes_[end])) ++end;
    if (end == position_) {
        fail("XML", std::string(bytes_.substr(position_, 1)),
            position_ < bytes_.size() ? "a name must stand here" : "the file is cut short");
    }
    std::string name(bytes_.substr(position_, end - position_));
    move_to(end);
    return name;
}

std::string XmlTokens::decoded(std::string_view text) const
{
    constexpr std::pair<std::string_view, char> entities[]
        = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    std::string s;
    while (!text.empty()) {
        const auto entity = std::find_if(
            std::begin(entities), std::end(entities), [&](const auto& e) { return text.starts_with(e.first); });
        if (text.front() == '&' && entity == std::end(entities)) {
            fail("entity", std::string(text.substr(0, 8)), "must be &amp; &lt; &gt; &quot; or &apos;");
        }
        const bool found = entity != std::end(entities);
        s += found ? entity->second : text.front();
        text.remove_prefix(found ? entity->first.size() : 1);
    }
    return s;
}

void XmlTokens::read_attributes()
{
    attributes_.clear();
    for (;;) {
        skip_blanks();
        if (position_ < bytes_.size() && (bytes_[position_] == '>' || bytes_[position_] == '/')) return;
        std::string attribute = read_name();
        skip_blanks();
        if (position_ >= bytes_.size() || bytes_[position_] != '=') fail(attribute, "no =", "an attribute has a value");
        ++position_;
        skip_blanks();
        const char quote = position_ < bytes_.size() ? bytes_[position_] : '\0';
        if (quote != '"' && quote != '\'') fail(attribute, "no quote", "the value must stand between quotes");
        const std::size_t end = bytes_.find(quote, position_ + 1);
        if (end == std::string_view::npos) fail(attribute, "end of file", "the file is cut short");
        attributes_.emplace_back(std::move(attribute), decoded(bytes_.substr(position_ + 1, end - position_ - 1)));
        move_to(end + 1);
    }
}

bool XmlTokens::next()
{
    if (left_) open_.pop_back();
    left_ = false;
    if (empty_) {
        empty_ = false;
        closing_ = left_ = true;
        attributes_.clear();
        return true;
    }
    for (;;) {
        move_to(bytes_.find('<', position_));
        line_ = text_line_;
        if (position_ >= bytes_.size()) {
            if (!open_.empty())
                fail("XML", "end of file", "<" + open_.back() + "> is not closed; the file is cut short");
            return false;
        }
        const std::string_view rest = bytes_.substr(position_);
        const bool comment = rest.starts_with("<!--");
        if (!comment && !rest.starts_with("<?") && !rest.starts_with("<!")) break;
        const std::string_view ending = comment ? "-->" : ">";
        const std::size_t end = bytes_.find(ending, position_);
        if (end == std::string_view::npos) fail("XML", "end of file", "the file is cut short");
        move_to(end + ending.size());
    }
    ++position_;
    closing_ = position_ < bytes_.size() && bytes_[position_] == '/';
    if (closing_) ++position_;
    name_ = read_name();
    read_attributes();
    const bool is_empty = bytes_[position_] == '/';
    if (is_empty) ++position_;
    if (position_ >= bytes_.size() || bytes_[position_] != '>') fail("<" + name_, "no >", "the tag must end here");
    ++position_;
    if (closing_) {
        if (is_empty || open_.empty() || open_.back() != name_) {
            fail(
                "XML", "</" + name_ + ">", open_.empty() ? "nothing is open here" : "expected </" + open_.back() + ">");
        }
        left_ = true;
        return true;
    }
    if (open_.size() >= deepest) fail("XML", "<" + name_ + ">", "elements are nested too deep");
    open_.push_back(name_);
    empty_ = is_empty;
    return true;
}

std::optional<std::string> XmlTokens::attribute(std::string_view name) const
{
    for (const auto& [key, value] : attributes_) {
        if (key == name) return value;
    }
    return {};
}

std::string XmlTokens::required(std::string_view name) const
{
    const std::optional<std::string> value = attribute(name);
    if (!value) fail("<" + name_ + ">", "nothing", "the attribute " + std::string(name) + " is missing");
    return *value;
}

std::string_view XmlTokens::text() const
{
    return empty_ ? std::string_view() : bytes_.substr(position_, bytes_.find('<', position_) - position_);
}

} // namespace rubato
