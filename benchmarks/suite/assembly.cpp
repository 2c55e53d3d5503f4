#include "materials/all.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"
#include "suite/subjects.hpp"

/// One evaluation of a step's objective over a whole body, as Newton's method asks for it: inertia, gravity, elements,
/// and for the Hessian the zeros before and the mirrored half after.
namespace rubato {

void measure_assembly(Findings& findings)
{
    constexpr double nano = 1e9; // ns in a second
    const std::string table = "a bar of 24 000 tetrahedra, time per tetrahedron";
    for_each_material([&]<class Material>() {
        findings.progress(Material::name);
        Subject bar = strained_bar({40, 10, 10}, Material::name);
        const auto note = [&](const char* column, const std::function<void()>& work) {
            findings.time(table, Material::name, column, "ns",
                scaled(processor_time(findings.repetitions(), work), nano / bar.tets()));
        };
        double sum = 0;
        note("energy", [&] { sum += bar.E->value(bar.x); });
        note("gradient", [&] { sum += bar.E->value_and_gradient(bar.x, bar.g); });
        note("exact Hessian", [&] { sum += bar.E->all(bar.x, bar.g, bar.H, false); });
        note("projected Hessian", [&] { sum += bar.E->all(bar.x, bar.g, bar.H, true); });
        look_at(&sum);
    });
}

} // namespace rubato
