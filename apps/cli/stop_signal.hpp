#pragma once

#include <atomic>

namespace rubato::cli {

/// From now on the first Ctrl-C, or the wish of the system to end the program, only raises a flag, so that work can end
/// in an orderly way. A second one kills, as usual.
void listen_for_stop();
const std::atomic<bool>& stop_wanted();

} // namespace rubato::cli
