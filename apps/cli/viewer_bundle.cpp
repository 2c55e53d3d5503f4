#include "viewer_bundle.hpp"

#include "base/errors.hpp"

#include <cstdlib>
#include <vector>

namespace rubato::cli {

namespace fs = std::filesystem;

std::optional<fs::path> viewer_folder()
{
    std::error_code ignored;
    std::vector<fs::path> places;
    if (const char* given = std::getenv("RUBATO_VIEWER")) places.emplace_back(given);
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    if (!program.empty()) places.push_back(program.parent_path() / "share" / "rubato" / "viewer");
    places.emplace_back(RUBATO_BUILT_VIEWER);
    for (const fs::path& place : places) {
        if (fs::is_regular_file(place / "viewer.js", ignored) && fs::is_regular_file(place / "index.html", ignored))
            return place;
    }
    return {};
}

fs::path required_viewer_folder()
{
    if (const auto folder = viewer_folder()) return *folder;
    throw InputError(
        Mistake{.message = "the viewer is not built: './run view DIR' installs Node.js and npm where they are "
                           "missing and builds it (build/viewer.log says what went wrong if it was tried), "
                           "or set RUBATO_VIEWER to a folder that holds its index.html"});
}

} // namespace rubato::cli
