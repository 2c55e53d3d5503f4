#pragma once

#include "picture/strip.hpp"
#include "record/telling_moments.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace rubato {

/// Which moments of a run a picture shows, and how.
struct RunPictureOptions {
    int moments = 4; ///< at most; the first and the last frame are among them
    std::vector<TellingMoment> chosen = {}; ///< these instead, if there are any
    Vec3 up = Vec3::UnitY(); ///< against gravity; any length but zero
    std::string title = {};
    PictureOptions picture = {.width = 480, .height = 400, .edges = false}; ///< of one moment, but for `camera.up`
};

/// What some frames of a run show.
struct RunFrames {
    TriangleMesh surface; ///< in the first of them
    std::vector<double> times; ///< [s]
    std::vector<std::vector<Vec3>> positions; ///< of the surface's nodes [m]
};

/// `most` frames of a run, evenly spread, the first and the last included. InputError if there are none, or none that
/// can be read.
RunFrames run_frames(const std::filesystem::path& run_directory, int most);
/// The frames that are nearest to these moments, one for each.
RunFrames run_frames(const std::filesystem::path& run_directory, const std::vector<TellingMoment>& moments);

/// Moments of a run side by side, from its frames. Pieces that do not hang together have different colours.
Image run_picture(const std::filesystem::path& run_directory, const RunPictureOptions& options = {});

/// The same from positions of one surface at several times.
Image run_picture(const TriangleMesh& surface, const std::vector<double>& times,
    const std::vector<std::vector<Vec3>>& positions, const RunPictureOptions& options = {});

/// A surface as bodies to be drawn, one for each piece that hangs together; vertices at the same place do.
struct PictureParts {
    std::vector<PictureBody> bodies;
    std::vector<std::vector<Index>> vertices; ///< of the surface, for the positions of each body

    /// The vertices of each body, where `positions` has those of the surface.
    std::vector<std::vector<Vec3>> gathered(const std::vector<Vec3>& positions) const;
};
PictureParts picture_parts(const TriangleMesh& surface);

} // namespace rubato
