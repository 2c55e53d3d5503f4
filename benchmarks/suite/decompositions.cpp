#include "math/polar3.hpp"
#include "potentials/tet_lanes.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"

#include <random>

/// Singular values and polar factors of 3x3 matrices near the identity, as elements have them.
namespace rubato {

namespace isa_baseline {
void decompose_eight(const double (*F)[8], double* sums);
}
#if defined(RUBATO_WIDER_ISAS)
namespace isa_v3 {
void decompose_eight(const double (*F)[8], double* sums);
}
namespace isa_v4 {
void decompose_eight(const double (*F)[8], double* sums);
}
#endif

namespace {

constexpr int eights = 128; // 1024 matrices: 72 KiB, so that memory does not matter
constexpr double nano = 1e9; // ns in a second

struct Eight {
    double F[9][8];
};

/// A turn by any angle, and strains of a tenth or so.
std::vector<Eight> matrices()
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::vector<Eight> out(eights);
    for (Eight& eight : out) {
        for (int l = 0; l < 8; ++l) {
            Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
            turn.normalize();
            Mat3 strain;
            for (int i = 0; i < 9; ++i) strain.data()[i] = 0.1 * normal(random);
            const Mat3 F = turn.toRotationMatrix() * (Mat3::Identity() + strain);
            for (int i = 0; i < 9; ++i) eight.F[i][l] = F.data()[i];
        }
    }
    return out;
}

} // namespace

void measure_decompositions(Findings& findings)
{
    const std::vector<Eight> all = matrices();
    std::vector<Mat3> single;
    for (const Eight& eight : all) {
        for (int l = 0; l < 8; ++l) {
            Mat3 F;
            for (int i = 0; i < 9; ++i) F.data()[i] = eight.F[i][l];
            single.push_back(F);
        }
    }
    const char* const table = "3x3 decompositions";
    const auto note = [&](const std::string& row, const std::function<void()>& work) {
        findings.progress(row);
        findings.time(table, row, "time of one", "ns",
            scaled(processor_time(findings.repetitions(), work), nano / static_cast<double>(single.size())));
    };
    double sum = 0;
    note("singular values, one at a time", [&] {
        for (const Mat3& F : single) sum += svd3(F).sigma.sum();
        look_at(&sum);
    });
    note("polar factors, one at a time", [&] {
        for (const Mat3& F : single) {
            const Polar3 polar = polar3(F);
            sum += polar.R(0, 0) + polar.S(1, 1);
        }
        look_at(&sum);
    });
    const auto eight_at_a_time = [&](const std::string& isa, void (*decompose)(const double(*)[8], double*)) {
        double sums[8] = {};
        note("singular values, eight at a time, " + isa, [&] {
            for (const Eight& eight : all) decompose(eight.F, sums);
            look_at(sums);
        });
    };
    for (const std::string& isa : tet_lanes_isas()) {
        if (isa == "baseline") eight_at_a_time(isa, &isa_baseline::decompose_eight);
#if defined(RUBATO_WIDER_ISAS)
        if (isa == "v3") eight_at_a_time(isa, &isa_v3::decompose_eight);
        if (isa == "v4") eight_at_a_time(isa, &isa_v4::decompose_eight);
#endif
    }
}

} // namespace rubato
