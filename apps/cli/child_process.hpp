#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rubato::cli {

/// Another program, running beside this one. It is killed when this object goes, unless it was left alone.
class ChildProcess {
public:
    /// The first word names the program, which is looked for in PATH. What it says goes to `log`. With `feeds` it reads
    /// what `feed` gives it. Throws std::system_error if it cannot be started.
    ChildProcess(const std::vector<std::string>& words, const std::filesystem::path& log, bool feeds = false);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    bool feed(const std::string& bytes); ///< false: it listens no more
    void end_feed();
    std::optional<int> status(); ///< exit status, if it has ended; of a signal: 128 and its number
    int wait(); ///< until it ends by itself
    void ask_to_end(); ///< and goes on
    void stop(); ///< asks it to end, then makes it
    void leave() { left_ = true; }

private:
    pid_t id_ = -1;
    int input_ = -1; ///< its standard input
    std::optional<int> status_;
    bool left_ = false;
};

/// The first of these programs that PATH has; an empty text if it has none.
std::string first_program(const std::vector<std::string>& names);

} // namespace rubato::cli
