/// rubato-fuzz: damages inputs at random and looks at what the readers, and the program itself, make of them.
/// docs/developing/fuzz.md describes it.

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "base/temporary_folder.hpp"
#include "program_share.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace rubato::fuzz {
namespace {

namespace fs = std::filesystem;

struct Settings {
    std::uint64_t seed = 1;
    std::uint64_t inputs = 2000, from = 0;
    std::string program; ///< empty: readers only
    int program_share = 50; ///< one input in so many goes through the program
    std::string only; ///< a target
    fs::path findings = "fuzz-findings";
    int seconds = 20; ///< for one input
    bool any_memory = false; ///< sanitizers need the address space
};

constexpr std::uint64_t most_memory = std::uint64_t{3} << 30;

/// What a worker tells of the input it is at, also when it dies there.
struct Shared {
    std::uint64_t at;
    char what[4000];
};

Input made(const Settings& settings, const Corpus& corpus, std::uint64_t number, const Target** target)
{
    Random random(settings.seed * 0x9e3779b97f4a7c15 + number);
    random.bits();
    *target = nullptr;
    const bool by_program = !settings.program.empty()
        && (settings.only == "program" || (settings.only.empty() && random.bits() % settings.program_share == 0));
    if (by_program) return damaged_command(corpus, random);
    std::vector<const Target*> tickets;
    for (const Target& t : targets()) {
        if (settings.only.empty() || settings.only == t.name) tickets.insert(tickets.end(), t.share, &t);
    }
    *target = one_of(random, tickets);
    return (*target)->make(corpus, random);
}

/// Exit status of a worker that could not ask: it says why, and that is no finding.
constexpr int could_not_ask = 2;

[[noreturn]] void give_up(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// What is wrong with what an input brought about; empty: nothing. Throws std::system_error where this machine is at
/// fault.
std::string asked(const Settings& settings, const Input& input, const Target* target, const fs::path& folder)
{
    try {
        if (target == nullptr)
            return ask_program(settings.program, input, folder / "here",
                {.seconds = settings.seconds, .memory = settings.any_memory ? 0 : ProgramLimits{}.memory});
        target->ask(input, folder);
    } catch (const InputError& error) {
        if (error.mistakes().empty()) return "a refusal without a mistake";
        for (const Mistake& mistake : error.mistakes()) {
            if (const std::string why = bad_message(mistake.text()); !why.empty()) return why;
        }
    } catch (const WriteError&) {
    } catch (const Offence& offence) {
        return offence.what();
    } catch (const std::bad_alloc&) {
        return "it fills the memory";
    } catch (const std::system_error& error) {
        if (target == nullptr) throw; // nothing of the program runs in this process
        return std::string("internal error: ") + error.what();
    } catch (const std::exception& error) {
        return std::string("internal error: ") + error.what();
    }
    return "";
}

void keep(const Settings& settings, std::uint64_t number, const Input& input, const std::string& what)
{
    const fs::path folder = settings.findings / fmt::format("{}-{}", settings.seed, number);
    std::string words;
    for (const std::string& word : input.words) words += word + "\n";
    fs::create_directories(folder);
    std::ofstream(folder / "finding.txt")
        << fmt::format("seed {}, input {}, target {}\n{}\n{}", settings.seed, number, input.target, what, words);
    for (const auto& [name, bytes] : input.files) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    std::cout << fmt::format(
        "FINDING {} of seed {} ({}): {}\n", number, settings.seed, input.target, what.substr(0, 300))
              << std::flush;
}

void tell(Shared& shared, const std::string& what)
{
    std::snprintf(shared.what, sizeof shared.what, "%s", what.c_str());
}

/// A worker asks one input after the other, until one ends it. Returns its exit status.
int asked_in_turn(
    const Settings& settings, const Corpus& corpus, const fs::path& folder, std::uint64_t from, Shared& shared)
{
    if (!settings.any_memory) {
        const rlimit memory{most_memory, most_memory};
        setrlimit(RLIMIT_AS, &memory);
    }
    for (std::uint64_t number = from; number < settings.from + settings.inputs; ++number) {
        shared.at = number;
        const Target* target = nullptr;
        const Input input = made(settings, corpus, number, &target);
        fs::remove_all(folder / "work");
        fs::create_directories(folder / "work" / "here");
        const unsigned limit = static_cast<unsigned>(target == nullptr ? 4 * settings.seconds : settings.seconds);
        alarm(limit); // ends the worker
        const std::string what = asked(settings, input, target, folder / "work");
        alarm(0);
        if (what.empty()) continue;
        tell(shared, what);
        return 3;
    }
    return 0;
}

/// All of a worker. It leaves by _exit: what main would tidy up on the way out is its parent's.
[[noreturn]] void work(
    const Settings& settings, const Corpus& corpus, const fs::path& folder, std::uint64_t from, Shared& shared)
{
    int status = could_not_ask;
    try {
        status = asked_in_turn(settings, corpus, folder, from, shared);
    } catch (const std::exception& error) {
        tell(shared, error.what());
    } catch (...) {
        tell(shared, "an exception of no known type");
    }
    _exit(status);
}

int run(const Settings& settings)
{
    set_thread_count(1);
    const TemporaryFolder folder("fuzz");
    const fs::path place = (folder / "x").parent_path();
    fs::create_directories(place / "corpus");
    const Corpus corpus = made_corpus(place / "corpus");
    std::cout << fmt::format(
        "seed {}, inputs {} to {}\n", settings.seed, settings.from, settings.from + settings.inputs - 1)
              << std::flush;
    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) give_up("no memory to share with the workers");
    auto* shared = static_cast<Shared*>(memory);
    int findings = 0;
    for (std::uint64_t next = settings.from; next < settings.from + settings.inputs;) {
        shared->at = next;
        shared->what[0] = '\0';
        const pid_t worker = fork();
        if (worker < 0) give_up("cannot start a worker");
        if (worker == 0) work(settings, corpus, place, next, *shared);
        int status = 0;
        while (waitpid(worker, &status, 0) < 0) {
            if (errno != EINTR) give_up("cannot wait for a worker");
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        if (WIFEXITED(status) && WEXITSTATUS(status) == could_not_ask && shared->what[0] != '\0')
            throw std::runtime_error(fmt::format("input {} could not be asked: {}", shared->at, shared->what));
        std::string what = shared->what;
        if (WIFSIGNALED(status))
            what = WTERMSIG(status) == SIGALRM ? "it hangs" : fmt::format("it ended by signal {}", WTERMSIG(status));
        else if (what.empty())
            what = fmt::format("the worker ended with status {}; a sanitizer?", WEXITSTATUS(status));
        const Target* target = nullptr;
        keep(settings, shared->at, made(settings, corpus, shared->at, &target), what);
        ++findings;
        next = shared->at + 1;
    }
    std::cout << fmt::format("{} findings in {} inputs\n", findings, settings.inputs);
    return findings == 0 ? 0 : 1;
}

} // namespace
} // namespace rubato::fuzz

int main(int argc, char** argv)
{
    rubato::fuzz::Settings settings;
    CLI::App app("Damages inputs at random and looks at what becomes of them");
    app.add_option("--seed", settings.seed, "Of the random numbers; the same seed gives the same inputs")
        ->capture_default_str();
    app.add_option("--inputs", settings.inputs, "How many")->capture_default_str();
    app.add_option("--from", settings.from, "Number of the first one")->capture_default_str();
    app.add_option("--program", settings.program, "The program, for a share of the inputs (default: readers only)");
    app.add_option("--program-share", settings.program_share, "One input in so many goes through the program")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    app.add_option("--only", settings.only, "One kind of input")
        ->check(CLI::IsMember({"scene", "mesh", "run", "program"}));
    app.add_option("--findings", settings.findings, "Folder for inputs that are findings")->capture_default_str();
    app.add_option("--seconds", settings.seconds, "Limit for one input")->capture_default_str();
    app.add_flag("--any-memory", settings.any_memory, "Set no limit of memory, as sanitizers need it");
    CLI11_PARSE(app, argc, argv);
    try {
        if (!settings.program.empty()) settings.program = std::filesystem::absolute(settings.program).string();
        return rubato::fuzz::run(settings);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
