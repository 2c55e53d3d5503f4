#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rubato {

/// One thing that is wrong with what the user gave: where, what, what is allowed.
struct Mistake {
    std::string file = {}; ///< path as the user wrote it; empty for the command line
    int line = 0; ///< 1-based; 0 when there is none
    std::string key = {}; ///< dotted path of the field, e.g. bodies[0].density
    std::string value = {}; ///< what was found there, as text
    std::string message = {}; ///< what is wrong and what is allowed

    /// "scene.json:12: bodies[0].density = -5: must be > 0 [kg/m^3]"
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
