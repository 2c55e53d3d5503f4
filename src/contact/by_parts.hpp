#pragma once

#include "contact/contact_set.hpp"

namespace rubato {

/// What the barrier holds between two parts.
struct PartContact {
    Index part_a, part_b; ///< part_a <= part_b
    double energy; ///< [J]
    double gap; ///< the least one [m]
};

/// All parts that are closer than dhat at the last update of `contacts`, which was for x.
std::vector<PartContact> contact_by_parts(const ContactSet& contacts, double stiffness, const Vector& x);

} // namespace rubato
