#include "view.hpp"

#include <atomic>

/// What the server of `rubato render` takes from the page that draws.
namespace rubato {
namespace {

/// `rubato render` with a browser that does nothing but stay there: the test takes the part of its page.
class RenderTest : public ViewTest {
protected:
    void SetUp() override
    {
        ViewTest::SetUp();
        const std::string told = (folder() / "address").string();
        write("browser",
            "#!/bin/sh\nfor word; do last=$word; done\necho \"$last\" >'" + told + ".part'\nmv '" + told + ".part' '"
                + told + "'\nexec sleep 600\n");
        fs::permissions(folder() / "browser", fs::perms::owner_all);
        ::setenv("CHROMIUM", (folder() / "browser").c_str(), 1);
    }
    void TearDown() override
    {
        if (child_ > 0) {
            kill(child_, SIGTERM); // it ends its browser, too
            if (ended() == -1) kill(child_, SIGKILL);
        }
        ::unsetenv("CHROMIUM");
        ViewTest::TearDown();
    }

    void render(const std::string& size)
    {
        child_ = start({"render", "run", "-o", "picture.png", "--size", size});
        for (int i = 0; i < 6000 && !exists("address"); ++i) std::this_thread::sleep_for(10ms);
        const std::string address = read("address"), begin = "http://127.0.0.1:";
        ASSERT_TRUE(address.starts_with(begin)) << read(".err");
        port_ = std::stoi(address.substr(begin.size()));
    }
    std::string post(const std::string& path, std::size_t length) const
    {
        const std::string here = "127.0.0.1:" + std::to_string(port_);
        return "POST " + path + " HTTP/1.1\r\nHost: " + here + "\r\nOrigin: http://" + here
            + "\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
    }
    std::string get() const { return "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n"; }
    /// Exit status; -1: it goes on after half a minute.
    int ended()
    {
        int status = 0;
        for (int i = 0; i < 3000; ++i) {
            if (waitpid(child_, &status, WNOHANG) != 0) {
                child_ = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
            }
            std::this_thread::sleep_for(10ms);
        }
        return -1;
    }
    int port() const { return port_; }
    pid_t child() const { return child_; }

private:
    pid_t child_ = 0;
    int port_ = 0;
};

TEST_F(RenderTest, TakesPicturesAsLargeAsAskedFor)
{
    render("8192x2304");
    std::string picture(std::size_t{8192} * 2304 * 4, 'x'); // four bytes a pixel: one that cannot be compressed
    picture.replace(0, 4, "\x89PNG");
    {
        Client client(port(), post("/render/0", picture.size()));
        for (std::size_t at = 0; at < picture.size() && client.say(picture.substr(at, 1 << 20)); at += 1 << 20)
            continue;
        EXPECT_EQ(status_of(client.answer()), 200);
    }
    EXPECT_EQ(status_of(Client(port(), post("/render/done", 0)).answer()), 200);
    EXPECT_EQ(ended(), 0) << read(".err");
    EXPECT_TRUE(read("picture.png") == picture);
}

TEST_F(RenderTest, TakesNoPicturesLargerThanAskedFor)
{
    render("16x16");
    std::string picture(2 << 20, 'x');
    Client client(port(), post("/render/0", picture.size()));
    client.say(picture);
    EXPECT_EQ(status_of(client.answer()), 413);
}

TEST_F(RenderTest, KeepsNobodyWaitingForABody)
{
    render("64x64");
    std::vector<std::unique_ptr<Client>> silent;
    for (int i = 0; i < 100; ++i) silent.push_back(std::make_unique<Client>(port(), post("/render/0", 100)));
    EXPECT_EQ(status_of(Client(port(), get() + "Connection: close\r\n\r\n").answer()), 200);
    kill(child(), SIGTERM);
    EXPECT_EQ(ended(), 130);
}

TEST_F(RenderTest, KeepsNobodyWaitingForABodyThatDrips)
{
    render("64x64");
    std::vector<std::unique_ptr<Client>> slow;
    for (int i = 0; i < 100; ++i) slow.push_back(std::make_unique<Client>(port(), post("/render/0", 100'000)));
    std::atomic<bool> end{false};
    std::thread dripping([&] {
        while (!end) {
            for (const auto& client : slow) client->say("x");
            std::this_thread::sleep_for(20ms);
        }
    });
    EXPECT_EQ(status_of(Client(port(), get() + "Connection: close\r\n\r\n").answer()), 200);
    end = true;
    dripping.join();
}

TEST_F(RenderTest, ReadsNoBodyThatNobodyAskedFor)
{
    render("64x64");
    EXPECT_EQ(status_of(Client(port(), post("/x", 100)).answer()), 405);
    EXPECT_EQ(status_of(Client(port(), post("/", 100)).answer()), 405);
}

} // namespace
} // namespace rubato
