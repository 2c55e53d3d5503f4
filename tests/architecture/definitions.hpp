#pragma once

#include "architecture/tokens.hpp"

#include <optional>

/// What a file defines and declares at namespace scope, read from its tokens. This is no compiler: it knows the forms
/// of C++ that the tree is written in, looks into no body, and takes the first branch of every #if.
namespace rubato::rules {

enum class Kind { type, function, variable };

struct Definition {
    Kind kind = Kind::type;
    std::string space; ///< namespace, e.g. "rubato::cli::"; an unnamed one does not show
    std::string name; ///< as written, e.g. "Scene", "Scene::Impl", "operator +", "formatter < rubato :: Real >"
    std::string signature; ///< of a function: types of its parameters, without their names
    std::string file;
    std::size_t line = 0; ///< from 0
    bool defines = true; ///< otherwise it only declares
    bool unnamed = false; ///< inside an unnamed namespace
    bool c_linkage = false; ///< inside extern "C"
    bool internal = false; ///< `static`, or a constant that is neither `inline` nor `extern`

    std::string full_name() const { return space + name + signature; }
};

/// Reads one file.
class DefinitionReader {
public:
    explicit DefinitionReader(const SourceFile& file)
        : path_(file.path)
        , tokens_(tokens(file.text))
    {
        while (at_ < tokens_.size()) statement();
    }

    const std::vector<Definition>& definitions() const { return found_; }
    /// Lines of `namespace {`.
    const std::vector<std::size_t>& unnamed_namespaces() const { return unnamed_; }
    /// Whether every brace found its partner: otherwise the file is written in a form that is not known here.
    bool understood() const { return scopes_.empty() && !stray_brace_; }

private:
    using Head = std::vector<Token>;

    struct Scope {
        std::string prefix;
        bool unnamed = false;
        bool c_linkage = false;
    };

    static bool is(const Token& token, std::initializer_list<const char*> words)
    {
        return std::any_of(words.begin(), words.end(), [&](const char* word) { return token.text == word; });
    }

    /// Position after the bracket that closes the one at `at`.
    static std::size_t after_group(const Head& all, std::size_t at)
    {
        int depth = 0;
        for (; at < all.size(); ++at) {
            if (is(all[at], {"(", "{", "["})) ++depth;
            if (is(all[at], {")", "}", "]"}) && --depth == 0) return at + 1;
        }
        return all.size();
    }

    /// Position after the > that closes the < at `at`.
    static std::size_t after_angles(const Head& all, std::size_t at)
    {
        int depth = 0;
        while (at < all.size()) {
            if (is(all[at], {"(", "{", "["})) {
                at = after_group(all, at);
                continue;
            }
            if (all[at].text == "<") ++depth;
            if (all[at].text == ">" && --depth == 0) return at + 1;
            ++at;
        }
        return all.size();
    }

    static std::string joined(const Head& head, std::size_t from, std::size_t to)
    {
        std::string text;
        for (std::size_t i = from; i < to; ++i) text += (text.empty() ? "" : " ") + head[i].text;
        return text;
    }

    /// One statement at namespace scope: up to its `;`, or with the braces that belong to it.
    void statement()
    {
        if (tokens_[at_].text == ";") {
            ++at_;
            return;
        }
        if (tokens_[at_].text == "}") {
            stray_brace_ = stray_brace_ || scopes_.empty();
            if (!scopes_.empty()) scopes_.pop_back();
            ++at_;
            return;
        }
        Head head;
        while (at_ < tokens_.size()) {
            const Token token = tokens_[at_];
            if (token.text == ";" || token.text == "}") {
                if (token.text == ";") ++at_;
                without_body(head);
                return;
            }
            if (token.text == "(" || token.text == "[") {
                const std::size_t end = after_group(tokens_, at_);
                head.insert(head.end(), tokens_.begin() + at_, tokens_.begin() + end);
                at_ = end;
                // A macro that stands for a whole statement: TEST(A, B) { ... }.
                if (head.size() >= 3 && head[1].text == "(" && is_macro(head[0].text)) {
                    if (at_ < tokens_.size() && tokens_[at_].text == "{") at_ = after_group(tokens_, at_);
                    return;
                }
                continue;
            }
            if (token.text != "{") {
                head.push_back(token);
                ++at_;
                continue;
            }
            if (opens_scope(head)) {
                ++at_;
                return;
            }
            const bool function = is_function(head);
            const bool member_initialiser = function && inside_initialisers(head);
            at_ = after_group(tokens_, at_);
            if (function && !member_initialiser) {
                add_function(head, true);
                return;
            }
            head.push_back({"{}", token.line});
        }
        without_body(head);
    }

