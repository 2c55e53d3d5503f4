#include "program_share.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace rubato::fuzz {

namespace fs = std::filesystem;

namespace {

pid_t started(const std::string& program, const Input& input, const fs::path& folder, const ProgramLimits& limits)
{
    std::vector<char*> argv{const_cast<char*>("rubato")};
    for (const std::string& word : input.words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start the program");
    if (child != 0) return child;
    if (chdir(folder.c_str()) != 0) _exit(126);
    const int none = open("/dev/null", O_RDONLY);
    const int out = open("../said", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(none, 0);
    dup2(out, 1);
    dup2(out, 2);
    if (limits.memory > 0) {
        const rlimit memory{limits.memory, limits.memory};
        setrlimit(RLIMIT_AS, &memory);
    }
    execv(program.c_str(), argv.data());
    _exit(127);
}

/// Waits so long; whether it ended.
bool ended_within(pid_t child, int seconds, int& status)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

/// Characters that a terminal would obey.
bool commands_terminal(const std::string& text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
    });
}

/// Inputs that were changed, where a word names them as the input alone; and anything beside the folder.
std::string changed_files(const Input& input, const fs::path& folder)
{
    for (const char* name : {"scene.json", "tets.msh", "surface.obj"}) {
        const auto named = std::count_if(input.words.begin(), input.words.end(),
            [&](const std::string& word) { return word.find(name) != std::string::npos; });
        if (named <= 1 && (!why_unreadable(folder / name).empty() || file_bytes(folder / name) != input.files.at(name)))
            return std::string("the input ") + name + " was changed";
    }
    const bool up = std::any_of(input.words.begin(), input.words.end(),
        [](const std::string& word) { return word.find("..") != std::string::npos; });
    for (const auto& entry : fs::directory_iterator(folder.parent_path())) {
        const std::string name = entry.path().filename().string();
        if (!up && name != "said" && name != folder.filename()) return "a file was written outside: " + name;
    }
    return "";
}

} // namespace

std::string ask_program(
    const std::string& program, const Input& input, const fs::path& folder, const ProgramLimits& limits)
{
    for (const auto& [name, bytes] : input.files) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    const pid_t child = started(program, input, folder, limits);
    int status = 0;
    const bool stopped = !ended_within(child, limits.seconds, status);
    if (stopped) {
        kill(child, SIGINT);
        if (!ended_within(child, limits.seconds, status)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return "it hangs";
        }
    }
    const std::string said = file_bytes(folder.parent_path() / "said");
    if (WIFSIGNALED(status))
        return stopped ? "it takes too long" : "it ended by signal " + std::to_string(WTERMSIG(status));
    const int exit = WEXITSTATUS(status);
    if (!(exit == 0 || exit == 2 || exit == 3 || (stopped && exit == 130)))
        return "exit status " + std::to_string(exit) + ": " + said.substr(0, 2000);
    if (exit == 3 && said.find("out of memory") != std::string::npos) return "it fills the memory";
    if (said.find("Sanitizer") != std::string::npos || said.find("runtime error:") != std::string::npos) return said;
    if (exit != 0) {
        if (const std::string why = bad_message(said); !why.empty()) return why;
    }
    if (commands_terminal(said)) return "control characters reach the terminal: " + said.substr(0, 2000);
    if (exit == 0 && !input.words.empty() && (input.words[0] == "run" || input.words[0] == "resume")) {
        try {
            require_finite_files(folder / "out");
        } catch (const Offence& offence) {
            return offence.what();
        } catch (const InputError&) { // the run was not written there
        }
    }
    return changed_files(input, folder);
}

} // namespace rubato::fuzz
