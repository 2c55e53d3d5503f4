#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// Rules about the text of the source tree. Each takes text and returns complaints "file:line: what is wrong", so that
/// the rules themselves can be tested on bad samples.
namespace rubato::rules {

using Complaints = std::vector<std::string>;

struct SourceFile {
    std::string path; ///< relative to the top folder, e.g. src/math/svd3.hpp
    std::string text;
};

/// room -> rooms that it may include; a room that may include everything has the entry "everything".
using IncludeTable = std::map<std::string, std::set<std::string>>;

inline std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
}

inline std::string place(const SourceFile& file, std::size_t line_index)
{
    return file.path + ":" + std::to_string(line_index + 1) + ": ";
}

/// Reads the rows below the head "| room | may include |" of a Markdown text; empty if there is no such table.
inline IncludeTable include_table(const std::string& markdown)
{
    IncludeTable table;
    bool inside = false;
    const std::regex head(R"(^\|\s*room\s*\|\s*may include\s*\|\s*$)");
    const std::regex row(R"(^\|\s*([a-z_]+)\s*\|([a-z_,\s]*)\|\s*$)");
    const std::regex word("[a-z_]+");
    for (const std::string& line : lines(markdown)) {
        std::smatch match;
        if (std::regex_match(line, head)) {
            inside = true;
        } else if (inside && (line.empty() || line[0] != '|')) {
            break;
        } else if (inside && std::regex_match(line, match, row)) {
            const std::string rooms = match[2];
            auto& allowed = table[match[1]];
            for (std::sregex_iterator it(rooms.begin(), rooms.end(), word), end; it != end; ++it) {
                allowed.insert(it->str());
            }
        }
    }
    return table;
}

/// src/math/svd3.hpp -> math, apps/cli/main.cpp -> apps.
inline std::string room_of(const std::string& path)
{
    const std::size_t first = path.find('/');
    const std::string top = path.substr(0, first);
    if (top != "src" || first == std::string::npos) return top;
    return path.substr(first + 1, path.find('/', first + 1) - first - 1);
}

/// Every quoted include names a room that this file's room may enter. Applications may also include the files beside
/// them.
inline Complaints wrong_includes(const SourceFile& file, const IncludeTable& table)
{
    const std::string room = room_of(file.path);
    const auto row = table.find(room);
    if (row == table.end()) return {file.path + ":1: room '" + room + "' has no row in the include table"};

    Complaints complaints;
    const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)".*)re");
    const std::vector<std::string> all = lines(file.text);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::smatch match;
        if (all[i].find('#') == std::string::npos || !std::regex_match(all[i], match, include)) continue;
        const std::string target = match[1];
        const std::size_t slash = target.find('/');
        if (slash == std::string::npos || target[0] == '.') {
            if (room != "apps" || target[0] == '.') {
                complaints.push_back(place(file, i) + "write the include as \"room/file.hpp\", not \"" + target + "\"");
            }
            continue;
        }
        const std::string entered = target.substr(0, slash);
        if (entered == room || row->second.count(entered) != 0) continue;
        if (row->second.count("everything") != 0 && table.count(entered) != 0) continue;
        complaints.push_back(place(file, i) + "'" + room + "' may not include '" + entered + "' (" + target + ")");
    }
    return complaints;
}

/// A room never includes, even through others, a room that includes it.
inline Complaints cycles(const IncludeTable& table)
{
    Complaints complaints;
    for (const auto& [start, ignored] : table) {
        std::set<std::string> reached;
        std::vector<std::string> open{start};
        while (!open.empty()) {
            const std::string room = open.back();
            open.pop_back();
            const auto row = table.find(room);
            if (row == table.end()) continue;
            for (const std::string& next : row->second) {
                if (reached.insert(next).second) open.push_back(next);
            }
        }
        if (reached.count(start) != 0) complaints.push_back("include table: '" + start + "' comes back to itself");
    }
    return complaints;
}

inline Complaints too_long(const SourceFile& file, std::size_t most)
{
    const std::size_t count = lines(file.text).size();
    if (count <= most) return {};
    return {file.path + ":" + std::to_string(count) + ": more than " + std::to_string(most) + " lines"};
}

