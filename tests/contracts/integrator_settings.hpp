#pragma once

#include "integrators/catalog.hpp"
#include "integrators/tableau.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

/// Values of options, besides the defaults, with which the contracts run. A method with options needs a line here: a
/// test asks that every option is tried with a value that is not its default.
namespace rubato::small {

/// A catalog entry and what its options are to be; the entry's own defaults are these values.
struct Setting {
    IntegratorEntry entry;
    std::string label = {}; ///< empty: the defaults of the catalog
};

namespace detail {

struct Line {
    std::string integrator, label;
    std::map<std::string, OptionValue> values;
    double near_enough = 0; ///< IntegratorEntry::near_enough with these values
};

inline std::vector<Line> lines()
{
    using Row = std::vector<double>;
    using Table = std::vector<Row>;
    const Tableau tr_bdf2 = tr_bdf2_tableau(), sdirk2 = sdirk2_tableau();
    const Table euler = {{1}}, trapezoid = {{0, 0}, {0.5, 0.5}};
    const Row half = {0.5, 0.5}, one = {1};
    return {
        {"implicit-euler", "exact_gravity", {{"exact_gravity", true}}},
        {"theta-method", "0_5", {{"theta", 0.5}}},
        {"theta-method", "0_75", {{"theta", 0.75}}},
        {"theta-method", "1", {{"theta", 1.0}}},
        {"newmark", "damped", {{"beta", 0.3025}, {"gamma", 0.6}}},
        {"newmark", "linear_acceleration", {{"beta", 1.0 / 6}, {"gamma", 0.5}}},
        {"newmark", "beta_0_5", {{"beta", 0.5}, {"gamma", 0.5}}},
        {"newmark", "gamma_0_9", {{"beta", 0.49}, {"gamma", 0.9}}},
        {"generalised-alpha", "0", {{"rho_inf", 0.0}}},
        {"generalised-alpha", "0_5", {{"rho_inf", 0.5}}},
        {"generalised-alpha", "0_95", {{"rho_inf", 0.95}}},
        {"generalised-alpha", "1", {{"rho_inf", 1.0}}},
        {"dirk", "sdirk2", {{"A", sdirk2.A}, {"b", sdirk2.b}, {"c", sdirk2.c}}},
        {"dirk", "tr_bdf2", {{"A", tr_bdf2.A}, {"b", tr_bdf2.b}}},
        {"dirk", "trapezoid", {{"A", trapezoid}, {"b", half}}},
        {"dirk", "euler", {{"A", euler}, {"b", one}}},
        {"a-1", "exact_gravity", {{"exact_gravity", true}}},
        {"a-1", "damped_start", {{"damped_start", true}}},
        {"a-search", "0_9_to_1_1", {{"alpha_min", 0.9}}},
        {"a-search", "0_to_2", {{"alpha_max", 2.0}}},
        {"a-search", "exact_gravity", {{"exact_gravity", true}}},
        {"a-search-sparse", "0_9_to_2", {{"alpha_min", 0.9}, {"alpha_max", 2.0}}},
        {"a-search-sparse", "exact_gravity", {{"exact_gravity", true}}},
        {"decoupled-symplectic", "euler", {{"A", euler}, {"b", one}, {"c", one}}},
        {"decoupled-alpha", "euler", {{"A", euler}, {"b", one}, {"c", one}}},
        {"decoupled-alpha", "0_5_to_1", {{"alpha_min", 0.5}, {"alpha_max", 1.0}}},
        {"blending", "tight", {{"tolerance", 1e-4}}, 1e-4},
        {"energy-constraint", "loose", {{"tolerance", 1e-3}}, 1e-3},
    };
}

} // namespace detail

/// Every entry of the catalog as it is.
inline std::vector<Setting> default_settings()
{
    std::vector<Setting> settings;
    for (const IntegratorEntry& entry : integrator_catalog()) settings.push_back({entry});
    return settings;
}

/// The further values of options.
inline std::vector<Setting> further_settings()
{
    std::vector<Setting> settings;
    for (const detail::Line& line : detail::lines()) {
        Setting setting{integrator_named(line.integrator), line.label};
        for (const auto& [name, value] : line.values) {
            bool found = false;
            for (OptionSpec& spec : setting.entry.options) {
                if (spec.name == name) spec.fallback = value, found = true;
            }
            if (!found) throw std::logic_error(line.integrator + " has no option " + name);
        }
        if (line.near_enough != 0) setting.entry.near_enough = line.near_enough;
        settings.push_back(std::move(setting));
    }
    return settings;
}

} // namespace rubato::small
