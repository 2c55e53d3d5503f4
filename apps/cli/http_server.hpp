#pragma once

#include "http_connection.hpp"

#include <httplib.h>

namespace rubato::cli {

/// The library's server with our own handling of connections: each request has to come in time, and a connection goes
/// on only after one of which nothing can be left unread. Handlers see no ranges: http_file.hpp does what they ask for.
class HttpServer final : public httplib::Server {
public:
    explicit HttpServer(const HttpLimits& limits);

    /// Call it after bind: the library lets five connections wait to be taken, and each more waits a second or longer.
    void let_more_wait();

private:
    bool process_and_close_socket(socket_t socket) override;
    void serve(HttpConnection& connection);

    HttpLimits limits_;
    HttpWorkers* workers_ = nullptr; ///< while it listens
};

} // namespace rubato::cli
