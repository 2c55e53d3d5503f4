#include "record/export/frame_selection.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

[[noreturn]] void refuse(const FrameReader& reader, const std::string& why)
{
    throw InputError(Mistake{.file = reader.file().string(), .message = why});
}

/// The writer of the file saw to it; a file may have come from elsewhere.
Frame finite(const FrameReader& reader, std::size_t number, Frame frame)
{
    const auto good = [](float value) { return std::isfinite(value); };
    if (!std::isfinite(frame.time) || !std::all_of(frame.values.begin(), frame.values.end(), good))
        refuse(reader, fmt::format("frame {} holds a number that is not finite", number));
    return frame;
}

} // namespace

FrameSelection::FrameSelection(FrameReader& reader, const FrameChoice& choice)
    : reader_(reader)
{
    if (reader.count() == 0) refuse(reader, "holds no frames");
    if (reader.header().fields.front().name != "position") refuse(reader, "does not say where its points are");
    // Times are sums of steps: one that was asked for as 0.3 may be there as 0.29999999999999993.
    const auto slack = [](double time) { return std::isfinite(time) ? 1e-9 * (1 + std::abs(time)) : 0; };
    const double from = choice.from - slack(choice.from), until = choice.until + slack(choice.until);
    double last = -std::numeric_limits<double>::infinity();
    std::size_t within = 0;
    for (std::size_t i = 0; i < reader.count(); ++i) {
        const double time = reader.time(i);
        if (!(time >= from && time <= until) || !(time > last)) continue;
        last = time;
        if (within++ % std::max<std::size_t>(1, choice.every) == 0) frames_.push_back(i);
    }
    if (frames_.empty()) {
        refuse(reader,
            fmt::format("has no frame from {} s until {} s; its frames go from {} s to {} s", choice.from, choice.until,
                reader.time(0), reader.time(reader.count() - 1)));
    }
}

Frame FrameSelection::frame(std::size_t number) const
{
    if (seen_) seen_(number);
    return finite(reader_, frames_.at(number), reader_.frame(frames_.at(number)));
}

Frame FrameSelection::node_frame(std::size_t number) const
{
    return finite(reader_, frames_.at(number), reader_.node_frame(frames_.at(number)));
}

std::span<const float> FrameSelection::field(const Frame& frame, const std::string& name) const
{
    return frame.field(header().fields, static_cast<std::size_t>(header().points), name);
}

} // namespace rubato
