#include "distance/first_time.hpp"
#include "distance/motions.hpp"
#include "geometry/ccd.hpp"

#include <gtest/gtest.h>

#include <limits>

/// Times of impact against a search by the roots of polynomials in extended precision.
namespace rubato {
namespace {

using namespace pairs;
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double never = std::numeric_limits<double>::infinity();
constexpr double within = 1e-6; ///< how much too early a time may be

struct Tally {
    int queries = 0;
    int touching = 0; ///< what of the gap may be lost is lost in round-off from the start
    int hits = 0; ///< with an impact
    int late = 0; ///< after the true time, or closer than allowed
    int early = 0; ///< by more than `within`, though the true time is well defined
    int spurious = 0; ///< impacts that are none, though the distance stays clear of the one to keep
    int undefined = 0; ///< times that round-off of the corners moves by more than `within`
    double worst = 0; ///< largest earliness of the well defined
};

/// The corners where the engine's callers put them.
double distance_at(PairKind kind, const Query& q, double t)
{
    Corners now;
    for (int k = 0; k < 4; ++k) now[k] = q.x[k] + t * q.p[k];
    return static_cast<double>(oracle::normal_distance(kind, oracle::extended(now)));
}

void judge(PairKind kind, const Query& q, Random& random, Tally& tally)
{
    ++tally.queries;
    const double t = time_of_impact(kind, q.x, q.p, q.separation, q.rest);
    const oracle::Motion motion(kind, q.x, q.p);
    const oracle::Real d = motion.distance(0);
    const double reach = largest_coordinate(kind, q.x), stride = largest_coordinate(kind, q.p);
    const oracle::Real keep = q.separation + q.rest * (d - q.separation);
    if (std::abs(static_cast<double>(d - keep)) < 32 * eps * reach) {
        ++tally.touching;
        return;
    }
    if (d <= q.separation) {
        tally.late += t != 0;
        return;
    }
    const oracle::Real truth = motion.first_time(keep);
    if (t <= 1) ++tally.hits;
    bool late = t <= 1 ? t > truth : truth <= 1;
    if (t <= 1 && distance_at(kind, q, t) < static_cast<double>(keep)) late = true;
    for (int i = 0; i < 8; ++i) { // does not rely on roots
        const double before = random.uniform() * std::min(t, 1.);
        if (motion.distance(before) < keep) late = true;
    }
    tally.late += late;
    if (t <= 1 && !(t > 0)) ++tally.early;

    // Round-off of the corners, or of the gap itself, decides when (or whether) the distance is down to `keep`.
    const double moment = std::min(std::min(static_cast<double>(truth), t), 1.);
    const double ulp = eps * (reach + moment * stride);
    const bool small_gap = static_cast<double>(d - keep) < 1e6 * ulp;
    const auto grazing = [&](oracle::Real time) {
        return motion.distance(std::max<oracle::Real>(0, time)) < keep + 64 * static_cast<oracle::Real>(ulp);
    };
    if (truth <= 1) {
        const auto earliness = static_cast<double>(truth - t);
        const bool grazes_before = earliness > within && grazing(t);
        if (small_gap || grazing(truth - within) || grazes_before) {
            ++tally.undefined;
        } else {
            tally.worst = std::max(tally.worst, earliness);
            tally.early += earliness > within;
        }
    } else if (t <= 1) {
        ++(small_gap || grazing(t) ? tally.undefined : tally.spurious);
    }
}

class TimeOfImpact : public testing::TestWithParam<PairKind> { };

std::string kind_name(const testing::TestParamInfo<PairKind>& info) { return name(info.param); }

TEST_P(TimeOfImpact, IsNeverLateAndHardlyEarly)
{
    const PairKind kind = GetParam();
    for (const Course course : courses) {
        Random random(600 + static_cast<std::uint64_t>(course));
        Tally tally;
        const int queries = 4000;
        for (int i = 0; i < queries; ++i) judge(kind, query(kind, course, random), random, tally);
        EXPECT_EQ(tally.late, 0) << name(course);
        EXPECT_EQ(tally.early, 0) << name(course);
        EXPECT_EQ(tally.spurious, 0) << name(course);
        EXPECT_GT(tally.hits, queries / (course == Course::sliding ? 50 : 5)) << name(course);
        EXPECT_LT(tally.undefined, queries / 10) << name(course);
        RecordProperty(name(course),
            std::to_string(tally.queries) + " queries, " + std::to_string(tally.hits) + " hits, "
                + std::to_string(tally.touching) + " touching, " + std::to_string(tally.undefined)
                + " undefined, early by at most " + std::to_string(tally.worst * 1e9) + "e-9");
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TimeOfImpact, testing::ValuesIn(kinds), kind_name);

} // namespace
} // namespace rubato
