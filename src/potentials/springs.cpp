#include "potentials/springs.hpp"

#include <string>

namespace rubato {

namespace {

std::vector<std::array<Index, 2>> ends(const std::vector<Spring>& springs)
{
    std::vector<std::array<Index, 2>> pairs;
    pairs.reserve(springs.size());
    for (const Spring& s : springs) pairs.push_back({s.a, s.b});
    return pairs;
}

/// Gives those of the group that the parameter names another stiffness; false if there are none.
template <class Ties>
bool set_stiffness(std::string_view parameter, double value, Ties& ties)
{
    bool found = false;
    for (auto& tie : ties) {
        if (parameter != "stiffness[" + std::to_string(tie.group) + "]") continue;
        tie.stiffness = value;
        found = true;
    }
    return found;
}

} // namespace

Springs::Springs(std::vector<Spring> springs)
    : springs_(std::move(springs))
    , scatter_(ends(springs_))
{
}

void Springs::pattern(BlockPattern& pattern) const { scatter_.pattern(pattern); }

/// With l = |x_a - x_b| and n = (x_a - x_b)/l: force on a is -k (l - L) n, and
/// H_aa = k n n^T + k (1 - L/l)(I - n n^T); the second part is negative in compression and dropped when projected.
void Springs::add(const Vector& x, double /*t*/, Assembly& out)
{
    const Projected projected = out.projected;
    scatter_.run(out, [&](Index e, Eigen::Matrix<double, 6, 1>* g, Eigen::Matrix<double, 6, 6>* H) {
        const Spring& s = springs_[static_cast<std::size_t>(e)];
        const Vec3 d = node(x, s.a) - node(x, s.b);
        const double l = d.norm();
        // Coinciding ends have no direction; the force is taken as zero and the stiffness as that of every direction.
        const Vec3 n = l > 0 ? Vec3(d / l) : Vec3(Vec3::Zero());
        const double k = s.stiffness;
        if (g != nullptr) {
            g->head<3>() = k * (l - s.rest_length) * n;
            g->tail<3>() = -g->head<3>();
        }
        if (H != nullptr) {
            double across = l > 0 ? k * (1 - s.rest_length / l) : k;
            if (across < 0 && projected.at(scatter_.nodes(e))) across = 0;
            const Mat3 B = k * n * n.transpose() + across * (Mat3::Identity() - n * n.transpose());
            H->topLeftCorner<3, 3>() = B;
            H->bottomRightCorner<3, 3>() = B;
            H->topRightCorner<3, 3>() = -B;
            H->bottomLeftCorner<3, 3>() = -B;
        }
        return 0.5 * k * (l - s.rest_length) * (l - s.rest_length);
    });
}

bool Springs::set(std::string_view parameter, double value) { return set_stiffness(parameter, value, springs_); }

bool Attachments::set(std::string_view parameter, double value)
{
    return set_stiffness(parameter, value, attachments_);
}

Attachments::Attachments(std::vector<Attachment> attachments)
    : attachments_(std::move(attachments))
{
    for (const Attachment& a : attachments_) moving_ = moving_ || !a.motion->at_rest();
}

void Attachments::add(const Vector& x, double t, Assembly& out)
{
    double value = 0;
    for (const Attachment& a : attachments_) {
        const Vec3 d = node(x, a.node) - a.motion->position(a.X, t);
        value += 0.5 * a.stiffness * d.squaredNorm();
        if (out.gradient != nullptr) node(*out.gradient, a.node) += out.gradient_weight * a.stiffness * d;
        if (out.hessian != nullptr) {
            const Index slot = out.hessian->slot(a.node, a.node);
            out.hessian->block(slot).diagonal().array() += out.hessian_weight * a.stiffness;
        }
    }
    if (out.value != nullptr) *out.value += out.value_weight * value;
}

} // namespace rubato
