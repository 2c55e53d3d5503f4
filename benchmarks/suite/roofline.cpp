#include "figures/statistics.hpp"
#include "geometry/generators.hpp"
#include "materials/all.hpp"
#include "potentials/tet_batches.hpp"
#include "suite/kernels.hpp"
#include "suite/machine.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"
#include "suite/subjects.hpp"

#include <algorithm>
#include <thread>

/// What the machine can do, and what share of it the kernels reach (Williams, Waterman, Patterson 2009):
///
///     bound = min(peak, bandwidth flops/bytes)      share = flops/s / bound
///
/// `bytes` is what has to come from or go to memory once, if caches kept everything that is needed again; `flops` is
/// counted (flops.hpp), or follows from the formula. Kernels that work in the caches have no bytes, and the peak of
/// their arithmetic is the bound. Passes over a body also have the bytes that they ask for, as STREAM counts them:
/// whatever they load from tables or store there, every time they do; `share of its traffic` is how near they come to
/// the bandwidth with those.
///
/// Bytes per tetrahedron in a pass over a body that is larger than the caches; n nodes and u blocks of the upper half
/// of the matrix for each tetrahedron. A batch of eight asks for N nodes and U blocks:
///
///                                                        needed      asked for
///     Dm_inv 72, volume 8, nodes 16                       96          96
///     its energy, written                                  8           8
///     positions read                                      24 n        96
///     gradient read and written                           48 n        48 N/8
///     its nodes, and four parts                       4 N/8 + 4      4 N/8 + 4
///     blocks read and written, nine doubles each         144 u       144 U/8
///     their slots, and ten parts                     4 U/8 + 10     4 U/8 + 10
///
/// Per block of a sparse product: nine doubles and a column number, 76, and for each row of `c` blocks, 1/c of: its
/// beginning 4, x read 24, y written 24. A block takes 18 operations.
namespace rubato {

namespace {

constexpr double giga = 1e9;

struct Ceilings {
    double bandwidth; ///< [byte/s]
    double flops; ///< [1/s]
};

/// One thread alone, and all of them.
Ceilings measure_machine(Findings& findings)
{
    const std::string table = "machine";
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    Ceilings one{};
    for (const int threads : {1, cores}) {
        findings.progress("bandwidth and arithmetic, threads: " + std::to_string(threads));
        const std::string row = threads == 1 ? "one thread" : "all threads";
        const std::vector<double> bandwidth = triad_bandwidth(threads, findings.repetitions());
        const std::vector<double> fused = peak_flops(threads, findings.repetitions(), true);
        const std::vector<double> apart = peak_flops(threads, findings.repetitions(), false);
        findings.fact(table, row, "threads", threads);
        findings.rate(table, row, "triad", "GB/s", scaled(bandwidth, 1 / giga));
        findings.rate(table, row, "fused multiply-add", "Gflop/s", scaled(fused, 1 / giga));
        findings.rate(table, row, "multiply and add apart", "Gflop/s", scaled(apart, 1 / giga));
        if (threads == 1) one = {median(bandwidth), median(fused)};
        if (cores == 1) break;
    }
    return one;
}

constexpr const char* table = "roofline, one thread";

/// A line of the table; bytes and flops belong to one element of what was timed.
void note(Findings& findings, const Ceilings& machine, const std::string& row, double bytes, double flops,
    const std::vector<double>& seconds)
{
    const double bound = bytes > 0 ? std::min(machine.flops, machine.bandwidth * flops / bytes) : machine.flops;
    findings.fact(table, row, "bytes", std::round(bytes));
    findings.fact(table, row, "flops", std::round(flops));
    findings.time(table, row, "time", "ns", scaled(seconds, giga));
    if (bytes > 0) findings.rate(table, row, "bandwidth", "GB/s", scaled(rates(bytes, seconds), 1 / giga));
    findings.rate(table, row, "arithmetic", "Gflop/s", scaled(rates(flops, seconds), 1 / giga));
    findings.text(table, row, "bound by", bound < machine.flops ? "memory" : "arithmetic");
    findings.rate(table, row, "share", "%", scaled(rates(flops, seconds), 100 / bound));
}

template <class Material>
void measure_kernels(Findings& findings, const Ceilings& machine, const ElementKernels& kernels)
{
    for (const ElementAnswer& answer : element_answers) {
        const std::string row = std::string(Material::name) + ", " + answer.name + ", in the cache";
        findings.progress(row);
        note(findings, machine, row, 0, kernels.flops_of_one<Material>(answer),
            kernels.seconds_of_one<Material>(answer, findings.repetitions()));
    }
}

constexpr std::array<int, 3> cells{64, 16, 16};

/// Nodes and blocks that the batches of the bar ask for, for each of its elements.
struct Asked {
    double nodes = 0, blocks = 0;

