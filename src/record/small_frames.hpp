#pragma once

#include "record/frame_file.hpp"

#include <string>

namespace rubato {

/// A file of frames in memory.
struct SmallFrames {
    std::string bytes; ///< of the file
    std::size_t count = 0; ///< frames in it
};

/// A file of frames that fits into a page: without tetrahedra; if it is still more than `most_bytes`, with positions
/// and stress alone; if that does not do either, with fewer frames, evenly spread.
SmallFrames small_frames(FrameReader& reader, std::uint64_t most_bytes);

} // namespace rubato
