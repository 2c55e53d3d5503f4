#include "distance/differences.hpp"
#include "distance/oracle.hpp"
#include "distance/pairs.hpp"
#include "geometry/distance.hpp"

#include <gtest/gtest.h>

/// Gradient and Hessian of the squared distance against differences.
namespace rubato {
namespace {

using namespace pairs;
constexpr int derivatives_per_family
    = 30000; // 210000 of each kind, more than 100000 of them away from changes of region

class DistanceDerivatives : public testing::TestWithParam<PairKind> { };

std::string derivative_name(const testing::TestParamInfo<PairKind>& info) { return name(info.param); }

/// Which corners take part.
int region(const Nearest& at)
{
    int bits = 0;
    for (int k = 0; k < 4; ++k) bits |= (at.weight[k] != 0) << k;
    return bits;
}

Vec12 gradient_of(PairKind kind, const Corners& x)
{
    Vec12 g;
    squared_distance_derivatives(nearest(kind, x), g, nullptr);
    return g;
}

/// The pair is as far from a change of region as the differences reach, and no free parameter is ill-determined.
bool is_smooth(PairKind kind, const Corners& x, const Vec12& u, double h, const Nearest& at, double size)
{
    for (int m = 0; m < at.freedom; ++m)
        if (at.slide[m].norm() < 0.05 * size) return false;
    if (kind == PairKind::edge_edge) {
        const Vec3 e = x[1] - x[0], f = x[3] - x[2];
        if (e.cross(f).norm() < 0.05 * e.norm() * f.norm()) return false;
    }
    for (const double step : {-2 * h, -h, h, 2 * h})
        if (region(nearest(kind, moved(x, u, step))) != region(at)) return false;
    return true;
}

TEST_P(DistanceDerivatives, EqualDifferencesOnPairsOfAllSizes)
{
    const PairKind kind = GetParam();
    double worst_gradient = 0, worst_hessian = 0;
    int of_all = 0;
    for (const Family family : families) {
        Random random(200 + static_cast<std::uint64_t>(family));
        int checked = 0;
        for (int i = 0; i < derivatives_per_family; ++i) {
            // Half of a size and place of their own; differences need some digits, so offsets are moderate.
            Corners x = unit_pair(kind, family, random);
            const double scale = i % 2 ? 1 : magnitude(1e6, 1e-6, random);
            for (Vec3& corner : x) corner = scale * (corner + Vec3(1, -2, 3));
            const double size = diameter(kind, x);
            const Vec12 u = random_vector(random);
            const Nearest at = nearest(kind, x);
            const double h = 1e-4 * size;
            if (size < 0.02 * scale || !is_smooth(kind, x, u, h, at, size)) continue;
            ++checked;

            Vec12 g;
            Mat12 H;
            squared_distance_derivatives(at, g, &H);

            const auto by_normals = [&](double step) {
                oracle::Points y = oracle::extended(x);
                for (int k = 0; k < 4; ++k)
                    y[k] += static_cast<oracle::Real>(step) * u.segment<3>(3 * k).cast<oracle::Real>();
                const oracle::Real d = oracle::normal_distance(kind, y);
                return d * d;
            };
            const double h_extended = 1e-5 * size;
            const auto slope = static_cast<double>(difference(by_normals, h_extended));
            const double g_error = std::abs(slope - g.dot(u)) / (g.norm() + 1e-5 * size);
            worst_gradient = std::max(worst_gradient, g_error);
            ASSERT_LE(g_error, 1e-8) << name(family);

            const Vec12 change
                = difference([&](double step) -> Vec12 { return gradient_of(kind, moved(x, u, step)); }, h);
            const double H_error = (change - H * u).norm() / H.norm();
            worst_hessian = std::max(worst_hessian, H_error);
            ASSERT_LE(H_error, 1e-7) << name(family);
            ASSERT_LE((H - H.transpose()).norm(), 1e-15 * H.norm());
        }
        // Corners that lie on each other or in line are at a change of region, where the Hessian jumps.
        if (family == Family::general) {
            EXPECT_GT(checked, 0.8 * derivatives_per_family);
        }
        of_all += checked;
    }
    EXPECT_GT(of_all, 100000);
    RecordProperty("pairs_with_derivatives", of_all);
    RecordProperty("worst_gradient", std::to_string(worst_gradient * 1e9) + "e-9");
    RecordProperty("worst_hessian", std::to_string(worst_hessian * 1e9) + "e-9");
}

// Translations do not change the distance, rotations turn its gradient.
TEST_P(DistanceDerivatives, KeepMomentumAndTurnWithThePair)
{
    const PairKind kind = GetParam();
    Random random(300);
    for (int i = 0; i < 30000; ++i) {
        const Corners x = unit_pair(kind, i % 2 ? Family::general : Family::close, random);
        const Nearest at = nearest(kind, x);
        Vec12 g;
        Mat12 H;
        squared_distance_derivatives(at, g, &H);
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        Eigen::Matrix<double, 12, 3> of_translation = Eigen::Matrix<double, 12, 3>::Zero();
        for (int k = 0; k < 4; ++k) {
            force += g.segment<3>(3 * k);
            torque += x[k].cross(g.segment<3>(3 * k));
            of_translation += H.middleCols<3>(3 * k);
        }
        ASSERT_LE(force.norm(), 1e-15);
        ASSERT_LE(torque.norm(), 3e-15);
        ASSERT_LE(of_translation.norm(), 1e-14 * H.norm());

        const Mat3 R = rotation(random.uniform(0, 3), random);
        Corners y;
        Mat12 turn = Mat12::Zero();
        for (int k = 0; k < 4; ++k) {
            y[k] = R * x[k];
            turn.block<3, 3>(3 * k, 3 * k) = R;
        }
        const Nearest turned = nearest(kind, y);
        if (region(turned) != region(at)) continue; // on the border by a digit
        Vec12 g_turned;
        Mat12 H_turned;
        squared_distance_derivatives(turned, g_turned, &H_turned);
        ASSERT_LE((g_turned - turn * g).norm(), 1e-12 * H.norm());
        ASSERT_LE((H_turned - turn * H * turn.transpose()).norm(), 1e-11 * H.norm() * H.norm());
    }
}

// A rotation with velocity w x_k turns the gradient: H (w x x) = w x g. It holds in every region of every pair, so that
// it sees digits lost in the Hessian of needles and of edges that are nearly parallel.
TEST_P(DistanceDerivatives, HessianTurnsTheGradientOfDegeneratePairs)
{
    const PairKind kind = GetParam();
    for (const Family family : families) {
        Random random(350 + static_cast<std::uint64_t>(family));
        for (int i = 0; i < 10000; ++i) {
            const Corners x = unit_pair(kind, family, random);
            Vec12 g;
            Mat12 H;
            squared_distance_derivatives(nearest(kind, x), g, &H);
            const Vec3 w = direction(random);
            Vec12 turn, g_turn;
            for (int k = 0; k < 4; ++k) {
                turn.segment<3>(3 * k) = w.cross(x[k]);
                g_turn.segment<3>(3 * k) = w.cross(Vec3(g.segment<3>(3 * k)));
            }
            ASSERT_TRUE(H.allFinite());
            ASSERT_LE((H * turn - g_turn).norm(), 1e-14 * (1 + H.norm())) << name(family);
        }
    }
}

// From pair to pair the region changes; right before and after the gradient is the same, because the nearest points do
// not jump. Parallel edges are the exception.
class DistanceRegions : public testing::TestWithParam<PairKind> { };

TEST_P(DistanceRegions, GradientIsContinuousWhereTheyChange)
{
    const PairKind kind = GetParam();
    Random random(400);
    int changes = 0;
    for (int i = 0; i < 20000; ++i) {
        const Corners x = unit_pair(kind, Family::general, random);
        const Vec12 u = random_vector(random);
        const auto region_at = [&](double s) { return region(nearest(kind, moved(x, u, s))); };
        double lo = 0, hi = 1;
        if (region_at(lo) == region_at(hi)) continue;
        const int start = region_at(lo);
        while (hi - lo > 1e-13) {
            const double middle = 0.5 * (lo + hi);
            (region_at(middle) == start ? lo : hi) = middle;
        }
        if (kind == PairKind::edge_edge) {
            const Corners y = moved(x, u, lo);
            const Vec3 e = y[1] - y[0], f = y[3] - y[2];
            if (e.cross(f).norm() < 1e-2 * e.norm() * f.norm()) continue;
        }
        ++changes;
        Vec12 before, after;
        Mat12 H_before, H_after;
        squared_distance_derivatives(nearest(kind, moved(x, u, lo)), before, &H_before);
        squared_distance_derivatives(nearest(kind, moved(x, u, hi)), after, &H_after);
        const double steepest = std::max(H_before.norm(), H_after.norm());
        ASSERT_LE((after - before).norm(), 1e-12 * steepest);
    }
    EXPECT_GT(changes, 5000);
}

TEST(DistanceDerivativesOfParallelEdges, GradientJumpsWithoutTheMollifier)
{
    const auto edges = [](double tilt) -> Corners {
        return {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, -tilt), Vec3(1, 1 - tilt, tilt)};
    };
    const Vec12 jump = gradient_of(PairKind::edge_edge, edges(1e-9)) - gradient_of(PairKind::edge_edge, edges(-1e-9));
    EXPECT_GT(jump.norm(), 1);
    EXPECT_LT(edge_edge_mollifier(edges(1e-9), 1e-3, nullptr, nullptr), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DistanceDerivatives, testing::ValuesIn(kinds), derivative_name);
INSTANTIATE_TEST_SUITE_P(Kinds, DistanceRegions,
    testing::Values(PairKind::point_triangle, PairKind::edge_edge, PairKind::point_edge), derivative_name);

} // namespace
} // namespace rubato
