#include "contact/contact.hpp"

#include "contact/barrier.hpp"
#include "contact/friction.hpp"

#include <algorithm>

namespace rubato {

ContactTerms contact_terms(CollisionSurface surface, PairRules rules, const ContactOptions& options, const Vector& X)
{
    bool rough = false;
    const auto parts = static_cast<Index>(surface.parts.size());
    for (Index a = 0; a < parts; ++a) {
        for (Index b = 0; b <= a; ++b) rough = rough || (rules.at(a, b).touch && rules.at(a, b).friction > 0);
    }
    const auto contacts = std::make_shared<ContactSet>(std::move(surface), std::move(rules), options.dhat, X);
    ContactTerms terms;
    terms.barrier = std::make_unique<Barrier>(contacts, options.stiffness);
    if (rough) {
        terms.friction = std::make_unique<Friction>(
            contacts, options.stiffness, options.friction_speed, options.friction_iterations);
    }
    return terms;
}

double automatic_stiffness(double dhat, double young, double areal_mass, double gravity, double h)
{
    constexpr double over_body = 10, over_weight = 100; // see the header
    const double pressure
        = std::max({over_body * young, over_weight * areal_mass * gravity, areal_mass * dhat / (h * h)});
    return pressure * dhat;
}

} // namespace rubato
