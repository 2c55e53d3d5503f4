#include "dynamics/prescription.hpp"

#include <algorithm>

namespace rubato {

void Prescription::add(Index i, const Vec3& X, std::shared_ptr<const Motion> motion, std::array<bool, 3> axes)
{
    moving_ = moving_ || !motion->at_rest();
    entries_.push_back({i, X, std::move(motion), axes});
}

void Prescription::finish(Eigen::Index unknowns)
{
    mask_.assign(static_cast<std::size_t>(unknowns), 0);
    for (const Entry& e : entries_) {
        for (int k = 0; k < 3; ++k) {
            if (e.axes[static_cast<std::size_t>(k)]) mask_[static_cast<std::size_t>(3 * e.node + k)] = 1;
        }
    }
    unknowns_.clear();
    for (Eigen::Index i = 0; i < unknowns; ++i) {
        if (mask_[static_cast<std::size_t>(i)] != 0) unknowns_.push_back(i);
    }
}

Prescription Prescription::among(const std::vector<Index>& nodes) const
{
    Prescription out;
    for (const Entry& e : entries_) {
        const auto at = std::lower_bound(nodes.begin(), nodes.end(), e.node);
        if (at == nodes.end() || *at != e.node) continue;
        out.add(static_cast<Index>(at - nodes.begin()), e.X, e.motion, e.axes);
    }
    out.finish(3 * static_cast<Eigen::Index>(nodes.size()));
    return out;
}

void Prescription::set_positions(double t, Vector& x) const
{
    for (const Entry& e : entries_) {
        const Vec3 at = e.motion->position(e.X, t);
        for (int k = 0; k < 3; ++k) {
            if (e.axes[static_cast<std::size_t>(k)]) x[3 * e.node + k] = at[k];
        }
    }
}

void Prescription::set_velocities(double t, Vector& v) const
{
    for (const Entry& e : entries_) {
        const Vec3 at = e.motion->velocity(e.X, t);
        for (int k = 0; k < 3; ++k) {
            if (e.axes[static_cast<std::size_t>(k)]) v[3 * e.node + k] = at[k];
        }
    }
}

void Prescription::set_zero(Vector& f) const
{
    for (const Eigen::Index i : unknowns_) f[i] = 0;
}

} // namespace rubato
