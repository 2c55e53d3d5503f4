#include "child_process.hpp"
#include "commands.hpp"
#include "run_server.hpp"
#include "viewer_bundle.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <system_error>
#include <thread>

namespace rubato::cli {

namespace {

struct ViewArguments {
    std::vector<std::filesystem::path> directories;
    int port = 0;
    bool no_open = false;
    double patience = 10; ///< for the head of a request [s]
};

/// Shows a page where there is a desktop to show it on. Whether that worked is seen, not told.
void open_in_browser(const std::string& address)
{
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    try {
        ChildProcess({"xdg-open", address}, "/dev/null").leave();
    } catch (const std::system_error&) {
    }
}

int view(const ViewArguments& arguments)
{
    std::vector<ShownRun> runs = shown_runs(arguments.directories);
    require_frames(runs);
    HttpLimits limits;
    limits.head = std::chrono::milliseconds(static_cast<long>(1000 * arguments.patience));
    RunServer server(required_viewer_folder(), std::move(runs), {}, limits);
    const std::string address = fmt::format("http://127.0.0.1:{}/", server.bind(arguments.port));

    // Signals wait until this thread asks for them; all others inherit the mask.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    std::thread serving([&] { server.serve(); });
    std::cout << fmt::format("The viewer is at {}  (only from this machine; Ctrl-C ends it)\n", address) << std::flush;
    if (!arguments.no_open) open_in_browser(address);
    int signal = 0;
    sigwait(&ends, &signal);
    server.stop();
    serving.join();
    std::cout << '\n';
    return done;
}

} // namespace

void add_view(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<ViewArguments>();
    CLI::App* command = app.add_subcommand("view", "Play runs in the browser, side by side");
    command->add_option("directories", arguments->directories, "Run directories")->required();
    command->add_option("--port", arguments->port, "Port on this machine (default: any that is free)")
        ->check(CLI::Range(0, 65535));
    command->add_flag("--no-open", arguments->no_open, "Tell the address, open no browser");
    command->add_option("--patience", arguments->patience, "How long a browser may take to send a request [s]")
        ->check(CLI::Range(0.1, 600.0))
        ->capture_default_str();
    command->callback([arguments, &status] { status = view(*arguments); });
}

} // namespace rubato::cli
