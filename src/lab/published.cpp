#include "lab/published.hpp"

#include "lab/published_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

double PublishedRow::difference() const
{
    return published ? ours - *published : std::numeric_limits<double>::quiet_NaN();
}

bool PublishedRow::holds() const
{
    switch (bound) {
    case Bound::none: return true;
    case Bound::within: return std::abs(difference()) <= limit;
    case Bound::at_least: return ours >= limit;
    case Bound::at_most: return ours <= limit;
    }
    return false;
}

std::string PublishedRow::bound_text() const
{
    switch (bound) {
    case Bound::none: return "";
    case Bound::within: return fmt::format("+-{:g}", limit);
    case Bound::at_least: return fmt::format(">= {:g}", limit);
    case Bound::at_most: return fmt::format("<= {:g}", limit);
    }
    return "";
}

bool Reproduced::holds() const
{
    return std::all_of(rows.begin(), rows.end(), [](const PublishedRow& row) { return row.holds(); });
}

const std::vector<ReproductionEntry>& reproduction_catalog()
{
    static const std::vector<ReproductionEntry> entries = {
        {"table-2", "final velocity of a bar that bounces off a wall, three stiffnesses, four steps",
            "You, Zheng, Li: Energy-Controllable Time Integration, sec. 5.5, Table 2", [] { return table_2(); }},
        {"alpha-range", "what the range of alpha does to the bar of medium stiffness",
            "You, Zheng, Li: Energy-Controllable Time Integration, sec. 5.6, Fig. 19", [] { return alpha_range(); }},
        {"appendix-c", "determinant and trace of six methods on the oscillator, measured and in closed form",
            "You, Zheng, Li: Energy-Controllable Time Integration, App. C", [] { return appendix_c(); }},
        {"appendix-d", "the decoupled method on SDIRK2, which is not stable at every step",
            "You, Zheng, Li: Energy-Controllable Time Integration, App. D", [] { return appendix_d(); }},
        {"appendix-e", "a particle against a very stiff wall, over all phases of the collision",
            "You, Zheng, Li: Energy-Controllable Time Integration, App. E", [] { return appendix_e(); }},
        {"decoupled-order-two", "the search for a second-order decoupled method that is stable at every step",
            "You, Zheng, Li: Energy-Controllable Time Integration, App. D, which leaves it open",
            [] { return decoupled_order_two(); }},
        {"spring-001", "a squared spring under the midpoint rule, which blows up, and under blending",
            "Dinev, Liu, Kavan: Stabilizing Integrators, eq. 7, Fig. 2 and 3", [] { return spring_001(); }},
        {"two-springs-001", "the bound on the energy of backward Euler on a potential that is not convex",
            "Dinev, Liu, Kavan: Stabilizing Integrators, App. C", [] { return two_springs_001(); }},
    };
    return entries;
}

} // namespace rubato
