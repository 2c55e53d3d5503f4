/// What six kinds of scenes take from the heap: for each tetrahedron, and for each contact.
///
///     scene_memory [SCENE STEPS]...
///
/// Without arguments the scenes of docs/performance.md, over as many steps as bring contact where there is any.
#include "base/parallel.hpp"
#include "heap/scene_heap.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace {

struct Measured {
    std::string scene;
    long steps;
};

const std::vector<Measured> usual{{"benchmarks/scenes/clamped-bar.json", 3}, {"twisted-bar", 10},
    {"benchmarks/scenes/two-balls-soft.json", 30}, {"bunny-stairs", 40}, {"bunny-splash", 4}, {"dice-roll", 40},
    {"random-cube-medium", 1}};

std::vector<Measured> wanted(int argc, char** argv)
{
    if (argc == 1) return usual;
    std::vector<Measured> out;
    for (int i = 1; i + 1 < argc; i += 2) out.push_back({argv[i], std::stol(argv[i + 1])});
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace rubato;
    try {
        set_thread_count(1);
        fmt::print("scene,tets,contacts,MiB,bytes_per_tet,bytes_per_contact\n");
        for (const Measured& measured : wanted(argc, argv)) {
            const SceneHeap heap = heap_of(measured.scene, {}, measured.steps);
            fmt::print("{},{},{},{:.1f},{:.0f},{}\n", measured.scene, heap.tets, heap.contacts, heap.most / (1 << 20),
                heap.per_tet(), heap.contacts > 0 ? fmt::format("{:.0f}", heap.per_contact()) : "");
            std::fflush(stdout);
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
