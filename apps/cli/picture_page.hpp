#pragma once

#include "run_server.hpp"

#include <functional>

namespace rubato::cli {

/// How the page draws; the viewer's documentation says what each means.
struct PictureJob {
    std::vector<double> times; ///< [s]
    int width = 1920, height = 1080; ///< [px]
    double turn = 0; ///< of the camera about the vertical [degrees]
    std::string colour = "body", camera = "three-quarter", background = "light", layout = "side-by-side";
    int samples = 16; ///< of the light, for soft shadows
    bool superimpose = false; ///< all times in one picture
    bool labels = true, plot = false, wireframe = false, follow = false;

    std::string text() const; ///< as JSON
    std::size_t most_bytes() const; ///< that one picture may take as a PNG file
    std::size_t pictures() const { return superimpose ? 1 : times.size(); }
};

/// Has the viewer draw pictures of runs in a browser without a screen. `receive` gets them as PNG files, in order; it
/// may throw. Returns false if it was interrupted (Ctrl-C). InputError where Chromium or the viewer is missing;
/// WriteError when it went wrong.
bool draw_pictures(const std::vector<ShownRun>& runs, const PictureJob& job,
    const std::function<void(std::size_t number, const std::string& png)>& receive);

/// The browser that is there. InputError that says what to install.
std::string required_browser();

} // namespace rubato::cli
