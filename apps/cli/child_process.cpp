#include "child_process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace rubato::cli {

namespace {

int status_of(int raw) { return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw); }

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, const std::filesystem::path& log, bool feeds)
{
    int ends[2] = {-1, -1};
    if (feeds && ::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), words.front());

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (feeds)
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);

    // A group of its own, so that it ends with all that it starts, and Ctrl-C reaches this program alone; signals that
    // this program waits for are not blocked there.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);

    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int error = posix_spawnp(&id_, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (ends[0] >= 0) ::close(ends[0]);
    input_ = ends[1];
    if (error != 0) {
        end_feed();
        throw std::system_error(error, std::generic_category(), words.front());
    }
}

ChildProcess::~ChildProcess()
{
    end_feed();
    if (!left_) stop();
}

bool ChildProcess::feed(const std::string& bytes)
{
    // A program that is gone must not take this one along.
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = ::write(input_, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        done += static_cast<std::size_t>(written);
    }
    std::signal(SIGPIPE, before);
    return done == bytes.size();
}

void ChildProcess::end_feed()
{
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

std::optional<int> ChildProcess::status()
{
    int raw = 0;
    if (status_) return status_;
    const pid_t ended = ::waitpid(id_, &raw, WNOHANG);
    if (ended == id_) status_ = status_of(raw);
    if (ended < 0 && errno == ECHILD) status_ = 127; // someone ignores SIGCHLD: how it ended is lost
    return status_;
}

int ChildProcess::wait()
{
    int raw = 0;
    while (!status_) {
        if (::waitpid(id_, &raw, 0) == id_)
            status_ = status_of(raw);
        else if (errno != EINTR)
            status_ = 127;
    }
    return *status_;
}

void ChildProcess::ask_to_end()
{
    if (!status()) ::kill(-id_, SIGTERM);
}

void ChildProcess::stop()
{
    if (status()) return;
    ask_to_end();
    for (int i = 0; i < 40 && !status(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(-id_, SIGKILL); // also what it left behind
    wait();
}

std::string first_program(const std::vector<std::string>& names)
{
    const char* path = std::getenv("PATH");
    const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
    for (const std::string& name : names) {
        if (name.find('/') != std::string::npos && ::access(name.c_str(), X_OK) == 0) return name;
        for (std::size_t at = 0; at <= folders.size();) {
            const std::size_t end = std::min(folders.find(':', at), folders.size());
            const std::string candidate = folders.substr(at, end - at) + "/" + name;
            if (!name.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
            at = end + 1;
        }
    }
    return {};
}

} // namespace rubato::cli
