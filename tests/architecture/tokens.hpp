#pragma once

#include "architecture/rules.hpp"

/// The tokens of a C++ text, for rules that need more than its lines.
namespace rubato::rules {

struct Token {
    std::string text; ///< literals of characters and strings are "" and ''
    std::size_t line = 0; ///< from 0
    bool is_word = false; ///< identifier or keyword
};

/// The text without directives, and of every #if its first branch only: the others define the same names again.
inline std::string first_branches(const std::string& code)
{
    std::string out;
    std::vector<bool> taken; // for each #if that is open: whether we are in its first branch
    bool continued = false;
    for (const std::string& line : lines(code)) {
        const std::size_t mark = line.find_first_not_of(' ');
        if (continued || (mark != std::string::npos && line[mark] == '#')) {
            if (!continued) {
                std::istringstream words(line.substr(mark + 1));
                std::string word;
                words >> word;
                if (word.rfind("if", 0) == 0) taken.push_back(true);
                if (word.rfind("el", 0) == 0 && !taken.empty()) taken.back() = false;
                if (word == "endif" && !taken.empty()) taken.pop_back();
            }
            continued = !line.empty() && line.back() == '\\';
        } else if (std::all_of(taken.begin(), taken.end(), [](bool first) { return first; })) {
            out += line;
        }
        out += '\n';
    }
    return out;
}

inline std::vector<Token> tokens(const std::string& text)
{
    const std::string code = first_branches(code_only(text));
    std::vector<Token> all;
    std::size_t line = 0;
    for (std::size_t i = 0; i < code.size();) {
        const char c = code[i];
        if (c == '\n') ++line;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        const auto in_word = [&](char w) { return std::isalnum(static_cast<unsigned char>(w)) != 0 || w == '_'; };
        if (in_word(c)) {
            const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
            while (end < code.size() && (in_word(code[end]) || (number && (code[end] == '.' || code[end] == '\''))))
                ++end;
            all.push_back({code.substr(i, end - i), line, !number});
        } else if (c == '"' || c == '\'') {
            while (end < code.size() && code[end] != c) {
                if (code[end] == '\n') ++line;
                ++end;
            }
            if (end < code.size()) ++end;
            all.push_back({std::string(2, c), line, false});
        } else {
            static const std::vector<std::string> pairs{"::", "->", "&&", "||"};
            for (const std::string& pair : pairs) {
                if (code.compare(i, 2, pair) == 0) end = i + 2;
            }
            all.push_back({code.substr(i, end - i), line, false});
        }
        i = end;
    }
    return all;
}

} // namespace rubato::rules
