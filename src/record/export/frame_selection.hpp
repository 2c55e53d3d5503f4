#pragma once

#include "record/frame_file.hpp"

#include <functional>
#include <limits>

namespace rubato {

/// Which frames of a file are wanted.
struct FrameChoice {
    std::size_t every = 1; ///< of those between the times: the first, and then each so many
    double from = -std::numeric_limits<double>::infinity(); ///< [s]
    double until = std::numeric_limits<double>::infinity(); ///< [s]
};

/// Some frames of a file, numbered from 0; what exporters see of it. Times grow from frame to frame, and every number
/// is finite.
class FrameSelection {
public:
    /// A reader stands for all its frames. Throws InputError if none is left.
    FrameSelection(FrameReader& reader, const FrameChoice& choice = {}); // NOLINT(google-explicit-constructor)

    FrameReader& reader() const { return reader_; }
    const FrameHeader& header() const { return reader_.header(); }
    std::size_t count() const { return frames_.size(); }
    double time(std::size_t number) const { return reader_.time(frames_[number]); } ///< [s]
    Frame frame(std::size_t number) const; ///< throws InputError for a damaged one
    Frame node_frame(std::size_t number) const;

    /// The numbers of a field of the points, point after point; empty: the file does not have it.
    std::span<const float> field(const Frame& frame, const std::string& name) const;

    /// Calls `seen` with the number of each frame that is read: progress, on a terminal.
    void watch(std::function<void(std::size_t)> seen) { seen_ = std::move(seen); }

private:
    FrameReader& reader_;
    std::vector<std::size_t> frames_; ///< numbers in the file
    std::function<void(std::size_t)> seen_;
};

/// The part of a field that belongs to one body.
inline std::span<const float> of_body(std::span<const float> field, const FrameBody& body, std::size_t components)
{
    if (field.empty()) return {};
    return field.subspan(
        components * static_cast<std::size_t>(body.first_point), components * static_cast<std::size_t>(body.points));
}

} // namespace rubato
