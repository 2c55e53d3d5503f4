#pragma once

#include "export/readers.hpp"

#include <span>
#include <vector>

/// Readers that others wrote, each asked whether it finds in an export where the points of a run were.
namespace rubato::test {

/// A run, and what one format made of it.
struct ExportedRun {
    FrameReader& reader;
    std::vector<std::vector<float>> x; ///< of all points at each frame [m]
    double tolerance = 0; ///< [m]
    std::vector<std::filesystem::path> files = {}; ///< that were written

    const std::vector<FrameBody>& bodies() const { return reader.header().bodies; }
    std::span<const float> of_body(std::size_t frame, const FrameBody& body) const
    {
        return std::span(x[frame]).subspan(
            3 * static_cast<std::size_t>(body.first_point), 3 * static_cast<std::size_t>(body.points));
    }
    /// Of the files, those that end like this.
    std::vector<std::string> ending_in(const std::string& extension) const
    {
        std::vector<std::string> found;
        for (const auto& file : files) {
            if (file.extension() == extension) found.push_back(file.string());
        }
        return found;
    }
};

struct Judge {
    std::string format; ///< as the catalog has it
    std::string missing; ///< why it cannot be asked; empty: it can
    void (*ask)(const ExportedRun&); ///< fails the test where it finds something else
};

std::vector<Judge> judges();

/// Numbers in the order of the run.
template <class Numbers>
void expect_near(const Numbers& found, std::span<const float> wanted, double tolerance, const std::string& where)
{
    ASSERT_EQ(found.size(), wanted.size()) << where;
    double worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double difference = std::abs(static_cast<double>(found[i]) - static_cast<double>(wanted[i]));
        worst = difference > worst || std::isnan(difference) ? difference : worst;
    }
    EXPECT_LE(worst, tolerance) << where;
}

/// Points that a reader keeps in an order of its own, each with its places at several frames.
class Ways {
public:
    explicit Ways(std::size_t frames)
        : frames_(frames)
    {
    }
    void add(const std::vector<Eigen::Vector3f>& way) { ways_.push_back(way); }
    std::size_t count() const { return ways_.size(); }

    /// Every way of the one is a way of the other, and the other way round.
    friend void expect_same(Ways found, Ways wanted, double tolerance, const std::string& where)
    {
        ASSERT_GT(found.count(), 0U) << where;
        found.sort();
        wanted.sort();
        EXPECT_LE(found.farthest_from(wanted, tolerance), tolerance) << where << ": the reader found other points";
        EXPECT_LE(wanted.farthest_from(found, tolerance), tolerance) << where << ": the reader missed points";
    }

private:
    void sort()
    {
        std::sort(ways_.begin(), ways_.end(), [](const auto& a, const auto& b) { return a[0].x() < b[0].x(); });
    }
    /// The largest distance to the nearest of the others, each taken at its worst frame.
    double farthest_from(const Ways& others, double tolerance) const
    {
        double farthest = 0;
        for (const auto& way : ways_) {
            const double low = way[0].x() - tolerance, high = way[0].x() + tolerance;
            auto other = std::lower_bound(others.ways_.begin(), others.ways_.end(), low,
                [](const auto& w, double value) { return w[0].x() < value; });
            double nearest = std::numeric_limits<double>::infinity();
            for (; other != others.ways_.end() && (*other)[0].x() <= high && nearest > tolerance; ++other) {
                double apart = 0;
                for (std::size_t i = 0; i < frames_; ++i)
                    apart = std::max<double>(apart, (way[i] - (*other)[i]).cwiseAbs().maxCoeff());
                nearest = std::min(nearest, apart);
            }
            farthest = std::max(farthest, nearest);
        }
        return farthest;
    }

    std::size_t frames_;
    std::vector<std::vector<Eigen::Vector3f>> ways_; ///< [point][frame] [m]
};

/// Those of the points that polygons use, from one frame on.
Ways shown_ways(
    const ExportedRun& run, std::size_t first_frame, std::size_t frames, Index first_triangle, Index triangles);

#ifdef RUBATO_HAS_ASSIMP
void ask_assimp_about_gltf(const ExportedRun& run);
void ask_assimp_about_frames(const ExportedRun& run); ///< a file for each: OBJ, PLY
#endif

} // namespace rubato::test
