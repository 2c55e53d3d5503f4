#include "heap/scene_heap.hpp"

#include <gtest/gtest.h>

/// Bounds on what a scene holds, in bytes that the allocator hands out.
namespace rubato {
namespace {

constexpr double per_tet = 3000, per_contact = 12000; // [byte]

TEST(Memory, IsThereForTetrahedraAndContactsAndNothingElse)
{
    if (!heap::counts()) GTEST_SKIP() << "a sanitizer owns the heap";
    // dice-roll looks for its state of rest, along ways of many metres.
    for (const auto& [scene, steps] : {std::pair{"twisted-bar", 3L}, {"dice-roll", 35L}, {"bunny-stairs", 40L}}) {
        const SceneHeap heap = heap_of(scene, {}, steps);
        EXPECT_GT(heap.most, 500 * heap.tets) << scene << ": nothing was counted";
        EXPECT_LT(heap.most, per_tet * heap.tets + per_contact * heap.contacts)
            << scene << ": " << heap.tets << " tetrahedra, " << heap.contacts << " contacts";
    }
}

} // namespace
} // namespace rubato