    explicit Asked(const Subject& bar)
    {
        const TetMesh mesh = box_mesh(Vec3(4, 1, 1), cells, CellSplit::kuhn);
        Vector X(3 * static_cast<Eigen::Index>(mesh.nodes.size()));
        for (std::size_t i = 0; i < mesh.nodes.size(); ++i) node(X, static_cast<Index>(i)) = mesh.nodes[i];
        const TetBatches tets(mesh.tets, X);
        BlockPattern pattern(static_cast<Index>(mesh.nodes.size()));
        tets.pattern(pattern);
        BatchSlots slots;
        const BatchSums& sums = slots.in(tets, BlockMatrix(pattern));
        for (Index b = 0; b < static_cast<Index>(tets.batches.size()); ++b) {
            nodes += tets.forces[b].count / bar.tets();
            blocks += sums[b].count / bar.tets();
        }
    }
};

/// A body whose matrix has 20 MB.
template <class Material>
void measure_body(Findings& findings, const Ceilings& machine, const ElementKernels& kernels)
{
    Subject bar = strained_bar(cells, Material::name);
    const Asked asked(bar);
    Potential& elasticity = bar.elasticity();
    const double n = bar.nodes() / bar.tets();
    const double u = 0.5 * (static_cast<double>(bar.H.block_count()) / bar.tets() + n);
    for (const ElementAnswer& answer : element_answers) {
        const std::string row = std::string(Material::name) + ", " + answer.name + ", whole body";
        findings.progress(row);
        double value = 0;
        Assembly out{.value = &value, .projected = answer.projected != 0};
        if (answer.gradient) out.gradient = &bar.g;
        if (answer.hessian) out.hessian = &bar.H;
        std::vector<double> seconds = processor_time(findings.repetitions(), [&] { elasticity.add(bar.x, 0, out); });
        for (double& sample : seconds) sample /= bar.tets();
        const double tables
            = 96 + 8 + (answer.gradient ? 4 * asked.nodes + 4 : 0) + (answer.hessian ? 4 * asked.blocks + 10 : 0);
        const double bytes = tables + 24 * n + (answer.gradient ? 48 * n : 0) + (answer.hessian ? 144 * u : 0);
        const double asked_for
            = tables + 96 + (answer.gradient ? 48 * asked.nodes : 0) + (answer.hessian ? 144 * asked.blocks : 0);
        const double scatter = (answer.gradient ? 12 + 6 * asked.nodes : 0) + (answer.hessian ? 90 : 0); // weigh, add
        note(findings, machine, row, bytes, kernels.flops_of_one<Material>(answer) + scatter, seconds);
        findings.fact(table, row, "bytes asked for", std::round(asked_for));
        findings.rate(
            table, row, "share of its traffic", "%", scaled(rates(asked_for, seconds), 100 / machine.bandwidth));
    }
}

void measure_product(Findings& findings, const Ceilings& machine)
{
    findings.progress("sparse product");
    const Subject bar = strained_bar({108, 27, 27}); // its matrix has 90 MB, more than most caches
    const auto blocks = static_cast<double>(bar.H.block_count());
    Vector y;
    std::vector<double> seconds = processor_time(findings.repetitions(), [&] { bar.H.multiply(bar.x, y); });
    for (double& sample : seconds) sample /= blocks;
    note(findings, machine, "sparse product, per block", 76 + 52 * static_cast<double>(bar.H.rows()) / blocks, 18,
        seconds);
}

} // namespace

void measure_roofline(Findings& findings)
{
    const Ceilings machine = measure_machine(findings);
    const ElementKernels kernels;
    measure_kernels<NeoHookean>(findings, machine, kernels);
    measure_kernels<FixedCorotated>(findings, machine, kernels);
    measure_kernels<StableNeoHookean>(findings, machine, kernels);
    measure_body<NeoHookean>(findings, machine, kernels);
    measure_body<FixedCorotated>(findings, machine, kernels);
    measure_body<StableNeoHookean>(findings, machine, kernels);
    measure_product(findings, machine);
}

} // namespace rubato
