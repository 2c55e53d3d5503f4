#include "geometry/inversion.hpp"

namespace rubato {

Index inverted_tets(const std::vector<Tet>& tets, const Vector& x)
{
    Index count = 0;
    for (const auto& [a, b, c, d] : tets) {
        if (!(det_of_edges(node(x, a), node(x, b), node(x, c), node(x, d)) > 0)) ++count;
    }
    return count;
}

} // namespace rubato
