#pragma once

#include "http_limits.hpp"
#include "record/shown_runs.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato::cli {

/// What a page that draws pictures sends back.
struct PictureReceiver {
    std::string job; ///< as JSON
    std::function<void(std::size_t number, const std::string& png)> picture;
    std::function<void(const std::string& error)> ended; ///< an empty text: all is done
};

/// Serves the viewer and runs to browsers on this machine alone: it listens on the loopback address, and answers only
/// requests that were addressed to it by that address and that no page elsewhere has made, so that no web page can read
/// a run. Clients that are slow to send what they ask for, however many, keep nobody else waiting. Clients that are
/// slow to read an answer hold a thread each, until one write makes no progress for five seconds.
class RunServer {
public:
    RunServer(std::filesystem::path viewer, std::vector<ShownRun> runs, PictureReceiver receiver = {},
        const HttpLimits& limits = {});
    ~RunServer();

    int bind(int port); ///< 0: any that is free. Returns the port; InputError if it is taken
    void serve(); ///< until it is stopped; call it after bind
    void stop(); ///< from another thread

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace rubato::cli
