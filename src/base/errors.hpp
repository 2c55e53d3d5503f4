#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rubato {

/// Text from a file or a command line, as it may be shown in a terminal: control characters, marks that turn the
/// direction of writing, and bytes that are not UTF-8 are written as \n, \x1b or \u009b. On one line.
std::string printable(std::string_view text);

bool is_utf8(std::string_view text);

/// One thing that is wrong with what the user gave: where, what, what is allowed.
struct Mistake {
    std::string file = {}; ///< path as the user wrote it; empty for the command line
    int line = 0; ///< 1-based; 0 when there is none
    std::string key = {}; ///< dotted path of the field, e.g. bodies[0].density
    std::string value = {}; ///< what was found there, as text
    std::string message = {}; ///< what is wrong and what is allowed

    /// "scene.json:12: bodies[0].density = -5: must be >= 1e-06 and <= 1e+09 [kg/m^3]". Printable, whatever the input.
    std::string text() const;
};

/// The input is wrong: exit status 2. Carries every mistake found in one pass.
class InputError : public std::runtime_error {
public:
    explicit InputError(std::vector<Mistake> mistakes);
    explicit InputError(Mistake mistake);
    const std::vector<Mistake>& mistakes() const { return mistakes_; }

private:
    std::vector<Mistake> mistakes_;
};

/// A file could not be written: disk full, no permission, a number that is not finite. Names the path and the reason.
class WriteError : public std::runtime_error {
public:
    WriteError(std::string path, const std::string& reason);
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace rubato
