#include "distance/differences.hpp"
#include "distance/oracle.hpp"
#include "geometry/distance.hpp"

#include <gtest/gtest.h>

/// The factor that takes away pairs of parallel edges.
namespace rubato {
namespace {

using namespace pairs;

/// m in extended precision, c by the identity of Lagrange.
oracle::Real mollifier(const oracle::Points& x, oracle::Real limit)
{
    const oracle::Point a = x[1] - x[0], b = x[3] - x[2];
    const oracle::Real c = a.squaredNorm() * b.squaredNorm() - a.dot(b) * a.dot(b);
    return c < limit ? c / limit * (2 - c / limit) : oracle::Real(1);
}

TEST(Mollifier, HasTheDerivativesOfItsFormula)
{
    Random random(500);
    double worst = 0;
    int below_limit = 0;
    for (int i = 0; i < 100000; ++i) {
        const Family family = families[i % families.size()];
        Corners x = unit_pair(PairKind::edge_edge, family, random);
        const double scale = magnitude(1e6, 1e-6, random);
        for (Vec3& corner : x) corner *= scale;
        const Vec12 u = random_vector(random);
        const double limit = magnitude(10, 1e-2, random) * std::pow(scale, 4);
        Vec12 g;
        Mat12 H;
        const double m = edge_edge_mollifier(x, limit, &g, &H);
        EXPECT_EQ(m, edge_edge_mollifier(x, limit, nullptr, nullptr));
        ASSERT_NEAR(m, static_cast<double>(mollifier(oracle::extended(x), limit)), 1e-13);
        const double h = 1e-4 * scale;
        const double c = (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm();
        if ((c < limit) != (mollifier(oracle::extended(moved(x, u, 2 * h)), limit) < 1)) continue;
        if ((c < limit) != (mollifier(oracle::extended(moved(x, u, -2 * h)), limit) < 1)) continue;
        below_limit += c < limit;

        const auto value = [&](double step) { return mollifier(oracle::extended(moved(x, u, step)), limit); };
        const auto gradient = [&](double step) {
            Vec12 out;
            edge_edge_mollifier(moved(x, u, step), limit, &out, nullptr);
            return out;
        };
        const auto slope = static_cast<double>(difference(value, h));
        const double steepest = std::pow(scale, 3) / limit;
        ASSERT_NEAR(slope, g.dot(u), 1e-8 * steepest * (1 + scale / std::sqrt(std::sqrt(limit))));
        const Vec12 change = difference(gradient, h);
        const double bound = H.norm() + scale * scale / limit;
        worst = std::max(worst, (change - H * u).norm() / bound);
        ASSERT_LE((change - H * u).norm(), 1e-6 * bound);
        ASSERT_LE((H - H.transpose()).norm(), 1e-14 * bound);
    }
    EXPECT_GT(below_limit, 40000);
    RecordProperty("worst_hessian", std::to_string(worst * 1e9) + "e-9");
}

TEST(Mollifier, TakesParallelEdgesAwaySmoothly)
{
    const double limit = 1e-3;
    const auto edges = [](double angle) -> Corners {
        return {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(std::cos(angle), 1, std::sin(angle))};
    };
    Vec12 g;
    Mat12 H;
    EXPECT_EQ(edge_edge_mollifier(edges(0), limit, &g, &H), 0);
    EXPECT_EQ(g.norm(), 0);
    EXPECT_GT(H.norm(), 0);

    const double border = std::asin(std::sqrt(limit));
    EXPECT_NEAR(edge_edge_mollifier(edges(border * (1 - 1e-9)), limit, &g, &H), 1, 1e-15);
    EXPECT_LT(g.norm(), 1e-6); // continuous: 0 beyond
    EXPECT_EQ(edge_edge_mollifier(edges(border * (1 + 1e-9)), limit, &g, &H), 1);
    EXPECT_EQ(g.norm(), 0);
    EXPECT_EQ(H.norm(), 0);

    double last = 0;
    for (double angle = 1e-4; angle < border; angle *= 1.1) {
        const double m = edge_edge_mollifier(edges(angle), limit, nullptr, nullptr);
        EXPECT_GT(m, last);
        EXPECT_LT(m, 1);
        last = m;
    }
}

TEST(Mollifier, IsOneForEdgesOfNoLengthAtRest)
{
    const Corners x = {Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)};
    Vec12 g;
    Mat12 H;
    EXPECT_EQ(edge_edge_mollifier(x, 0, &g, &H), 1);
    EXPECT_EQ(g.norm(), 0);
    EXPECT_EQ(H.norm(), 0);
}

} // namespace
} // namespace rubato
