#include "potentials/forces.hpp"

namespace rubato {

Gravity::Gravity(Vector nodal_mass, const Vec3& g, const Vec3& origin)
    : nodal_mass_(std::move(nodal_mass))
    , g_(g)
    , weight_(3 * nodal_mass_.size())
    , origin_(origin)
{
    weigh();
}

void Gravity::weigh()
{
    for (Index i = 0; i < static_cast<Index>(nodal_mass_.size()); ++i) node(weight_, i) = nodal_mass_[i] * g_;
}

bool Gravity::set(std::string_view parameter, double value)
{
    if (parameter != "x" && parameter != "y" && parameter != "z") return false;
    g_[parameter.front() - 'x'] = value;
    weigh();
    return true;
}

void Gravity::add(const Vector& x, double /*t*/, Assembly& out)
{
    if (out.value != nullptr) {
        // Heights are taken before the sum, so that a scene far from the origin loses no digits.
        double work = 0;
        for (Index i = 0; i < static_cast<Index>(weight_.size() / 3); ++i)
            work += node(weight_, i).dot(node(x, i) - origin_);
        *out.value -= out.value_weight * work;
    }
    if (out.gradient != nullptr) *out.gradient -= out.gradient_weight * weight_;
}

NodalForce::NodalForce(
    std::vector<Index> nodes, std::vector<Vec3> forces, const Vector& X, std::shared_ptr<const ForceProfile> profile)
    : nodes_(std::move(nodes))
    , forces_(std::move(forces))
    , profile_(std::move(profile))
{
    X_.reserve(nodes_.size());
    for (const Index i : nodes_) X_.emplace_back(node(X, i));
}

void NodalForce::begin_step(double t, double h)
{
    mean_.reset();
    if (profile_ && !profile_->smooth(t, t + h)) mean_ = profile_->integral(t, t + h) / h;
}

void NodalForce::add(const Vector& x, double t, Assembly& out)
{
    const double factor = !profile_ ? 1 : mean_ ? *mean_ : profile_->at(t);
    double work = 0;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        work += forces_[k].dot(node(x, nodes_[k]) - X_[k]);
        if (out.gradient != nullptr) node(*out.gradient, nodes_[k]) -= out.gradient_weight * factor * forces_[k];
    }
    if (out.value != nullptr) *out.value -= out.value_weight * factor * work;
}

} // namespace rubato
