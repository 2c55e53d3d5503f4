#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "child_process.hpp"
#include "commands.hpp"
#include "geometry/files/atomic_file.hpp"
#include "picture_page.hpp"
#include "record/frame_file.hpp"
#include "viewer_bundle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace rubato::cli {

namespace fs = std::filesystem;

namespace {

struct RenderArguments {
    std::vector<std::filesystem::path> directories;
    std::string out;
    PictureJob job;
    std::vector<double> times;
    std::optional<double> from, until;
    double rate = 30, speed = 1;
    std::string size = "1920x1080";
    bool no_labels = false, force = false;
};

constexpr int most_pictures = 1'000'000;

[[noreturn]] void refuse(const char* option, const std::string& value, const std::string& why)
{
    throw InputError(Mistake{.file = option, .value = value, .message = why});
}

/// What `-o` asks for.
enum class Target { movie, picture, sequence };

Target target_of(const fs::path& out)
{
    const std::string name = out.filename().string();
    if (out.extension() == ".mp4" || out.extension() == ".webm") return Target::movie;
    if (out.extension() != ".png")
        refuse("-o", out.string(), "must end in .mp4 or .webm (a movie), .png (one picture) or %04d.png (a sequence)");
    return name.find('%') == std::string::npos ? Target::picture : Target::sequence;
}

/// frames/%04d.png with a number in its place.
fs::path numbered(const fs::path& pattern, std::size_t number)
{
    const std::string text = pattern.string();
    const std::size_t at = text.rfind('%'), end = text.find('d', at);
    const std::string digits = end == std::string::npos ? "x" : text.substr(at + 1, end - at - 1);
    if (end == std::string::npos || digits.size() > 2 || digits.find_first_not_of("0123456789") != std::string::npos)
        refuse("-o", text, "must name the number of the picture as %d or %04d");
    const int width = digits.empty() ? 0 : std::stoi(digits);
    return text.substr(0, at) + fmt::format("{:0{}}", number, width) + text.substr(end + 1);
}

void read_size(const std::string& text, PictureJob& job)
{
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &job.width, &job.height, &rest) != 2 || job.width < 16 || job.height < 16
        || job.width > 8192 || job.height > 8192)
        refuse("--size", text, "must be WIDTHxHEIGHT in pixels, 16 to 8192 each, e.g. 1920x1080");
}

/// The moments to be drawn: those asked for, or from the beginning to the end at the rate of the movie.
std::vector<double> moments(const RenderArguments& arguments, Target target)
{
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (const fs::path& directory : arguments.directories) {
        const FrameReader reader(directory / "frames.rbt");
        first = std::min(first, reader.time(0));
        last = std::max(last, reader.time(reader.count() - 1));
    }
    if (!arguments.times.empty()) return arguments.times;
    const double from = std::max(first, arguments.from.value_or(first)),
                 until = std::min(last, arguments.until.value_or(last));
    if (!(from <= until))
        refuse("--from, --until",
            fmt::format("{:g}, {:g}", arguments.from.value_or(first), arguments.until.value_or(last)),
            fmt::format("must leave something of the run, which goes from {:g} to {:g} s", first, last));
    if (target == Target::picture && !arguments.job.superimpose) return {until};
    if (arguments.job.superimpose && target == Target::picture) { // as many as an eye can tell apart
        std::vector<double> few;
        for (int i = 0; i < 8; ++i) few.push_back(from + (until - from) * i / 7);
        return few;
    }
    std::vector<double> all;
    const double step = arguments.speed / arguments.rate;
    if ((until - from) / step > most_pictures)
        refuse("--speed", fmt::format("{:g}", arguments.speed),
            fmt::format("would make more than {} pictures", most_pictures));
    for (long i = 0; from + static_cast<double>(i) * step <= until + 1e-9 * step; ++i)
        all.push_back(from + static_cast<double>(i) * step);
    return all;
}

