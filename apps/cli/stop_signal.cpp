#include "stop_signal.hpp"

#include <csignal>

namespace rubato::cli {

namespace {

std::atomic<bool> wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler writes it");

void want_stop(int) { wanted = true; }

} // namespace

void listen_for_stop()
{
    struct sigaction action = {};
    action.sa_handler = want_stop;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

const std::atomic<bool>& stop_wanted() { return wanted; }

} // namespace rubato::cli
