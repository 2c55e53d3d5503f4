#include "run_server.hpp"

#include "base/errors.hpp"
#include "http_file.hpp"
#include "http_server.hpp"
#include "record/frame_file.hpp"
#include "record/run_figures.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* loopback = "127.0.0.1";

/// Files of a run directory that a page may ask for, and what they are.
const std::map<std::string, std::string> run_files{{"frames.rbt", "application/octet-stream"},
    {"stats.csv", "text/csv"}, {"summary.json", "application/json"}, {"scene.json", "application/json"}};

std::string list_of(const std::vector<ShownRun>& runs, const std::string& job)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool live = being_written(runs[i].directory / "frames.rbt");
        list.push_back({{"name", runs[i].name}, {"scene", runs[i].scene}, {"integrator", runs[i].integrator},
            {"frames", fmt::format("/runs/{}/frames.rbt", i)}, {"stats", fmt::format("/runs/{}/stats.csv", i)},
            {"live", live}});
        if (const auto ground = ground_level(runs[i].directory)) list.back()["rest"] = *ground;
    }
    return Json{{"version", 1}, {"runs", list}, {"render", job.empty() ? Json() : Json::parse(job)}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

struct RunServer::Parts {
    explicit Parts(const HttpLimits& limits)
        : http(limits)
    {
    }

    HttpServer http;
    fs::path viewer;
    std::vector<ShownRun> runs;
    PictureReceiver receiver;
    int port = 0;
    std::atomic<bool> ended{false};

    /// Once: of two that differ, another program on the way may go by the other one.
    bool addressed_here(const httplib::Request& request) const
    {
        const std::string host = request.get_header_value("Host");
        return request.get_header_value_count("Host") == 1
            && (host == fmt::format("{}:{}", loopback, port) || host == fmt::format("localhost:{}", port));
    }

    /// Whether no page elsewhere is behind a request. Browsers say where a request comes from: pages elsewhere must
    /// neither see a run nor slip a picture in. They may link to the page itself, which holds nothing of a run.
    static bool from_here(const httplib::Request& request)
    {
        const auto is = [&](const char* header, const char* value) {
            return request.get_header_value_count(header) == 1 && request.get_header_value(header) == value;
        };
        const bool has_origin = request.has_header("Origin");
        if (has_origin && !is("Origin", ("http://" + request.get_header_value("Host")).c_str())) return false;
        if (request.method != "GET" && request.method != "HEAD" && !has_origin) return false;
        if (!request.has_header("Sec-Fetch-Site")) return true; // an older browser, or none
        if (is("Sec-Fetch-Site", "same-origin") || is("Sec-Fetch-Site", "none")) return true;
        return request.method == "GET" && request.path == "/" && is("Sec-Fetch-Mode", "navigate")
            && is("Sec-Fetch-Dest", "document");
    }

    /// Refuses what must not be answered, or what nothing here is for, before any of its body is read: the status of
    /// the answer, or 0 to go on. `rubato view` takes nothing but questions.
    int refused(const httplib::Request& request, httplib::Response& response) const
    {
        const bool asks = request.method == "GET" || request.method == "HEAD";
        const bool draws = !receiver.job.empty() && request.method == "POST" && request.path.starts_with("/render/");
        if (!addressed_here(request) || !from_here(request)) return response.status = 403;
        if (asks || draws) return 0;
        response.set_header("Allow", "GET, HEAD");
        return response.status = 405;
    }
};

RunServer::RunServer(fs::path viewer, std::vector<ShownRun> runs, PictureReceiver receiver, const HttpLimits& limits)
    : parts_(std::make_unique<Parts>(limits))
{
    Parts& parts = *parts_;
    parts.viewer = std::move(viewer);
    parts.runs = std::move(runs);
    parts.receiver = std::move(receiver);

    HttpServer& http = parts.http;
    http.set_default_headers({{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"}, {"X-Frame-Options", "DENY"}});
    http.set_pre_routing_handler([&parts](const httplib::Request& request, httplib::Response& response) {
        return parts.refused(request, response) == 0 ? httplib::Server::HandlerResponse::Unhandled
                                                     : httplib::Server::HandlerResponse::Handled;
    });
    http.set_expect_100_continue_handler([&parts](const httplib::Request& request, httplib::Response& response) {
        const int status = parts.refused(request, response);
        return status == 0 ? 100 : status;
    });
    http.Get("/", [&parts](const httplib::Request& request, httplib::Response& response) {
        send_file(parts.viewer / "index.html", "text/html; charset=utf-8", request, response);
    });
    http.Get("/viewer.js", [&parts](const httplib::Request& request, httplib::Response& response) {
        send_file(parts.viewer / "viewer.js", "text/javascript; charset=utf-8", request, response);
    });
    http.Get("/runs.json", [&parts](const httplib::Request&, httplib::Response& response) {
        response.set_content(list_of(parts.runs, parts.receiver.job), "application/json");
    });
    http.Get(R"(/runs/(\d{1,6})/([a-z.]+))", [&parts](const httplib::Request& request, httplib::Response& response) {
        const std::size_t number = std::stoul(request.matches[1]);
        const auto file = run_files.find(request.matches[2]);
        if (number >= parts.runs.size() || file == run_files.end()) {
            response.status = 404;
            return;
        }
        send_file(parts.runs[number].directory / file->first, file->second, request, response);
    });
    if (parts.receiver.job.empty()) return;
    http.Post(R"(/render/(\d{1,9}))", [&parts](const httplib::Request& request, httplib::Response& response) {
        parts.receiver.picture(std::stoul(request.matches[1]), request.body);
        response.set_content("ok", "text/plain");
    });
    http.Post("/render/done", [&parts](const httplib::Request&, httplib::Response& response) {
        response.set_content("ok", "text/plain");
        parts.receiver.ended("");
    });
    http.Post("/render/error", [&parts](const httplib::Request& request, httplib::Response& response) {
        response.set_content("ok", "text/plain");
        parts.receiver.ended(request.body.empty() ? "the page gave no reason" : request.body);
    });
}

RunServer::~RunServer() = default;

int RunServer::bind(int port)
{
    if (port == 0) {
        parts_->port = parts_->http.bind_to_any_port(loopback);
    } else {
        parts_->port = parts_->http.bind_to_port(loopback, port) ? port : -1;
    }
    if (parts_->port <= 0) {
        throw InputError(Mistake{.file = "--port",
            .value = std::to_string(port),
            .message = "cannot be listened on; another program may use it, or it is reserved. 0 takes a free one"});
    }
    parts_->http.let_more_wait();
    return parts_->port;
}

void RunServer::serve()
{
    parts_->http.listen_after_bind();
    parts_->ended = true;
}

void RunServer::stop()
{
    // The library forgets a stop that comes before it listens.
    while (!parts_->http.is_running() && !parts_->ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    parts_->http.stop();
}

} // namespace rubato::cli
