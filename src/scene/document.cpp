#include "scene/document.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace rubato {

namespace {

using Json = nlohmann::json;

/// Walks over the text and remembers the line of the last character that was read. The lexer reads at most one
/// character past a token, and a newline belongs to the line it ends, so this is the line of the token.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, int* line)
        : at_(at)
        , line_(line)
    {
    }
    reference operator*() const { return *at_; }
    CountingIterator& operator++()
    {
        if (after_newline_) ++*line_;
        after_newline_ = *at_ == '\n';
        ++at_;
        return *this;
    }
    CountingIterator operator++(int)
    {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    int* line_;
    bool after_newline_ = false;
};

/// Receives the parser's events and grows the tree of values.
class TreeGrower : public nlohmann::json_sax<Json> {
public:
    TreeGrower(std::string file, const int* line)
        : file_(std::move(file))
        , line_(line)
    {
    }

    bool null() override { return put({.kind = Value::Kind::null}); }
    bool boolean(bool b) override { return put({.kind = Value::Kind::flag, .flag = b}); }
    bool number_integer(std::int64_t n) override { return number(static_cast<double>(n)); }
    bool number_unsigned(std::uint64_t n) override { return number(static_cast<double>(n)); }
    bool number_float(double n, const std::string&) override { return number(n); }
    bool string(std::string& s) override
    {
        Value v{.kind = Value::Kind::text};
        v.text = std::move(s);
        return put(std::move(v));
    }
    bool binary(Json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Value::Kind::object); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Value::Kind::list); }
    bool end_array() override { return close(); }
    bool key(std::string& k) override
    {
        if (!open_.back().keys.insert(k).second) {
            throw InputError(Mistake{file_, *line_, k, "", "this key occurs twice in the same object"});
        }
        open_.back().key = k;
        // The member is there from now on, so that a second one of the same name is seen.
        open_.back().value.members.emplace_back(k, Value{});
        return true;
    }
    bool parse_error(std::size_t, const std::string& token, const Json::exception& error) override
    {
        std::string why = error.what();
        if (error.id == 406) why = "this number is outside the range of double precision";
        // The library's text is "[json.exception...] parse error at line 1, column 2: reason; last read: 'x'".
        if (const auto at = why.find("column "); at != std::string::npos) {
            if (const auto colon = why.find(": ", at); colon != std::string::npos) why = why.substr(colon + 2);
        } else if (const auto bracket = why.find("] "); why.starts_with('[') && bracket != std::string::npos) {
            why = why.substr(bracket + 2);
        }
        if (error.id != 406) why = "not valid JSON: " + why + (comma_too_many(why) ? "; perhaps a comma too many" : "");
        throw InputError(Mistake{file_, *line_, "", error.id == 406 ? token : "", why});
    }

    Value root;

private:
    struct Open {
        Value value;
        std::string key;
        std::unordered_set<std::string> keys = {}; ///< so far: asking the members would take the square of their number
    };

    /// After a comma the parser waits for another key or value and finds the end, or one more comma.
    bool comma_too_many(const std::string& why) const
    {
        const auto says = [&](const char* words) { return why.find(words) != std::string::npos; };
        if (open_.empty()) return false;
        if (open_.back().value.kind == Value::Kind::object) {
            return says("object key - unexpected '}'") || says("object key - unexpected ','");
        }
        return says("value - unexpected ']'") || says("value - unexpected ','");
    }
    bool number(double n)
    {
        Value v{.kind = Value::Kind::number};
        v.number = n;
        return put(std::move(v));
    }
    bool open(Value::Kind kind)
    {
        // Deeper than any scene; what walks over the tree calls itself once per level.
        constexpr std::size_t deepest = 64;
        if (open_.size() == deepest) {
            throw InputError(
                Mistake{.file = file_, .line = *line_, .message = "lists and objects are nested too deeply"});
        }
        Value v{.kind = kind};
        v.line = *line_;
        open_.push_back({std::move(v), ""});
        return true;
    }
    bool close()
    {
        Value done = std::move(open_.back().value);
        open_.pop_back();
        const int line = done.line;
        put(std::move(done), line);
        return true;
    }
    bool put(Value v) { return put(std::move(v), *line_); }
    bool put(Value v, int line)
    {
        v.line = line;
        if (open_.empty()) {
            root = std::move(v);
        } else if (open_.back().value.kind == Value::Kind::list) {
            open_.back().value.items.push_back(std::move(v));
        } else {
            open_.back().value.members.back().second = std::move(v);
        }
        return true;
    }

    std::string file_;
    const int* line_;
    std::vector<Open> open_;
};

/// The beginning of it: as many values as `room` says.
Json beginning_as_json(const Value& v, int& room)
{
    switch (v.kind) {
    case Value::Kind::null: return nullptr;
    case Value::Kind::flag: return v.flag;
    case Value::Kind::number:
        if (std::abs(v.number) < 1e15 && v.number == std::floor(v.number)) return static_cast<std::int64_t>(v.number);
        return v.number;
    case Value::Kind::text: return v.text;
    case Value::Kind::list: {
        Json list = Json::array();
        for (const Value& item : v.items) {
            if (room-- <= 0) break;
            list.push_back(beginning_as_json(item, room));
        }
        return list;
    }
    case Value::Kind::object: break;
    }
    Json object = Json::object();
    for (const auto& [key, member] : v.members) {
        if (room-- <= 0) break;
        object[key] = beginning_as_json(member, room);
    }
    return object;
}

