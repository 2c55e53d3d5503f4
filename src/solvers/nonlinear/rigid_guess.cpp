#include "solvers/nonlinear/rigid_guess.hpp"

#include "math/polar3.hpp"
#include "solvers/linear/lattice.hpp"

#include <Eigen/LU>

namespace rubato {

namespace {

constexpr std::size_t fewest_nodes = 4; // a tetrahedron
constexpr double least_volume = 0.1; // of det A: beyond, the body is being crushed and not turned

} // namespace

RigidGuess::RigidGuess(const System& system, const BlockStructure& graph)
    : mass_(system.mass.nodal())
{
    if (system.X.size() == 0) return; // unknowns that are no positions do not turn
    const std::vector<Index> body = connected_bodies(graph);
    std::vector<char> free;
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (body[i] < 0) continue;
        const auto b = static_cast<std::size_t>(body[i]);
        if (bodies_.size() <= b) {
            bodies_.resize(b + 1);
            free.resize(b + 1, 1);
        }
        bodies_[b].push_back(static_cast<Index>(i));
        for (int k = 0; k < 3; ++k) {
            if (system.prescription.holds(3 * static_cast<Eigen::Index>(i) + k)) free[b] = 0;
        }
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (free[b] == 0 || bodies_[b].size() < fewest_nodes) bodies_[b].clear();
    }
}

bool RigidGuess::make(const Vector& x, const Vector& x_tilde, double least, Vector& guess) const
{
    guess = x_tilde;
    bool differs = false;
    for (const std::vector<Index>& nodes : bodies_) {
        if (nodes.empty()) continue;
        double mass = 0;
        Vec3 c = Vec3::Zero(), c_tilde = Vec3::Zero();
        for (const Index i : nodes) {
            mass += mass_[i];
            c += mass_[i] * node(x, i);
            c_tilde += mass_[i] * node(x_tilde, i);
        }
        c /= mass;
        c_tilde /= mass;
        Mat3 moved = Mat3::Zero(), still = Mat3::Zero();
        for (const Index i : nodes) {
            const Vec3 r = node(x, i) - c, s = node(x_tilde, i) - c_tilde;
            moved += (mass_[i] * s) * r.transpose();
            still += (mass_[i] * r) * r.transpose();
        }
        const Mat3 A = moved * still.inverse();
        if (!A.allFinite() || !(A.determinant() > least_volume)) continue;
        const Mat3 R = polar3(A).R;
        double longest = 0;
        for (const Index i : nodes) {
            const Vec3 to = c_tilde + R * (node(x, i) - c);
            longest = std::max(longest, (to - Vec3(node(x_tilde, i))).squaredNorm());
            node(guess, i) = to;
        }
        differs = differs || longest > least * least;
    }
    return differs;
}

} // namespace rubato
