#include "geometry/ccd.hpp"
#include "geometry/distance.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"

#include <random>

/// Pairs of primitives at distances and with motions such as contact has them: some touch the interior of the other,
/// some its rim.
namespace rubato {

namespace {

constexpr double nano = 1e9; // ns in a second
constexpr std::size_t pairs = 512;

struct Kind {
    PairKind kind;
    const char* name;
};
constexpr Kind kinds[] = {{PairKind::point_triangle, "point, triangle"}, {PairKind::edge_edge, "edge, edge"},
    {PairKind::point_edge, "point, edge"}, {PairKind::point_point, "point, point"}};

/// Primitives of about a centimetre, a few millimetres apart, on ways of a few millimetres.
struct Moving {
    Corners x, p; ///< [m]
};

std::vector<Moving> moving_pairs(PairKind kind)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto any
        = [&](double size) -> Vec3 { return size * Vec3(uniform(random), uniform(random), uniform(random)); };
    const std::size_t first = kind == PairKind::edge_edge ? 2 : 1; // corners of the first primitive
    std::vector<Moving> out(pairs);
    for (Moving& pair : out) {
        const Vec3 apart = Vec3(0, 0.004, 0) + any(0.003); // [m]
        for (std::size_t k = 0; k < 4; ++k) {
            pair.x[k] = any(0.005) + (k < first ? 1.0 : 0.0) * apart;
            if (k >= first) pair.x[k][1] *= 0.1; // nearly level
            pair.p[k] = any(0.001) - (k < first ? 1.5 : 0.0) * apart;
        }
    }
    return out;
}

} // namespace

void measure_distances(Findings& findings)
{
    const char* const table = "pairs of primitives";
    for (const Kind& kind : kinds) {
        const std::vector<Moving> all = moving_pairs(kind.kind);
        double sum = 0;
        const auto note = [&](const char* column, const std::function<void(const Moving&)>& one) {
            findings.progress(std::string(kind.name) + ": " + column);
            findings.time(table, kind.name, column, "ns",
                scaled(processor_time(findings.repetitions(),
                           [&] {
                               for (const Moving& pair : all) one(pair);
                               look_at(&sum);
                           }),
                    nano / static_cast<double>(pairs)));
        };
        Vec12 gradient;
        Mat12 hessian;
        note("nearest points", [&](const Moving& pair) { sum += nearest(kind.kind, pair.x).d2; });
        note("gradient", [&](const Moving& pair) {
            squared_distance_derivatives(nearest(kind.kind, pair.x), gradient, nullptr);
            sum += gradient[0];
        });
        note("gradient and Hessian", [&](const Moving& pair) {
            squared_distance_derivatives(nearest(kind.kind, pair.x), gradient, &hessian);
            sum += hessian(0, 0);
        });
        if (kind.kind == PairKind::edge_edge) {
            note("mollifier with Hessian",
                [&](const Moving& pair) { sum += edge_edge_mollifier(pair.x, 1e-11, &gradient, &hessian); });
        }
        note("collision time", [&](const Moving& pair) {
            const double t = time_of_impact(kind.kind, pair.x, pair.p, 0, 0.1);
            sum += t < 1 ? t : 1;
        });
        long meeting = 0;
        for (const Moving& pair : all) meeting += time_of_impact(kind.kind, pair.x, pair.p, 0, 0.1) <= 1 ? 1 : 0;
        findings.fact(table, kind.name, "that meet", 100.0 * static_cast<double>(meeting) / pairs, "%");
    }
}

} // namespace rubato
