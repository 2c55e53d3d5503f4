#include "geometry/mesher/improvement.hpp"

#include "geometry/mesher/remodelling.hpp"
#include "geometry/mesher/smoothing.hpp"

#include <algorithm>

namespace rubato::mesher {

namespace {

std::vector<Index> bad_tets(const WorkingMesh& mesh, double goal)
{
    std::vector<Index> bad;
    for (Index e = 0; e < mesh.tet_count(); ++e) {
        if (mesh.alive(e) && mesh.shape(e) < goal) bad.push_back(e);
    }
    std::sort(bad.begin(), bad.end(),
        [&](Index a, Index b) { return mesh.shape(a) != mesh.shape(b) ? mesh.shape(a) < mesh.shape(b) : a < b; });
    return bad;
}

Index smooth_at(WorkingMesh& mesh, const ZeroSet& surface, const std::vector<Index>& bad)
{
    std::vector<char> seen(mesh.x.size(), 0);
    Index moved = 0;
    for (const Index e : bad) {
        if (!mesh.alive(e)) continue;
        const Tet t = mesh.tet(e);
        for (const Index v : t) {
            if (seen[v]) continue;
            seen[v] = 1;
            moved += smooth(mesh, surface, v);
        }
    }
    return moved;
}

} // namespace

void improve(WorkingMesh& mesh, const ZeroSet& surface, double goal_degrees, int passes,
    const std::function<void(double)>& progress)
{
    const double goal = shape_of_angle(goal_degrees);
    for (int pass = 0; pass < passes; ++pass) {
        if (progress) progress(static_cast<double>(pass) / passes);
        auto bad = bad_tets(mesh, goal);
        if (bad.empty()) break;
        Index changes = smooth_at(mesh, surface, bad);
        changes += smooth_at(mesh, surface, bad_tets(mesh, goal));
        Remodelling remodelling(mesh, surface);
        for (const Index e : bad_tets(mesh, goal)) {
            if (mesh.alive(e) && mesh.shape(e) < goal) changes += remodelling.improve(e);
        }
        if (changes == 0) break;
    }
}

} // namespace rubato::mesher
