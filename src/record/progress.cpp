#include "record/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace rubato {

namespace {

double steady_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Text in a fixed buffer: drawing allocates nothing, and what does not fit is cut off.
class Line {
public:
    template <class... Values>
    void add(fmt::format_string<Values...> form, Values&&... values)
    {
        const auto result
            = fmt::format_to_n(text_ + size_, sizeof text_ - size_, form, std::forward<Values>(values)...);
        size_ = static_cast<std::size_t>(result.out - text_);
    }
    /// "3 s", "2 min", "1.5 h": as coarse as a person wants to read it.
    void add_duration(double seconds)
    {
        if (seconds < 99.5) return add("{:.0f} s", seconds);
        if (seconds < 5970) return add("{:.0f} min", seconds / 60);
        add("{:.1f} h", seconds / 3600);
    }
    void pad(std::size_t width)
    {
        while (size_ < std::min(width, sizeof text_)) text_[size_++] = ' ';
    }
    std::size_t size() const { return size_; }
    std::string_view view() const { return {text_, size_}; }

private:
    char text_[256];
    std::size_t size_ = 0;
};

} // namespace

Progress::Progress(ProgressOptions options)
    : options_(std::move(options))
{
    if (!options_.clock) options_.clock = steady_seconds;
}

void Progress::step(const StepRecord& record)
{
    if (!options_.terminal || !options_.sink) return;
    step_ = record.step;
    t_ = record.state.t;
    h_ = record.h;
    energy_ = record.total();
    newton_ = record.outcome.solve.iterations;
    solved_ = record.step > 0 && record.outcome.solve.reason != StopReason::no_solve;
    const double now = options_.clock();
    if (!begun_) {
        begun_ = true;
        // A run that goes on tells of its first new step only: what came before took no time here.
        first_step_ = std::max(0L, step_ - 1);
        began_t_ = step_ == 0 ? t_ : t_ - h_;
        began_ = now;
        drawn_ = -std::numeric_limits<double>::infinity();
    }
    pending_ = true;
    if (now - drawn_ >= redraw_interval) draw();
}

void Progress::blank()
{
    if (!begun_) return;
    options_.sink(fmt::format("\r{:{}}\r", "", width_));
    pending_ = true;
    drawn_ = -std::numeric_limits<double>::infinity();
}

void Progress::finish()
{
    if (!begun_) return;
    if (pending_) draw();
    options_.sink("\n");
    begun_ = false;
}

void Progress::draw()
{
    pending_ = false;
    drawn_ = options_.clock();
    const double elapsed = drawn_ - began_;
    const double remaining = std::max(0.0, options_.end_time - t_); // simulated [s]
    const double progressed = t_ - began_t_;
    const long done = step_ - first_step_;

    Line line;
    line.add("\rstep {}", step_);
    // Steps to come, if they are as long as this one; the last may be shorter, round-off is not a step.
    if (h_ > 0 && remaining / h_ < 1e12) {
        line.add("/{}", step_ + static_cast<long>(std::ceil(remaining / h_ - 1e-6)));
    }
    line.add("  t {:.2f} s", t_);
    if (done > 0 && elapsed > 0) {
        const double rate = static_cast<double>(done) / elapsed;
        rate < 9.95 ? line.add("  {:.1f} steps/s", rate) : line.add("  {:.0f} steps/s", rate);
        if (progressed > 0) {
            line.add("  ");
            line.add_duration(remaining * elapsed / progressed);
            line.add(" left");
        }
    }
    line.add("  E {:.3g} J", energy_);
    if (solved_) line.add("  newton {}", newton_);

    // Blanks cover what a longer line left behind.
    const std::size_t width = line.size();
    line.pad(width_);
    width_ = std::max(width_, width);
    options_.sink(line.view());
}

} // namespace rubato
