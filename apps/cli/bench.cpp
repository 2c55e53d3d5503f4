#include "commands.hpp"

#include <iostream>
#include <unistd.h>

/// `rubato bench`: hands everything to the program that measures. It is one of its own, because it needs a library that
/// the engine does not, and is built only when it is asked for (docs/decisions/0017-benchmarks-beside-the-program.md).
namespace rubato::cli {

namespace {

int bench(const std::vector<std::string>& arguments)
{
    const std::string program = RUBATO_BUILT_BENCH;
    if (::access(program.c_str(), X_OK) == 0) {
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        ::execv(program.c_str(), argv.data());
    }
    std::cerr << "rubato: the benchmarks are not built: './run bench' in the source folder builds and runs them. They "
                 "need Google Benchmark (Debian: apt-get install libbenchmark-dev)\n";
    return wrong_input;
}

} // namespace

void add_bench(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand("bench", "Measure how fast it is on this machine; compare two measurements");
    command->set_help_flag(); // its words, --help among them, are the other program's
    command->prefix_command();
    command->callback([command, &status] { status = bench(command->remaining()); });
}

} // namespace rubato::cli
