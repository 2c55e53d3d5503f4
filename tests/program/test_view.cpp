#include "view.hpp"

/// What `rubato view` answers, and whom, over sockets of this machine.
namespace rubato {
namespace {

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

TEST_F(ViewTest, ReadsNoRequestOutOfABody)
{
    view();
    const std::string host = "Host: " + here() + "\r\n", own = "Origin: http://" + here() + "\r\n",
                      foreign = "Origin: http://evil.example\r\n";
    const std::string inner = "GET /runs.json HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n";
    const std::string length = "Content-Length: " + std::to_string(inner.size()) + "\r\n",
                      chunked = "Transfer-Encoding: chunked\r\n";
    const struct {
        std::string head;
        int status;
    } cases[] = {
        {"POST /runs.json HTTP/1.1\r\n" + host + foreign + length, 403},
        {"POST /render/0 HTTP/1.1\r\n" + host + foreign + length, 403},
        {"POST /render/0 HTTP/1.1\r\n" + host + foreign + chunked, 403},
        {"POST /render/0 HTTP/1.1\r\n" + host + length, 403},
        {"POST / HTTP/1.1\r\nHost: evil.example\r\n" + length, 403},
        {"PUT / HTTP/1.1\r\n" + host + foreign + length, 403},
        {"OPTIONS / HTTP/1.1\r\n" + host + foreign + length, 403},
        {"GET /runs.json HTTP/1.1\r\n" + host + foreign + length, 403},
        {"GET / HTTP/1.1\r\n" + host + length, 200},
        {"GET /nothing HTTP/1.1\r\n" + host + chunked, 404},
        {"GET / HTTP/9.9\r\n" + host + length, 400},
        {"GET / HTTP/1.1\r\n" + host + "Range: none\r\n" + length, 416},
        {"POST /render/0 HTTP/1.1\r\n" + host + own + length, 405},
        {"DELETE / HTTP/1.1\r\n" + host + own + length, 405},
        {"OPTIONS / HTTP/1.1\r\n" + host + own + length, 405},
    };
    for (const auto& c : cases) {
        const std::string all = Client(port(), c.head + "\r\n" + inner).answer();
        EXPECT_EQ(status_of(all), c.status) << c.head;
        EXPECT_EQ(times_in(all, "HTTP/1.1 "), 1) << c.head << all;
        EXPECT_EQ(head_line(all, "Connection"), "close") << c.head;
    }
}

TEST_F(ViewTest, WaitsForNoBodyThatItCannotTake)
{
    view();
    const std::string text
        = " HTTP/1.1\r\nHost: " + here() + "\r\nOrigin: http://" + here() + "\r\nContent-Length: 100\r\n\r\n";
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 100; ++i) clients.push_back(std::make_unique<Client>(port(), "POST /x" + text));
    EXPECT_EQ(status("/runs.json", {"Host: " + here()}), 200);
    for (const auto& client : clients) EXPECT_EQ(status_of(client->answer()), 405);
}

TEST_F(ViewTest, RefusesAHeadWithoutEnd)
{
    view();
    Client client(port(), "GET / HTTP/1.1\r\nHost: " + here() + "\r\nX: ");
    const std::string filling(1000, 'x');
    for (int i = 0; i < 100 && !client.heard(); ++i) client.say(filling);
    EXPECT_EQ(status_of(client.answer()), 431);
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
    EXPECT_EQ(times_in(all, "\r\n\r\nscript"), 3) << all;
}

TEST_F(ViewTest, TellsHowLongItKeepsAConnection)
{
    view({"--patience", "7"});
    const std::string request = "GET /viewer.js HTTP/1.1\r\nHost: " + here() + "\r\n";
    std::string requests;
    for (int i = 0; i < 101; ++i) requests += request + "\r\n";
    const std::string all = Client(port(), requests).answer();
    EXPECT_EQ(head_line(all, "Keep-Alive"), "timeout=7, max=100");
    EXPECT_EQ(times_in(all, "HTTP/1.1 200"), 100);
    EXPECT_EQ(times_in(all, "\r\nConnection: close\r\n"), 1);
}

} // namespace
} // namespace rubato