/// No tabs, no blanks before the end of a line, a newline at the end of the file.
inline Complaints untidy_whitespace(const SourceFile& file)
{
    Complaints complaints;
    const std::vector<std::string> all = lines(file.text);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].find('\t') != std::string::npos) complaints.push_back(place(file, i) + "tab");
        if (!all[i].empty() && (all[i].back() == ' ' || all[i].back() == '\r')) {
            complaints.push_back(place(file, i) + "trailing whitespace");
        }
    }
    if (!file.text.empty() && file.text.back() != '\n') {
        complaints.push_back(place(file, all.size() - 1) + "no newline at the end");
    }
    return complaints;
}

/// The same text with comments and the contents of string literals blanked; lines keep their numbers.
inline std::string code_only(const std::string& text)
{
    enum class Inside { code, line_comment, block_comment, string, character } inside = Inside::code;
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        const bool quoted = inside == Inside::string || inside == Inside::character;
        // A raw string ends where it says, whatever quotes and backslashes it holds.
        if (inside == Inside::code && c == 'R' && next == '"'
            && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1])))) {
            const std::size_t open = text.find('(', i);
            const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
            const std::size_t end = std::min(text.find(close, open), text.size() - close.size());
            out += " \"";
            for (std::size_t k = i + 2; k + 1 < end + close.size(); ++k) out += text[k] == '\n' ? '\n' : ' ';
            out += '"';
            i = end + close.size() - 1;
            continue;
        }
        if (quoted && c == '\\') {
            out += "  ";
            ++i;
            continue;
        }
        // A quote after a letter or digit is a digit separator (1'000), not a character.
        const bool opens_character = c == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1])));
        if (inside == Inside::code && c == '/' && next == '/')
            inside = Inside::line_comment;
        else if (inside == Inside::code && c == '/' && next == '*')
            inside = Inside::block_comment;
        else if (inside == Inside::code && c == '"')
            inside = Inside::string;
        else if (inside == Inside::code && opens_character)
            inside = Inside::character;
        else if (inside == Inside::line_comment && c == '\n')
            inside = Inside::code;
        else if (inside == Inside::block_comment && c == '*' && next == '/') {
            out += "  ";
            ++i;
            inside = Inside::code;
            continue;
        } else if ((inside == Inside::string && c == '"') || (inside == Inside::character && c == '\'')) {
            inside = Inside::code;
            out += c;
            continue;
        }
        const bool opens = !quoted && (inside == Inside::string || inside == Inside::character);
        const bool keep = inside == Inside::code || c == '\n' || opens;
        out += keep ? c : ' ';
    }
    return out;
}

/// The library neither prints nor ends the process. Writing to a stream or file that was handed in is fine.
inline Complaints prints_or_exits(const SourceFile& file)
{
    struct Rule {
        std::regex pattern;
        std::vector<std::string> hints; ///< one of them occurs wherever the (much slower) pattern matches
        std::string text;
    };
    static const std::string prints = "the library never prints", exits = "the library never exits";
    static const std::vector<Rule> forbidden{
        {std::regex(R"(\bstd::(cout|cerr|clog)\b)"), {"std::c"}, prints},
        {std::regex(R"((^|[^\w.>:])(std::)?v?printf\s*\()"), {"printf"}, prints},
        {std::regex(R"((^|[^\w.>:])(std::)?(puts|putchar)\s*\()"), {"puts", "putchar"}, prints},
        {std::regex(R"(\bfmt::print(ln)?\s*\((?!\s*\*?[a-z_]+\s*,))"), {"fmt::print"}, prints},
        {std::regex(R"(\b(stdout|stderr)\b)"), {"stdout", "stderr"}, prints},
        {std::regex(R"((^|[^\w.>:])(std::)?(exit|_Exit|quick_exit|abort|terminate)\s*\()"),
            {"xit", "abort", "terminate"}, exits},
    };
    Complaints complaints;
    const std::vector<std::string> all = lines(code_only(file.text));
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Rule& rule : forbidden) {
            const bool worth_a_look = std::any_of(rule.hints.begin(), rule.hints.end(),
                [&](const std::string& hint) { return all[i].find(hint) != std::string::npos; });
            if (worth_a_look && std::regex_search(all[i], rule.pattern)) {
                complaints.push_back(place(file, i) + rule.text);
            }
        }
    }
    return complaints;
}

