#include "picture_page.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "base/temporary_folder.hpp"
#include "child_process.hpp"
#include "stop_signal.hpp"
#include "viewer_bundle.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience{300}; ///< with a page that sends nothing

std::vector<std::string> browser_words(const std::string& browser, const fs::path& folder, const std::string& address)
{
    std::vector<std::string> words{browser, "--headless=new", "--user-data-dir=" + folder.string(), "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
        "--disable-extensions", "--mute-audio", "--hide-scrollbars", "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
        "--window-size=1280,800"};
    if (::geteuid() == 0) words.emplace_back("--no-sandbox"); // Chromium's sandbox refuses to work for root
    words.push_back(address);
    return words;
}

std::string last_words(const fs::path& log)
{
    std::string text;
    try {
        text = file_bytes(log);
    } catch (const InputError&) {
    }
    return text.size() > 800 ? "..." + text.substr(text.size() - 800) : text;
}

} // namespace

std::string PictureJob::text() const
{
    return nlohmann::ordered_json{{"width", width}, {"height", height}, {"times", times}, {"colour", colour},
        {"camera", camera}, {"turn", turn}, {"samples", samples}, {"background", background},
        {"superimpose", superimpose}, {"labels", labels}, {"plot", plot}, {"wireframe", wireframe}, {"layout", layout},
        {"follow", follow}}
        .dump();
}

std::size_t PictureJob::most_bytes() const
{
    // Rows of four bytes a pixel and one for the filter. Where they cannot be compressed, their wrapping adds a little.
    const std::size_t rows = static_cast<std::size_t>(height) * (4 * static_cast<std::size_t>(width) + 1);
    return rows + rows / 64 + (1 << 20);
}

std::string required_browser()
{
    const char* given = std::getenv("CHROMIUM");
    std::string browser
        = first_program({given == nullptr ? "" : given, "chromium", "chromium-browser", "google-chrome", "chrome"});
    if (!browser.empty()) return browser;
    throw InputError(Mistake{.message = "pictures are drawn by Chromium, which is not installed: apt-get install "
                                        "chromium, or set CHROMIUM to its program"});
}

bool draw_pictures(const std::vector<ShownRun>& runs, const PictureJob& job,
    const std::function<void(std::size_t, const std::string&)>& receive)
{
    const std::string browser = required_browser();
    const TemporaryFolder folder("browser");
    const fs::path log = folder / "browser.log";
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t received = 0;
    std::optional<std::string> end; // why the page stopped; empty: it was through
    const auto stop_with = [&](const std::string& why) {
        const std::lock_guard lock(mutex);
        if (!end) end = why;
        changed.notify_all();
    };
    HttpLimits limits;
    limits.body_bytes = job.most_bytes();
    RunServer server(required_viewer_folder(), runs,
        {.job = job.text(),
            .picture =
                [&](std::size_t number, const std::string& png) {
                    const std::lock_guard lock(mutex);
                    if (end) return;
                    try {
                        if (number != received || !png.starts_with("\x89PNG"))
                            throw std::runtime_error("the page sent something that is not the next picture");
                        receive(number, png);
                        ++received;
                    } catch (const std::exception& error) {
                        end = error.what();
                    }
                    changed.notify_all();
                },
            .ended = stop_with},
        limits);
    const int port = server.bind(0);
    std::thread serving([&] { server.serve(); });
    listen_for_stop();

    std::string failure;
    try {
        ChildProcess page(browser_words(browser, folder / "profile", fmt::format("http://127.0.0.1:{}/", port)), log);
        std::unique_lock lock(mutex);
        auto last = std::chrono::steady_clock::now();
        std::size_t seen = 0;
        while (!end && !stop_wanted()) {
            changed.wait_for(lock, std::chrono::milliseconds(200));
            const auto now = std::chrono::steady_clock::now();
            if (received != seen) last = now;
            seen = received;
            if (!end && page.status()) end = "the browser ended:\n" + last_words(log);
            if (!end && now - last > patience) end = "the page sent nothing for minutes:\n" + last_words(log);
        }
        failure = end.value_or("");
    } catch (const std::system_error& error) {
        failure = error.what();
    }
    server.stop();
    serving.join();
    if (stop_wanted()) return false;
    if (!failure.empty()) throw WriteError("pictures", failure);
    if (received != job.pictures())
        throw WriteError("pictures", fmt::format("only {} of {} were drawn", received, job.pictures()));
    return true;
}

} // namespace rubato::cli
