#pragma once

#include "program.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>

/// A client of the program's server, and the server of `rubato view` to ask.
namespace rubato {

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

/// The status of an answer; 0: it is none.
inline int status_of(const std::string& answer)
{
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9)) : 0;
}

/// A line of the head of an answer, or of a part of it; empty: there is none.
inline std::string head_line(const std::string& answer, const std::string& name)
{
    const std::size_t at = answer.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 4;
    return answer.substr(begin, answer.find("\r\n", begin) - begin);
}

/// What follows the head of an answer.
inline std::string body_of(const std::string& answer)
{
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

/// How often a text holds another.
inline int times_in(const std::string& text, const std::string& part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

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

    /// The answer to a request with some lines of head.
    std::string answer(
        const std::string& path, const std::vector<std::string>& lines, const std::string& method = "GET") const
    {
        std::string text = method + " " + path + " HTTP/1.1\r\nConnection: close\r\n";
        for (const std::string& line : lines) text += line + "\r\n";
        return Client(port_, text + "\r\n").answer();
    }
    int status(const std::string& path, const std::vector<std::string>& lines, const std::string& method = "GET") const
    {
        return status_of(answer(path, lines, method));
    }
    int port() const { return port_; }

private:
    pid_t child_ = 0;
    int port_ = 0;
};

} // namespace rubato
