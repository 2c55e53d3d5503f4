#include "record/comparison.hpp"

#include "geometry/bounds.hpp"
#include "record/stats_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

constexpr double tan_turn
    = 0.27; // of the view of runs beside each other: nearly from the front, 15 degrees to the right
constexpr double room = 1.15; // from a run to the next, in units of what one run needs
constexpr double long_way = 2.5; // to the right, over the other extents

/// One curve for each run, of the numbers that `values` takes from its table.
template <class Values>
LinePlot plot_of(const std::vector<ShownRun>& runs, const std::string& title, Axis axis, const Values& values)
{
    LinePlot plot{.title = title, .x_axis = {"time", "s"}, .y_axis = std::move(axis)};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const StatsTable table = stats_table(runs[i].directory / "stats.csv");
        Series series = curve(i, runs[i].name, values(table));
        series.x = table.column("time");
        series.color = run_color(i); // as its body has in pictures
        plot.series.push_back(std::move(series));
    }
    return plot;
}

/// Colours that tell runs apart, as in the plots.
constexpr Rgb run_colors[]
    = {{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {213, 94, 0}, {204, 121, 167}, {86, 180, 233}};

} // namespace

LinePlot compared_energies(const std::vector<ShownRun>& runs, const std::string& title)
{
    return plot_of(runs, title, {"total energy", "J"}, [](const StatsTable& table) { return table.column("total"); });
}

LinePlot compared_heights(const std::vector<ShownRun>& runs, double weight, const std::string& title)
{
    return plot_of(runs, title, {"height of the centre of mass", "m"}, [&](const StatsTable& table) {
        std::vector<double> heights = table.column("gravity");
        for (double& height : heights) height /= weight;
        return heights;
    });
}

LinePlot compared_iterations(const std::vector<ShownRun>& runs, const std::string& title)
{
    return plot_of(
        runs, title, {"Newton iterations per step"}, [](const StatsTable& table) { return table.column("newton"); });
}

std::string run_color(std::size_t number)
{
    const Rgb color = run_colors[number % std::size(run_colors)];
    return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
}

Image compared_moments(const std::vector<ShownRun>& runs, const RunPictureOptions& options)
{
    std::vector<RunFrames> frames;
    for (const ShownRun& run : runs)
        frames.push_back(options.chosen.empty() ? run_frames(run.directory, options.moments)
                                                : run_frames(run.directory, options.chosen));

    // From left to right, as in the viewer; runs that travel far to the right stand behind each other, like lanes of a
    // track, where the next one is seen further to the right too.
    const Mat3 axes = world_axes(options.up); // right, up, front
    Vec3 low = axes.transpose() * frames.front().surface.nodes.front(), high = low;
    for (const RunFrames& run : frames) {
        for (const std::vector<Vec3>& positions : run.positions) {
            for (const Vec3& x : positions) {
                low = low.cwiseMin(axes.transpose() * x);
                high = high.cwiseMax(axes.transpose() * x);
            }
        }
    }
    const Vec3 extent = high - low;
    const bool lanes = extent.x() > long_way * std::max(extent.y(), extent.z());
    const Vec3 shift = lanes ? (-room * extent.z() * axes.col(2)).eval()
                             : (room * (extent.x() + tan_turn * extent.z()) * axes.col(0)).eval();

    std::vector<PictureBody> bodies;
    std::size_t moments_of_all = frames.front().times.size();
    for (const RunFrames& run : frames) moments_of_all = std::min(moments_of_all, run.times.size());
    std::vector<Moment> moments(moments_of_all);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        PictureParts parts = picture_parts(frames[i].surface);
        for (PictureBody& body : parts.bodies) {
            body.edges = options.picture.edges;
            body.color = run_colors[i % std::size(run_colors)];
            bodies.push_back(body);
        }
        for (std::size_t m = 0; m < moments_of_all; ++m) {
            moments[m].time = std::max(moments[m].time, frames[i].times[m]); // one that stopped early stays behind
            if (m < options.chosen.size()) moments[m].words = options.chosen[m].words;
            for (std::vector<Vec3>& positions : parts.gathered(frames[i].positions[m])) {
                for (Vec3& x : positions) x += static_cast<double>(i) * shift;
                moments[m].positions.push_back(std::move(positions));
            }
        }
    }
    PictureOptions picture = options.picture;
    picture.camera.up = options.up;
    if (!lanes) picture.camera.direction = (axes * Vec3(tan_turn, 0.32, 1)).eval();
    return moments_picture(bodies, moments, picture, {.title = options.title});
}

} // namespace rubato