/// A number that is made of a whole vector, or a look at its entries: for rooms that know vectors as wholes only.
inline Complaints reductions(const SourceFile& file)
{
    static const std::vector<std::regex> forbidden{
        std::regex(
            R"(\.\s*(dot|cross|norm|squaredNorm|stableNorm|blueNorm|lpNorm|sum|mean|prod|trace|redux|visit)\s*[<(])"),
        std::regex(
            R"(\.\s*(maxCoeff|minCoeff|allFinite|hasNaN|all|any|count|isZero|isOnes|isApprox|isConstant)\s*[<(])"),
        std::regex(R"(\.\s*finite\s*\(\s*\))"), // of a State; Dynamics::finite has an argument
        std::regex(R"(\.\s*(transpose|adjoint|data|coeff|coeffRef|segment|head|tail)\s*[<(])"),
        std::regex(R"(\.\s*[xv]\s*[\[(])"), // entries of a State
        std::regex(R"(\b(Index|node|largest_nodal_norm)\b)"),
        std::regex(R"(\bfor\s*\(\s*(const\s+)?(double|auto)\s*&?\s*\w+\s*:)"),
        std::regex(
            R"(\bstd::(accumulate|reduce|transform_reduce|inner_product|(max|min)_element|(any|all|none)_of)\b)"),
    };
    Complaints complaints;
    const std::vector<std::string> all = lines(code_only(file.text));
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].find('#') != std::string::npos) continue;
        const bool found = std::any_of(forbidden.begin(), forbidden.end(),
            [&](const std::regex& pattern) { return std::regex_search(all[i], pattern); });
        if (found) complaints.push_back(place(file, i) + "what is made of the entries of a vector comes from Dynamics");
    }
    return complaints;
}

/// Work that was put off.
inline Complaints unfinished(const SourceFile& file)
{
    static const std::regex mark(R"(\b(TODO|FIXME|XXX|HACK)\b)");
    Complaints complaints;
    const std::vector<std::string> all = lines(file.text);
    for (std::size_t i = 0; i < all.size(); ++i) {
        // Every mark holds one of these letters; most lines hold none, and the pattern is slow.
        if (all[i].find_first_of("OXH") == std::string::npos) continue;
        if (std::regex_search(all[i], mark)) complaints.push_back(place(file, i) + "unfinished");
    }
    return complaints;
}

/// Names that a catalog source lists. An entry begins {"name", "summary... or {.name = "name"; options, which look
/// alike, are followed by their OptionType instead.
inline std::vector<std::string> catalog_names(const std::string& catalog_source)
{
    static const std::regex entry(R"re(\{\s*(?:\.name\s*=\s*)?"([a-z][a-z0-9-]*)"\s*,\s*(?:\.summary\s*=\s*)?")re");
    std::vector<std::string> names;
    for (std::sregex_iterator it(catalog_source.begin(), catalog_source.end(), entry), end; it != end; ++it) {
        names.push_back((*it)[1]);
    }
    return names;
}

/// The name a material header gives itself, or empty: static constexpr const char* name = "arap";
inline std::string material_name(const std::string& header)
{
    static const std::regex line(R"re(static constexpr [^\n;=]*\bname\s*=\s*"([^"]+)")re");
    std::smatch match;
    return std::regex_search(header, match, line) ? match[1].str() : std::string();
}

/// Relative links of a Markdown text, without their anchors.
inline std::vector<std::pair<std::size_t, std::string>> relative_links(const std::string& markdown)
{
    static const std::regex link(R"(\]\(([^)#\s]+)(#[^)\s]*)?\))");
    std::vector<std::pair<std::size_t, std::string>> found;
    const std::vector<std::string> all = lines(markdown);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::sregex_iterator it(all[i].begin(), all[i].end(), link), end; it != end; ++it) {
            const std::string target = (*it)[1];
            if (target.find("://") == std::string::npos) found.emplace_back(i, target);
        }
    }
    return found;
}

/// The contents of ```json blocks of a Markdown text.
inline std::vector<std::string> json_blocks(const std::string& markdown)
{
    std::vector<std::string> blocks;
    bool inside = false;
    for (const std::string& line : lines(markdown)) {
        if (!inside && line == "```json") {
            inside = true;
            blocks.emplace_back();
        } else if (inside && line == "```") {
            inside = false;
        } else if (inside) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

} // namespace rubato::rules
