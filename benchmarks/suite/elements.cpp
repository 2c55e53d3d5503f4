#include "materials/all.hpp"
#include "suite/flops.hpp"
#include "suite/kernels.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"

/// The kernels of eight tetrahedra by material, on data that fit the caches.
namespace rubato {

namespace {

constexpr double nano = 1e9; // ns in a second

} // namespace

void measure_elements(Findings& findings)
{
    const ElementKernels kernels;
    const std::string table = "element kernels, " + tet_lanes_isas().front();
    for_each_material([&]<class Material>() {
        findings.progress(Material::name);
        for (const ElementAnswer& answer : element_answers) {
            const std::vector<double> seconds = kernels.seconds_of_one<Material>(answer, findings.repetitions());
            findings.time(table, Material::name, answer.name, "ns", scaled(seconds, nano));
        }
        for (const ElementAnswer& answer : element_answers)
            findings.fact(
                table, Material::name, std::string(answer.name) + ", flops", kernels.flops_of_one<Material>(answer));
    });
    for (const std::string& isa : tet_lanes_isas()) {
        findings.progress("neo-hookean, " + isa);
        for (const ElementAnswer& answer : element_answers) {
            const std::vector<double> seconds = kernels.seconds_of_one<NeoHookean>(answer, findings.repetitions(), isa);
            findings.time("neo-Hookean kernels by kind of processor", isa, answer.name, "ns", scaled(seconds, nano));
        }
    }
}

} // namespace rubato