    static bool is_macro(const std::string& word)
    {
        return word.size() > 2 && std::all_of(word.begin(), word.end(), [](unsigned char c) {
            return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_';
        });
    }

    /// `namespace a::b {`, `namespace {` and `extern "C" {`.
    bool opens_scope(const Head& head)
    {
        if (head.size() >= 2 && head[0].text == "extern" && head[1].text == "\"\"" && head.size() == 2) {
            scopes_.push_back(scopes_.empty() ? Scope{} : scopes_.back());
            scopes_.back().c_linkage = true;
            return true;
        }
        const std::size_t first = !head.empty() && head[0].text == "inline" ? 1 : 0;
        if (head.size() <= first || head[first].text != "namespace") return false;
        Scope scope = scopes_.empty() ? Scope{} : scopes_.back();
        if (head.size() == first + 1) {
            scope.unnamed = true;
            unnamed_.push_back(head[first].line);
        }
        for (std::size_t i = first + 1; i < head.size(); ++i) {
            if (head[i].text != "::") scope.prefix += head[i].text + "::";
        }
        scopes_.push_back(scope);
        return true;
    }

    /// Position after `template <...> requires ...` and attributes: where the declaration itself begins.
    static std::size_t after_template_head(const Head& head)
    {
        std::size_t at = 0;
        while (at < head.size()) {
            if (head[at].text == "[")
                at = after_group(head, at);
            else if (head[at].text == "template" && at + 1 < head.size() && head[at + 1].text == "<")
                at = after_angles(head, at + 1);
            else if (head[at].text == "requires")
                at = after_requirement(head, at + 1);
            else
                break;
        }
        return at;
    }

    /// A requires clause: (…) or Name<…>, joined by && and ||.
    static std::size_t after_requirement(const Head& head, std::size_t at)
    {
        while (at < head.size()) {
            if (head[at].text == "(") {
                at = after_group(head, at);
            } else {
                while (at < head.size() && (head[at].is_word || head[at].text == "::")) {
                    ++at;
                    if (at < head.size() && head[at].text == "<") at = after_angles(head, at);
                    if (at >= head.size() || head[at].text != "::") break;
                }
            }
            if (at + 1 < head.size() && is(head[at], {"&&", "||"}))
                ++at;
            else
                break;
        }
        return at;
    }

    /// Position of the parenthesis that opens the parameters of a function, if `head` declares one.
    static std::optional<std::size_t> parameters_of(const Head& head)
    {
        for (std::size_t at = after_template_head(head); at < head.size();) {
            const std::string& text = head[at].text;
            if (text == "operator") {
                at += head[at + 1 < head.size() ? at + 1 : at].text == "(" ? 3 : 1;
                while (at < head.size() && head[at].text != "(") ++at;
                return at < head.size() ? std::optional(at) : std::nullopt;
            }
            if (text == "=" || text == "{}") return std::nullopt;
            if (text == "(") {
                if (at > 0 && head[at - 1].is_word
                    && !is(head[at - 1], {"decltype", "alignas", "noexcept", "explicit"}))
                    return at;
                at = after_group(head, at);
            } else if (text == "<") {
                at = after_angles(head, at);
            } else if (text == "[") {
                at = after_group(head, at);
            } else {
                ++at;
            }
        }
        return std::nullopt;
    }

    static bool is_function(const Head& head) { return !is_type(head) && parameters_of(head).has_value(); }

    /// Whether the brace after `head` is the value of a member in a constructor's list of initialisers.
    static bool inside_initialisers(const Head& head)
    {
        const std::size_t end = after_group(head, *parameters_of(head));
        const bool list = std::any_of(head.begin() + end, head.end(), [](const Token& t) { return t.text == ":"; });
        return list && (head.back().is_word || head.back().text == ">");
    }

