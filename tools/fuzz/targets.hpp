#pragma once

#include "corpus.hpp"
#include "mutate.hpp"

#include <functional>
#include <stdexcept>

namespace rubato::fuzz {

/// A damaged input: files by name, and what is to be done with them.
struct Input {
    std::string target;
    std::map<std::string, std::string> files;
    std::vector<std::string> words = {}; ///< of a command line, behind the program's name
};

/// What is asked of an input, in this process. Every exception that is no InputError or WriteError goes through;
/// an Offence is what the answer itself tells.
struct Target {
    std::string name;
    int share; ///< how often it is taken, relative to the others
    std::function<Input(const Corpus&, Random&)> make;
    /// `folder` is empty and may be filled.
    std::function<void(const Input&, const std::filesystem::path& folder)> ask;
};

class Offence : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

const std::vector<Target>& targets();

/// Reads a mesh of any format, or a body of blobs; writes and reads it again.
void ask_mesh(const Input& input, const std::filesystem::path& folder);

/// What a message to the user must not hold, in words; empty: nothing.
std::string bad_message(const std::string& message);

/// Numbers that are none in the files that a run left: throws Offence.
void require_finite_files(const std::filesystem::path& folder);

/// Inputs for the program itself: command lines with scenes, meshes and run directories.
Input damaged_command(const Corpus& corpus, Random& random);

} // namespace rubato::fuzz
