#pragma once

#include "dynamics/observer.hpp"

#include <functional>
#include <string_view>

namespace rubato {

struct ProgressOptions {
    double end_time = 0; ///< [s]
    bool terminal = false; ///< whether the sink is a terminal; otherwise nothing is shown
    std::function<void(std::string_view)> sink; ///< receives text to show at once
    std::function<double()> clock; ///< seconds from any origin; the steady clock when empty
};

/// One line that is redrawn in place, at most ten times a second:
///
///     step 120/300  t 4.00 s  57 steps/s  3 s left  E 1.23 J  newton 4
class Progress : public Observer {
public:
    explicit Progress(ProgressOptions options);

    void step(const StepRecord& record) override;
    void blank(); ///< makes room for a line of its own; the next step draws again
    void finish(); ///< draws the last step if it was not, and ends the line

private:
    void draw();

    static constexpr double redraw_interval = 0.1; ///< [s]

    ProgressOptions options_;
    bool begun_ = false, pending_ = false, solved_ = false;
    long first_step_ = 0;
    double began_ = 0, drawn_ = 0; ///< on the clock [s]
    double began_t_ = 0; ///< simulated time when this process began [s]
    long step_ = 0;
    double t_ = 0, h_ = 0, energy_ = 0;
    int newton_ = 0;
    std::size_t width_ = 0; ///< of the longest line drawn
};

} // namespace rubato