    static bool is_type(const Head& head)
    {
        const std::size_t at = after_template_head(head);
        return at < head.size() && is(head[at], {"struct", "class", "union", "enum", "typedef"});
    }

    /// A statement that ended with `;`, or with a brace that is not the body of a function.
    void without_body(const Head& head)
    {
        const std::size_t at = after_template_head(head);
        if (at >= head.size()) return;
        if (is(head[at], {"static_assert", "namespace", "template", "friend"})) return;
        if (head[at].text == "extern" && at + 1 < head.size() && head[at + 1].text == "template") return;
        if (head[at].text == "using") {
            if (at + 2 < head.size() && head[at + 2].text == "=")
                add(Kind::type, head[at + 1].text, head[at].line, true);
        } else if (head[at].text == "concept") {
            if (at + 1 < head.size()) add(Kind::type, head[at + 1].text, head[at].line, true);
        } else if (is_type(head)) {
            add_type(head, at);
        } else if (parameters_of(head)) {
            add_function(head, false);
        } else {
            add_variable(head, at);
        }
    }

    void add_type(const Head& head, std::size_t at)
    {
        const std::size_t line = head[at].line;
        const bool has_body = std::any_of(head.begin(), head.end(), [](const Token& t) { return t.text == "{}"; });
        if (head[at].text == "typedef") {
            std::size_t end = at;
            while (end < head.size() && head[end].text != "__attribute__") ++end;
            if (head[end - 1].is_word) add(Kind::type, head[end - 1].text, line, true);
            return;
        }
        const bool enumeration = head[at].text == "enum";
        ++at;
        if (enumeration && at < head.size() && is(head[at], {"class", "struct"})) ++at;
        while (at < head.size() && is(head[at], {"[", "alignas"}))
            at = after_group(head, head[at].text == "[" ? at : at + 1);
        std::size_t end = at;
        while (end < head.size() && (head[end].is_word || head[end].text == "::") && head[end].text != "final") {
            ++end;
            if (end < head.size() && head[end].text == "<") end = after_angles(head, end);
            // `struct Name object;` declares an object.
            if (end < head.size() && head[end].is_word && head[end - 1].is_word) break;
        }
        if (end > at) add(Kind::type, joined(head, at, end), line, has_body);
    }

    void add_function(const Head& head, bool defines)
    {
        const std::size_t open = *parameters_of(head);
        std::size_t first = open; // where the name begins
        for (std::size_t i = after_template_head(head); i < open; ++i) {
            if (head[i].text == "operator") first = i;
        }
        if (first == open) --first;
        if (first > 0 && head[first - 1].text == "~") --first; // a destructor
        while (first >= 2 && head[first - 1].text == "::" && (head[first - 2].is_word || head[first - 2].text == ">")) {
            first -= 2;
            if (head[first].text == ">") {
                int depth = 0;
                do {
                    if (head[first].text == ">") ++depth;
                    if (head[first].text == "<") --depth;
                } while (depth > 0 && first-- > 0);
                if (first > 0) --first;
            }
        }
        const std::size_t line = head[first].line;
        Definition& made = add(Kind::function, joined(head, first, open), line, defines);
        made.signature = signature(head, open);
        made.internal = std::any_of(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(first),
            [](const Token& t) { return t.text == "static"; });
    }

    void add_variable(const Head& head, std::size_t at)
    {
        std::size_t end = at;
        bool external = false, fixed = false, declared = false;
        while (end < head.size() && !is(head[end], {"=", "{}", "[", "(", ","})) {
            external = external || is(head[end], {"inline", "extern"});
            declared = declared || head[end].text == "extern";
            fixed = fixed || is(head[end], {"const", "constexpr", "static"});
            end = head[end].text == "<" ? after_angles(head, end) : end + 1;
        }
        if (end <= at + 1 || !head[end - 1].is_word) return;
        add(Kind::variable, head[end - 1].text, head[end - 1].line, !declared).internal = fixed && !external;
        // double smallest = 1, largest = 2;
        while (end < head.size()) {
            if (head[end].text == "," && end + 1 < head.size() && head[end + 1].is_word)
                add(Kind::variable, head[end + 1].text, head[end + 1].line, !declared).internal = fixed && !external;
            const bool opens = is(head[end], {"(", "["});
            end = opens ? after_group(head, end) : head[end].text == "<" ? after_angles(head, end) : end + 1;
        }
    }

