#include "view.hpp"

#include <atomic>

/// Which bytes of which files `rubato view` gives, and what it makes of files that change under it.
namespace rubato {
namespace {

TEST_F(ViewTest, HonoursAFewRanges)
{
    view();
    const std::string host = "Host: " + here();
    const auto ranges = [&](int count) {
        std::string line = "Range: bytes=0-0";
        for (int i = 1; i < count; ++i) line += ",0-";
        return status("/runs/0/frames.rbt", {host, line});
    };
    EXPECT_EQ(ranges(1), 206);
    EXPECT_EQ(ranges(4), 206);
    EXPECT_EQ(ranges(5), 416);
    EXPECT_EQ(ranges(2000), 416);
}

TEST_F(ViewTest, GivesOnlyBytesThatTheFileHas)
{
    view();
    const std::string csv = read("run/stats.csv"), n = std::to_string(csv.size());
    const std::size_t size = csv.size();
    ASSERT_GT(size, 10u);
    const std::string last = std::to_string(size - 1), whole = "bytes 0-" + last + "/" + n, none = "bytes */" + n;
    const struct {
        std::string asked, range;
        std::string body;
    } cases[] = {
        {"9223372036854775807-9223372036854775807", none, ""},
        {"9223372036854775807-", none, ""},
        {"999999999-", none, ""},
        {n + "-", none, ""},
        {n + "-" + n, none, ""},
        {"-0", none, ""},
        {"-", none, ""},
        {"999999999-,888888888-", none, ""},
        {"0-999999999", whole, csv},
        {"0-9223372036854775807", whole, csv},
        {"0-", whole, csv},
        {"-999999999", whole, csv},
        {"-9223372036854775807", whole, csv},
        {last + "-", "bytes " + last + "-" + last + "/" + n, csv.substr(size - 1)},
        {last + "-" + n, "bytes " + last + "-" + last + "/" + n, csv.substr(size - 1)},
        {"-5", "bytes " + std::to_string(size - 5) + "-" + last + "/" + n, csv.substr(size - 5)},
        {"2-4", "bytes 2-4/" + n, csv.substr(2, 3)},
        {"2-4,999999999-", "bytes 2-4/" + n, csv.substr(2, 3)},
    };
    for (const auto& c : cases) {
        const std::string all = answer("/runs/0/stats.csv", {"Host: " + here(), "Range: bytes=" + c.asked});
        EXPECT_EQ(status_of(all), c.range == none ? 416 : 206) << c.asked;
        EXPECT_EQ(head_line(all, "Content-Range"), c.range) << c.asked;
        EXPECT_EQ(head_line(all, "Content-Length"), std::to_string(c.body.size())) << c.asked;
        EXPECT_EQ(body_of(all), c.body) << c.asked;
    }
    EXPECT_EQ(status("/", {"Host: " + here()}), 200);
}

TEST_F(ViewTest, GivesSeveralRangesAsParts)
{
    view();
    const std::string csv = read("run/stats.csv"), n = std::to_string(csv.size());
    const std::string all = answer("/runs/0/stats.csv", {"Host: " + here(), "Range: bytes=1-2, 5-,999999999-,-3"});
    EXPECT_EQ(status_of(all), 206);
    const std::string type = head_line(all, "Content-Type"), begin = "multipart/byteranges; boundary=";
    ASSERT_TRUE(type.starts_with(begin)) << type;
    const std::string line = "--" + type.substr(begin.size());
    const auto part = [&](std::size_t from, std::size_t to) {
        return line + "\r\nContent-Type: text/csv\r\nContent-Range: bytes " + std::to_string(from) + "-"
            + std::to_string(to) + "/" + n + "\r\n\r\n" + csv.substr(from, to - from + 1) + "\r\n";
    };
    const std::size_t last = csv.size() - 1;
    EXPECT_EQ(body_of(all), part(1, 2) + part(5, last) + part(last - 2, last) + line + "--\r\n");
    EXPECT_EQ(head_line(all, "Content-Length"), std::to_string(body_of(all).size()));
}

TEST_F(ViewTest, GivesAnEmptyFile)
{
    view();
    write("run/stats.csv", "");
    const std::string all = answer("/runs/0/stats.csv", {"Host: " + here()});
    EXPECT_EQ(status_of(all), 200);
    EXPECT_EQ(head_line(all, "Content-Length"), "0");
    EXPECT_EQ(status("/runs/0/stats.csv", {"Host: " + here(), "Range: bytes=0-"}), 416);
}

/// Some file that has a size, can be opened, and gives nothing but errors; empty: this machine has none.
fs::path unreadable_bytes()
{
    std::error_code error;
    for (const auto& device : fs::directory_iterator("/sys/devices", error)) {
        const fs::path file = device.path() / "power/autosuspend_delay_ms"; // EIO where the device has no such delay
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) continue;
        char byte = 0;
        const bool refused = ::pread(descriptor, &byte, 1, 0) < 0 && fs::file_size(file, error) > 0;
        close(descriptor);
        if (refused) return file;
    }
    return {};
}

TEST_F(ViewTest, OutlivesADiskThatRefuses)
{
    const fs::path broken = unreadable_bytes();
    if (broken.empty()) GTEST_SKIP() << "this machine has no file whose bytes cannot be read";
    view();
    fs::remove(folder() / "run/stats.csv");
    fs::create_symlink(broken, folder() / "run/stats.csv");
    EXPECT_EQ(body_of(answer("/runs/0/stats.csv", {"Host: " + here()})), "");
    EXPECT_EQ(status("/", {"Host: " + here()}), 200);
}

TEST_F(ViewTest, TakesAFileThatComesAndGoesForOneThatIsThereOrNot)
{
    view();
    const fs::path shown = folder() / "run/stats.csv", away = folder() / "away.csv";
    std::atomic<bool> end{false};
    std::thread moving([&] {
        std::error_code ignored;
        while (!end) {
            fs::rename(shown, away, ignored);
            fs::rename(away, shown, ignored);
        }
    });
    for (int i = 0; i < 2000; ++i) {
        const std::string all = answer("/runs/0/stats.csv", {"Host: " + here()});
        EXPECT_TRUE(status_of(all) == 200 || status_of(all) == 404) << all.substr(0, 400);
        if (HasFailure()) break;
    }
    end = true;
    moving.join();
}

TEST_F(ViewTest, TakesTheLevelAtRestFromTheSummaryAlone)
{
    std::string scene = program_scene;
    const std::string before = "\"implicit-euler\"";
    scene.replace(scene.find(before), before.size(), R"("a-search", "energy": {"type": "hold", "ground": 0.25})");
    write("scene.json", scene);
    ASSERT_EQ(run({"run", "scene.json", "--out", "run", "--duration", "0.1", "--force"}).status, 0);
    view();
    const auto listed = [&] { return body_of(answer("/runs.json", {"Host: " + here()})); };
    const std::string whole = listed();
    EXPECT_EQ(times_in(whole, "\"rest\":0.25"), 1) << whole;
    fs::remove(folder() / "run/scene.json");
    write("run/stats.csv", "step,time\n");
    EXPECT_EQ(listed(), whole);
    write("run/summary.json", "{}");
    EXPECT_EQ(times_in(listed(), "\"rest\":"), 0);
}

} // namespace
} // namespace rubato
