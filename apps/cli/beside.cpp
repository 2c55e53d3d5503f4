#include "beside.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/memory.hpp"
#include "child_process.hpp"
#include "commands.hpp"
#include "stop_signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

constexpr double bytes_per_node = 14e3; ///< that a run takes at the most, with a Cholesky factorisation
constexpr std::chrono::milliseconds glance{200}; ///< between two looks at what the runs do

/// Simulated time in the last whole line of a stats.csv that is being written [s].
double time_reached(const fs::path& stats)
{
    const std::optional<InputFile> in = InputFile::if_readable(stats);
    if (!in) return 0; // the run has not come so far
    const std::uint64_t size = in->size(), from = size - std::min<std::uint64_t>(size, 4096);
    std::string tail(size - from, '\0');
    try {
        tail.resize(in->read(from, tail.data(), tail.size()));
    } catch (const InputError&) {
        return 0; // who only wants to show progress must not end the runs
    }
    const std::size_t end = tail.rfind('\n');
    if (end == std::string::npos || end == 0) return 0;
    const std::size_t begin = tail.rfind('\n', end - 1), comma = tail.find(',', begin + 1);
    if (begin == std::string::npos || comma == std::string::npos) return 0;
    return std::strtod(tail.c_str() + comma + 1, nullptr); // the second column
}

struct Running {
    std::size_t number;
    std::unique_ptr<ChildProcess> process;
};

void show_progress(const std::vector<SideRun>& runs, const std::vector<Running>& running)
{
    std::string line;
    for (const Running& one : running) {
        const SideRun& run = runs[one.number];
        line += fmt::format("  {} {:.0f} %", run.name,
            100 * std::clamp(time_reached(run.directory / "stats.csv") / run.duration, 0.0, 1.0));
    }
    std::cerr << "\r\033[K" << line << std::flush;
}

} // namespace

int runs_at_a_time(std::size_t runs, int threads, long nodes)
{
    const double fit = available_memory() / 2 / (bytes_per_node * static_cast<double>(std::max(1L, nodes)));
    const int by_memory = static_cast<int>(std::clamp(fit, 1.0, 1e6));
    return std::max(1, std::min({static_cast<int>(runs), threads, by_memory}));
}

std::vector<SideResult> run_beside(const std::vector<SideRun>& runs, int at_a_time)
{
    std::vector<SideResult> results(runs.size(), {interrupted, ""});
    listen_for_stop();
    const bool terminal = isatty(STDERR_FILENO) == 1;
    const auto log_of = [&](std::size_t i) { return fs::path(runs[i].directory.string() + ".log"); };
    std::error_code ignored;

    std::vector<Running> running;
    std::size_t next = 0;
    bool told = false;
    while (next < runs.size() || !running.empty()) {
        while (next < runs.size() && static_cast<int>(running.size()) < at_a_time && !stop_wanted()) {
            fs::create_directories(runs[next].directory.parent_path(), ignored);
            fs::remove(log_of(next), ignored);
            std::vector<std::string> words{"/proc/self/exe"};
            words.insert(words.end(), runs[next].arguments.begin(), runs[next].arguments.end());
            running.push_back({next, std::make_unique<ChildProcess>(words, log_of(next))});
            ++next;
        }
        if (running.empty()) break; // stopped before the others began
        if (stop_wanted() && !told) {
            for (const Running& one : running) one.process->ask_to_end();
            told = true;
        }
        std::erase_if(running, [&](Running& one) {
            const auto status = one.process->status();
            if (!status) return false;
            try {
                results[one.number] = {*status, file_bytes(log_of(one.number))};
            } catch (const InputError&) {
                results[one.number].status = *status;
            }
            fs::remove(log_of(one.number), ignored);
            return true;
        });
        if (terminal) show_progress(runs, running);
        if (!running.empty()) std::this_thread::sleep_for(glance);
    }
    if (terminal) std::cerr << "\r\033[K" << std::flush;
    return results;
}

} // namespace rubato::cli