    Definition& add(Kind kind, const std::string& name, std::size_t line, bool defines)
    {
        const Scope scope = scopes_.empty() ? Scope{} : scopes_.back();
        found_.push_back({.kind = kind,
            .space = scope.prefix,
            .name = name,
            .signature = {},
            .file = path_,
            .line = line,
            .defines = defines,
            .unnamed = scope.unnamed,
            .c_linkage = scope.c_linkage,
            .internal = false});
        return found_.back();
    }

    static std::string signature(const Head& head, std::size_t open);

    std::string path_;
    Head tokens_;
    std::size_t at_ = 0;
    std::vector<Scope> scopes_;
    std::vector<Definition> found_;
    std::vector<std::size_t> unnamed_;
    bool stray_brace_ = false;
};

/// Types of the parameters with their default values and names left out, and names of template parameters replaced by
/// numbers: "<typename> (const #0 &, double)". Two declarations of one function have the same signature.
inline std::string DefinitionReader::signature(const Head& head, std::size_t open)
{
    std::map<std::string, std::string> numbered;
    std::string result;
    const std::size_t begin = after_template_head(head);
    const auto names_its_end = [](const Head& part) {
        if (part.size() < 2 || !part.back().is_word) return false;
        if (is(part.back(),
                {"int", "double", "float", "char", "bool", "long", "short", "unsigned", "auto", "const", "void",
                    "typename", "class"}))
            return false;
        return !is(part[part.size() - 2], {"::", "const", "volatile", "struct", "class", "enum"});
    };
    // Parts of a list between commas, default values left out.
    const auto parts = [](const Head& all, std::size_t from, std::size_t to) {
        std::vector<Head> list(1);
        bool in_default = false;
        for (std::size_t i = from; i < to;) {
            if (all[i].text == ",") {
                list.emplace_back();
                in_default = false;
                ++i;
                continue;
            }
            in_default = in_default || all[i].text == "=";
            std::size_t end = i + 1;
            if (is(all[i], {"(", "[", "{"})) end = after_group(all, i);
            if (all[i].text == "<") end = after_angles(all, i);
            if (!in_default) list.back().insert(list.back().end(), all.begin() + i, all.begin() + end);
            i = end;
        }
        return list;
    };
    const auto plain = [&](const Head& part) {
        std::string text;
        for (const Token& token : part) {
            const auto number = numbered.find(token.text);
            text += (text.empty() ? "" : " ") + (number == numbered.end() ? token.text : number->second);
        }
        return text;
    };

    for (std::size_t at = 0; at < begin;) {
        if (head[at].text == "template") {
            const std::size_t end = after_angles(head, at + 1);
            result += "<";
            for (Head part : parts(head, at + 2, end - 1)) {
                if (part.size() >= 2 && part.back().is_word) {
                    numbered.emplace(part.back().text, "#" + std::to_string(numbered.size()));
                    part.pop_back();
                }
                for (Token& token : part) {
                    if (token.text == "class") token.text = "typename";
                }
                result += plain(part) + ",";
            }
            result += ">";
            at = end;
        } else if (head[at].text == "[") {
            at = after_group(head, at);
        } else {
            result += plain({head[at]}) + " "; // a requires clause tells functions apart
            ++at;
        }
    }
    const std::size_t end = after_group(head, open);
    result += "(";
    bool first = true;
    for (Head part : parts(head, open + 1, end - 1)) {
        if (part.empty()) continue;
        while (!part.empty() && part.front().text == "[")
            part.erase(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(after_group(part, 0)));
        if (names_its_end(part)) part.pop_back();
        // `const double` by value is `double`.
        const bool indirect = std::any_of(part.begin(), part.end(), [](const Token& t) {
            return is(t, {"&", "*", "&&"});
        });
        if (!indirect && !part.empty() && part.front().text == "const") part.erase(part.begin());
        result += (first ? "" : ", ") + plain(part);
        first = false;
    }
    return result + ")";
}

} // namespace rubato::rules
