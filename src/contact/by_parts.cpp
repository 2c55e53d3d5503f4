#include "contact/by_parts.hpp"

#include "contact/barrier_function.hpp"

#include <algorithm>
#include <map>

namespace rubato {

std::vector<PartContact> contact_by_parts(const ContactSet& contacts, double stiffness, const Vector& x)
{
    std::map<std::pair<Index, Index>, PartContact> found;
    const auto add = [&](Index a, Index b, double weight, double gap) {
        const auto [low, high] = std::minmax(a, b);
        PartContact& all = found.try_emplace({low, high}, PartContact{low, high, 0, gap}).first->second;
        all.energy += weight * stiffness * barrier_function(gap / contacts.dhat()).b;
        all.gap = std::min(all.gap, gap);
    };
    for (const ContactPair& pair : contacts.pairs()) {
        double m = 1;
        if (pair.mollifier_eps > 0) {
            const PairShape shape{pair.kind, 2, pair.corners, pair.node, pair.offset};
            m = edge_edge_mollifier(corners_of(shape, x), pair.mollifier_eps, nullptr, nullptr);
        }
        add(pair.part_a, pair.part_b, m * pair.weight, pair.distance());
    }
    for (const PlaneContact& plane : contacts.planes()) {
        const Index other = contacts.surface().half_spaces[static_cast<std::size_t>(plane.half_space)].part;
        add(plane.part, other, plane.weight, plane.distance);
    }
    std::vector<PartContact> list;
    for (const auto& [parts, contact] : found) list.push_back(contact);
    return list;
}

} // namespace rubato
