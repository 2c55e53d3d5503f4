#pragma once

#include "contact/contact_set.hpp"

namespace rubato {

/// Contact as a potential: every pair of primitives with a gap d below dhat costs weight * kappa * b(d/dhat) [J].
class Barrier final : public Potential {
public:
    Barrier(std::shared_ptr<ContactSet> contacts, double stiffness) ///< stiffness: kappa [N/m]
        : contacts_(std::move(contacts))
        , kappa_(stiffness)
    {
    }
    std::string_view name() const override { return "contact"; }
    EnergyKind kind() const override { return EnergyKind::contact; }
    void pattern(BlockPattern&) const override { }
    void pattern_at(const Vector& x, BlockPattern& pattern) override;
    void add(const Vector& x, double t, Assembly& out) override;
    double max_step(const Vector& x, const Vector& p) const override { return contacts_->max_step(x, p); }
    Touching touching(const Vector& x) override;

private:
    struct Local {
        double value;
        Vec12 gradient;
        Mat12 hessian;
    };
    void add_planes(Assembly& out) const;

    std::shared_ptr<ContactSet> contacts_;
    double kappa_;
    std::vector<const ContactPair*> wanted_; // of the last evaluation
    std::vector<Local> local_; // one for each of them
};

/// Adds the blocks that join all nodes of these pairs.
void add_pattern(const std::vector<ContactPair>& pairs, BlockPattern& pattern);

} // namespace rubato