/// Pictures on their way into a movie.
class Movie {
public:
    Movie(const fs::path& out, double rate)
        : out_(out)
        , unfinished_(out.parent_path() / (".unfinished-" + out.filename().string()))
        , log_(fs::path(unfinished_) += ".log")
    {
        const std::string ffmpeg = first_program({"ffmpeg"});
        if (ffmpeg.empty())
            throw InputError(Mistake{.message = "movies are made by ffmpeg, which is not installed: apt-get install "
                                                "ffmpeg, or ask for pictures: -o frames/%04d.png"});
        std::vector<std::string> words{ffmpeg, "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate",
            fmt::format("{:g}", rate), "-c:v", "png", "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt",
            "yuv420p"};
        if (out.extension() == ".mp4") {
            words.insert(words.end(), {"-c:v", "libx264", "-crf", "17", "-movflags", "+faststart"});
        } else {
            words.insert(words.end(), {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0"});
        }
        words.push_back(unfinished_.string());
        process_ = std::make_unique<ChildProcess>(words, log_, true);
    }
    ~Movie()
    {
        process_.reset();
        std::error_code ignored;
        fs::remove(unfinished_, ignored);
        fs::remove(log_, ignored);
    }
    Movie(const Movie&) = delete;
    Movie& operator=(const Movie&) = delete;

    void add(const std::string& png)
    {
        if (!process_->feed(png)) fail();
    }
    void finish()
    {
        process_->end_feed();
        if (process_->wait() != 0) fail();
        std::error_code error;
        fs::rename(unfinished_, out_, error);
        if (error) throw WriteError(out_.string(), error.message());
    }

private:
    [[noreturn]] void fail() { throw WriteError(out_.string(), "ffmpeg could not write it: " + file_bytes(log_)); }

    fs::path out_, unfinished_, log_;
    std::unique_ptr<ChildProcess> process_;
};

void require_absent(const fs::path& file, bool force)
{
    std::error_code ignored;
    if (!force && fs::exists(file, ignored))
        refuse("-o", file.string(), "exists already; choose another name, or --force");
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code error;
    if (fs::create_directories(folder, error))
        std::cout << fmt::format("made the folder {}\n", printable(folder.string()));
    if (error) refuse("-o", folder.string(), "cannot be made a folder: " + error.message());
}

/// "spot with a-search", or "spot: bdf2, a-search".
std::string what_is_drawn(const std::vector<ShownRun>& runs)
{
    if (runs.size() == 1) return fmt::format("{} with {}", runs[0].scene, runs[0].integrator);
    std::vector<std::string> names;
    for (const ShownRun& run : runs) names.push_back(run.name);
    return fmt::format("{}: {}", runs[0].scene, fmt::join(names, ", "));
}

int render(RenderArguments arguments)
{
    const fs::path out = arguments.out;
    require_no_detour("-o", out);
    const Target target = target_of(out);
    read_size(arguments.size, arguments.job);
    required_viewer_folder();
    required_browser();
    const std::vector<ShownRun> runs = shown_runs(arguments.directories);
    require_frames(runs);
    PictureJob& job = arguments.job;
    job.labels = !arguments.no_labels;
    job.times = moments(arguments, target);
    if (target == Target::picture && job.pictures() != 1)
        refuse("-o", out.string(), "is one picture; for several name them %04d.png, or --superimpose them in one");
    for (std::size_t i = 0; i < (target == Target::sequence ? job.pictures() : 1); ++i)
        require_absent(target == Target::sequence ? numbered(out, i) : out, arguments.force);

    const auto [first, last] = std::minmax_element(job.times.begin(), job.times.end());
    std::cout << fmt::format("drawing {}, {} of {} x {} pixels, {}\n", what_is_drawn(runs),
        counted(static_cast<long>(job.pictures()), "picture", "pictures"), job.width, job.height,
        *first < *last ? fmt::format("{:g} to {:g} s", *first, *last) : fmt::format("at {:g} s", *last))
              << std::flush; // it may take minutes
    std::optional<Movie> movie;
    if (target == Target::movie) movie.emplace(out, arguments.rate);
    const bool terminal = isatty(STDERR_FILENO) == 1;
    const bool drawn = draw_pictures(runs, job, [&](std::size_t number, const std::string& png) {
        if (movie)
            movie->add(png);
        else
            write_atomically(target == Target::sequence ? numbered(out, number) : out, png);
        if (terminal) std::cerr << fmt::format("\rpicture {} of {} ", number + 1, job.pictures()) << std::flush;
    });
    if (terminal) std::cerr << '\n';
    if (!drawn) {
        std::cerr << "rubato: interrupted\n";
        return interrupted;
    }
    if (movie) movie->finish();
    std::cout << fmt::format("wrote {} ({}, {} x {} pixels)\n", printable(out.string()),
        counted(static_cast<long>(job.pictures()), "picture", "pictures"), job.width, job.height);
    return done;
}

} // namespace

void add_render(CLI::App& app, int& status)
{
    auto arguments = std::make_shared<RenderArguments>();
    PictureJob& job = arguments->job;
    CLI::App* command = app.add_subcommand("render", "Draw a movie or pictures of runs, without a screen");
    command->add_option("directories", arguments->directories, "Run directories")->required();
    command->add_option("-o,--out", arguments->out, "movie.mp4, movie.webm, picture.png or frames/%04d.png")
        ->required();
    command->add_option("--size", arguments->size, "WIDTHxHEIGHT in pixels (default: 1920x1080)");
    command->add_option("--rate", arguments->rate, "Pictures per second of the movie (default: 30)")
        ->check(CLI::Range(1.0, 240.0));
    command->add_option("--speed", arguments->speed, "Simulated seconds per second of the movie (default: 1)")
        ->check(CLI::Range(1e-6, 1e6));
    command->add_option("--from", arguments->from, "First moment [s]");
    command->add_option("--until", arguments->until, "Last moment [s]");
    command->add_option("--times", arguments->times, "Only these moments [s], with commas")->delimiter(',');
    command->add_flag("--superimpose", job.superimpose, "All moments in one picture");
    command->add_option("--colour,--color", job.colour, "What colours show (default: body)")
        ->check(CLI::IsMember({"body", "displacement", "speed", "stress", "contact"}));
    command->add_option("--camera", job.camera, "Where from (default: three-quarter)")
        ->check(CLI::IsMember({"three-quarter", "front", "side", "top"}));
    command->add_option("--turn", job.turn, "Turns the camera about the vertical [degrees]; 180: from behind")
        ->check(CLI::Range(-360.0, 360.0));
    command->add_option("--layout", job.layout, "Several runs: side-by-side or overlaid")
        ->check(CLI::IsMember({"side-by-side", "overlaid"}));
    command->add_option("--background", job.background, "light, dark or transparent (default: light)")
        ->check(CLI::IsMember({"light", "dark", "transparent"}));
    command->add_option("--samples", job.samples, "Of the light; more make softer shadows (default: 16)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--plot", job.plot, "With a plot of the energy");
    command->add_flag("--wireframe", job.wireframe, "With the edges of the mesh");
    command->add_flag("--follow", job.follow, "The camera follows the bodies");
    command->add_flag("--no-labels", arguments->no_labels, "Without names and time");
    command->add_flag("--force", arguments->force, "Replace files that are there");
    command->callback([arguments, &status] { status = render(*arguments); });
}

} // namespace rubato::cli
