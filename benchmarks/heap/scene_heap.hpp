#pragma once

#include "heap/heap.hpp"
#include "scene/build.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>

namespace rubato {

/// What a scene takes from the heap, split into what its bodies take and what contact adds.
struct SceneHeap {
    double tets = 0;
    double contacts = 0; ///< in the step that had most of them
    double most = 0; ///< in use at any time, while the scene was built too [byte]
    double of_bodies = 0; ///< the same until the first contact [byte]
    double of_contact = 0; ///< most in use after it, less what was in use just before [byte]

    double per_tet() const { return of_bodies / std::max(tets, 1.0); }
    double per_contact() const { return of_contact / std::max(contacts, 1.0); }
};

class HeapObserver final : public Observer {
public:
    explicit HeapObserver(long before)
        : before_(before)
    {
    }
    void step(const StepRecord& record) override
    {
        heap.contacts = std::max(heap.contacts, static_cast<double>(record.touching.contacts));
        const auto most = static_cast<double>(heap::most_held());
        heap.most = std::max(heap.most, most - static_cast<double>(before_));
        if (heap.contacts == 0) {
            heap.of_bodies = std::max(heap.of_bodies, most - static_cast<double>(before_));
            just_before_ = heap::held();
            heap::forget_most();
        } else {
            heap.of_contact = most - static_cast<double>(just_before_);
        }
    }

    SceneHeap heap;

private:
    long before_, just_before_ = 0; // in use [byte]
};

/// Builds a scene and runs so many of its steps.
inline SceneHeap heap_of(const std::string& scene, const std::vector<Override>& overrides, long steps)
{
    const long before = heap::held();
    heap::forget_most();
    BuiltScene built = rubato::built(scene_named(scene, overrides));
    Simulation simulation = built.simulation();
    HeapObserver observer(before);
    observer.heap.tets = static_cast<double>(built.mesh.tets.size());
    simulation.observe(observer);
    simulation.run(built.step * static_cast<double>(steps));
    return observer.heap;
}

} // namespace rubato