void set_origin(Value& v, const std::string& origin)
{
    v.line = 0;
    v.origin = origin;
    for (Value& item : v.items) set_origin(item, origin);
    for (auto& [key, member] : v.members) set_origin(member, origin);
}

/// "bodies[0].density" -> bodies, [0], density
struct PathStep {
    std::string key;
    int index = -1; // >= 0: a list entry instead of a key
};

std::vector<PathStep> steps_of(const std::string& path, const std::string& origin)
{
    const auto bad = [&](const std::string& why) {
        return InputError(
            Mistake{origin, 0, "", path, why + "; a path looks like time.step or bodies[0].material.young"});
    };
    std::vector<PathStep> steps;
    std::size_t i = 0;
    while (i < path.size()) {
        if (path[i] == '[') {
            const auto end = path.find(']', i);
            int index = -1;
            if (end != std::string::npos) {
                const char* last = path.data() + end;
                const auto [stop, error] = std::from_chars(path.data() + i + 1, last, index);
                if (error != std::errc{} || stop != last) index = -1;
            }
            if (index < 0 || steps.empty()) throw bad("bad list index in the path");
            steps.push_back({"", index});
            i = end + 1;
            if (i < path.size() && path[i] != '.' && path[i] != '[')
                throw bad("a '.' is missing after a ']' in the path");
        } else {
            const auto end = std::min(path.find_first_of(".[", i), path.size());
            if (end == i) throw bad("empty key in the path");
            steps.push_back({path.substr(i, end - i)});
            i = end;
        }
        if (i < path.size() && path[i] == '.') {
            ++i;
            if (i < path.size() && path[i] == '[') throw bad("empty key in the path");
        }
    }
    if (steps.empty() || path.back() == '.') throw bad("the path does not end in a key");
    return steps;
}

} // namespace

const Value* Value::find(std::string_view key) const
{
    for (const auto& [name, member] : members) {
        if (name == key) return &member;
    }
    return nullptr;
}

std::string Value::brief() const
{
    int room = 64; // of values: more than fit into the text
    std::string s = beginning_as_json(*this, room).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (s.size() > 60) s = s.substr(0, 57) + "...";
    return s;
}

Document parsed_document(const std::string& text, const std::string& file)
{
    int line = 1;
    TreeGrower grower(file, &line);
    const char* begin = text.data();
    const char* const end = begin + text.size();
    // The parser takes a zero byte for the end of the text.
    if (const auto* const zero = std::find(begin, end, '\0'); zero != end) {
        throw InputError(Mistake{.file = file,
            .line = 1 + static_cast<int>(std::count(begin, zero, '\n')),
            .message = "holds a zero byte; a scene is text in UTF-8"});
    }
    // A byte-order mark is not whitespace to the parser when it comes through iterators of our own.
    if (text.starts_with("\xEF\xBB\xBF")) begin += 3;
    if (std::all_of(begin, end, [](unsigned char c) { return std::isspace(c) != 0; })) {
        throw InputError(Mistake{.file = file, .message = "is empty"});
    }
    Json::sax_parse(
        CountingIterator(begin, &line), CountingIterator(end, &line), &grower, Json::input_format_t::json, true, true);
    return {file, std::move(grower.root)};
}

Document document_from_file(const std::string& path)
{
    // The tree of values takes up to a hundred times the memory of its text.
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    return parsed_document(file_bytes(path, most_bytes), path);
}

void set_value(Document& document, const std::string& path, const std::string& value, const std::string& origin)
{
    for (const std::string* given : {&path, &value}) {
        if (!is_utf8(*given)) // in a file the parser refuses it
            throw InputError(Mistake{origin, 0, given == &path ? "" : path, *given, "must be text in UTF-8"});
    }
    Value parsed;
    try {
        parsed = parsed_document(value, origin).root;
    } catch (const InputError&) {
        parsed = Value{.kind = Value::Kind::text};
        parsed.text = value;
    }
    set_origin(parsed, origin);

    const std::vector<PathStep> steps = steps_of(path, origin);
    Value* at = &document.root;
    std::string walked;
    for (const PathStep& step : steps) {
        if (step.index >= 0) {
            if (at->kind != Value::Kind::list || step.index >= static_cast<int>(at->items.size())) {
                const auto size = at->kind == Value::Kind::list ? at->items.size() : 0;
                throw InputError(Mistake{origin, 0, fmt::format("{}[{}]", walked, step.index), "",
                    fmt::format("the scene has {} of these, counted from 0", size)});
            }
            at = &at->items[static_cast<std::size_t>(step.index)];
            walked += fmt::format("[{}]", step.index);
            continue;
        }
        // "newmark" and {"type": "newmark"} are the same thing.
        if (at->kind == Value::Kind::text) {
            Value object{.kind = Value::Kind::object, .line = at->line, .origin = at->origin};
            object.members.emplace_back("type", *at);
            *at = std::move(object);
        }
        if (at->kind != Value::Kind::object) {
            throw InputError(Mistake{origin, 0, walked, at->brief(), fmt::format("has no key '{}'", step.key)});
        }
        walked += (walked.empty() ? "" : ".") + step.key;
        Value* next = nullptr;
        for (auto& [key, member] : at->members) {
            if (key == step.key) next = &member;
        }
        if (!next) {
            at->members.emplace_back(step.key, Value{.kind = Value::Kind::object, .origin = origin});
            next = &at->members.back().second;
        }
        at = next;
    }
    *at = std::move(parsed);
}

} // namespace rubato
