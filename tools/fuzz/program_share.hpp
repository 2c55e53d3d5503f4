#pragma once

#include "targets.hpp"

namespace rubato::fuzz {

/// What the program itself may take of an input.
struct ProgramLimits {
    int seconds = 20; ///< then it is asked to stop, as by Ctrl-C, which a long run obeys
    std::uint64_t memory = std::uint64_t{3} << 30; ///< address space [bytes]; 0: any
};

/// Runs the program on an input in `folder`. Returns what is wrong with what it did; empty: nothing. Throws
/// std::system_error where it cannot be run.
std::string ask_program(
    const std::string& program, const Input& input, const std::filesystem::path& folder, const ProgramLimits& limits);

} // namespace rubato::fuzz
