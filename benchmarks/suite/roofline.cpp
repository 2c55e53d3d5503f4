#include "figures/statistics.hpp"
#include "materials/all.hpp"
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
/// their arithmetic is the bound.
///
/// Bytes per tetrahedron in a pass over a body that is larger than the caches; n nodes and u blocks of the upper half
/// of the matrix for each tetrahedron:
///
///     Dm_inv 72, volume 8, nodes 16                       96
///     its energy, written                                  8
///     positions read                                      24 n
///     gradient read and written                           48 n
///     slots of the ten blocks                             40
///     blocks read and written, nine doubles each         144 u
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

/// A line of the table; bytes and flops belong to one element of what was timed.
void note(Findings& findings, const Ceilings& machine, const std::string& row, double bytes, double flops,
    const std::vector<double>& seconds)
{
    const std::string table = "roofline, one thread";
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

/// A body whose matrix has 20 MB.
template <class Material>
void measure_body(Findings& findings, const Ceilings& machine, const ElementKernels& kernels)
{
    Subject bar = strained_bar({64, 16, 16}, Material::name);
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
        const double bytes = 96 + 8 + 24 * n + (answer.gradient ? 48 * n : 0) + (answer.hessian ? 40 + 144 * u : 0);
        const double scatter = (answer.gradient ? 24 : 0) + (answer.hessian ? 180 : 0); // weight and add
        note(findings, machine, row, bytes, kernels.flops_of_one<Material>(answer) + scatter, seconds);
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
