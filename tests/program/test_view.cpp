#include "program.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>

/// What `rubato view` answers, and whom, over sockets of this machine.
namespace rubato {
namespace {

using namespace std::chrono_literals;

/// A connection to a port of this machine, which says what it has to say at once.
class Client {
public:
    Client(int port, const std::string& text)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{.tv_sec = 60, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        say(text);
    }
    ~Client() { ::close(socket_); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    bool connected() const { return connected_; }
    bool say(const std::string& text) { return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) >= 0; }
    /// Whether the other side has closed it, or has answered.
    bool heard() const
    {
        char byte = 0;
        const ssize_t count = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    }
    /// Everything until the other side closes.
    std::string answer() const
    {
        std::string all;
        std::array<char, 4096> piece;
        for (ssize_t n = 0; (n = ::recv(socket_, piece.data(), piece.size(), 0)) > 0;)
            all.append(piece.data(), static_cast<std::size_t>(n));
        return all;
    }

private:
    int socket_;
    bool connected_ = false;
};

class ViewTest : public ProgramTest {
protected:
    void SetUp() override
    {
        ProgramTest::SetUp();
        write("viewer/index.html", "<p>page</p>");
        write("viewer/viewer.js", "script");
        ::setenv("RUBATO_VIEWER", (folder() / "viewer").c_str(), 1);
        write("scene.json", program_scene);
        ASSERT_EQ(run({"run", "scene.json", "--out", "run", "--duration", "0.1"}).status, 0);
    }
    void TearDown() override
    {
        if (child_ > 0) {
            kill(child_, SIGTERM);
            EXPECT_EQ(finish(child_).status, 0);
        }
        ::unsetenv("RUBATO_VIEWER");
        ProgramTest::TearDown();
    }

    void view(const std::vector<std::string>& more = {})
    {
        std::vector<std::string> words{"view", "run", "--no-open"};
        words.insert(words.end(), more.begin(), more.end());
        fs::remove(folder() / ".out");
        child_ = start(words);
        for (int i = 0; i < 6000 && port_ == 0; ++i) {
            std::this_thread::sleep_for(10ms);
            const std::string told = read(".out"), address = "http://127.0.0.1:";
            const std::size_t at = told.find(address);
            if (at != std::string::npos && told.find('\n') != std::string::npos)
                port_ = std::stoi(told.substr(at + address.size()));
        }
        ASSERT_GT(port_, 0) << read(".err");
    }
    std::string here() const { return "127.0.0.1:" + std::to_string(port_); }

    /// The status of an answer to a GET with some lines of head.
    int status(const std::string& path, const std::vector<std::string>& lines, const std::string& method = "GET") const
    {
        std::string text = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n";
        for (const std::string& line : lines) text += line + "\r\n";
        const std::string answer = Client(port_, text + "\r\n").answer();
        return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9)) : 0;
    }
    int port() const { return port_; }

private:
    pid_t child_ = 0;
    int port_ = 0;
};

TEST_F(ViewTest, AnswersNoPageElsewhere)
{
    view();
    const std::string host = "Host: " + here(), own = "Origin: http://" + here();
    const std::string frames = "/runs/0/frames.rbt", list = "/runs.json";
    const struct {
        std::string path;
        std::vector<std::string> lines;
        int status;
    } cases[] = {
        {list, {host}, 200},
        {"/", {host}, 200},
        {list, {"Host: localhost:" + std::to_string(port())}, 200},
        {list, {host, own}, 200},
        {list, {host, "Sec-Fetch-Site: same-origin"}, 200},
        {"/", {host, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 200},
        {"/", {host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 200},
        {list, {}, 403},
        {list, {"Host: evil.example"}, 403},
        {list, {"Host: 127.0.0.1"}, 403},
        {list, {host, "Host: evil.example"}, 403},
        {list, {host, host}, 403},
        {list, {host, "Origin: http://evil.example"}, 403},
        {frames, {host, "Origin: http://evil.example"}, 403},
        {list, {host, "Origin: null"}, 403},
        {list, {host, own, "Origin: http://evil.example"}, 403},
        {list, {host, "Sec-Fetch-Site: cross-site"}, 403},
        {frames, {host, "Sec-Fetch-Site: cross-site"}, 403},
        {list, {host, "Sec-Fetch-Site: same-site"}, 403},
        {list, {host, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"}, 403},
        {list, {host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 403},
        {"/", {host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 403},
    };
    for (const auto& c : cases) {
        std::string all;
        for (const std::string& line : c.lines) all += line + "; ";
        EXPECT_EQ(status(c.path, c.lines), c.status) << c.path << " with " << all;
    }
    EXPECT_EQ(status("/render/0", {host, "Content-Length: 0"}, "POST"), 403);
}

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

TEST_F(ViewTest, RefusesAHeadWithoutEnd)
{
    view();
    Client client(port(), "GET / HTTP/1.1\r\nHost: " + here() + "\r\nX: ");
    const std::string filling(1000, 'x');
    for (int i = 0; i < 100 && !client.heard(); ++i) client.say(filling);
    EXPECT_TRUE(client.answer().find("GET") == std::string::npos);
    EXPECT_EQ(status("/", {"Host: " + here()}), 200);
}

TEST_F(ViewTest, EndsAHeadThatDrips)
{
    view({"--patience", "0.5"});
    Client client(port(), "GET / HTTP/1.1\r\nHost: " + here() + "\r\nX: ");
    int said = 0;
    while (said < 1200 && !client.heard()) { // a minute: each byte comes long before a single read would give up
        client.say("x");
        std::this_thread::sleep_for(50ms);
        ++said;
    }
    EXPECT_LT(said, 1200);
    EXPECT_EQ(client.answer().rfind("HTTP/1.1 408", 0), 0u);
}

TEST_F(ViewTest, ServesWhileHundredsOfConnectionsSayNothing)
{
    view({"--patience", "600"});
    std::vector<std::unique_ptr<Client>> silent;
    for (int i = 0; i < 400; ++i) {
        silent.push_back(std::make_unique<Client>(port(), i % 2 == 0 ? "" : "GET / HTTP/1.1\r\nHost: "));
        ASSERT_TRUE(silent.back()->connected());
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(status("/runs.json", {"Host: " + here()}), 200) << i;
}

TEST_F(ViewTest, KeepsAConnectionForSeveralRequests)
{
    view();
    const std::string request = "GET /viewer.js HTTP/1.1\r\nHost: " + here() + "\r\n";
    Client client(port(), request + "\r\n" + request + "\r\n" + request + "Connection: close\r\n\r\n");
    const std::string all = client.answer();
    std::size_t answers = 0;
    for (std::size_t at = all.find("\r\n\r\nscript"); at != std::string::npos; at = all.find("\r\n\r\nscript", at + 1))
        ++answers;
    EXPECT_EQ(answers, 3u) << all;
}

} // namespace
} // namespace rubato
