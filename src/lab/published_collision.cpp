#include "lab/logarithmic_wall.hpp"
#include "lab/published_entries.hpp"
#include "lab/quadratic_wall.hpp"
#include "lab/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// 000 App. E: a particle flies at a stiff wall with speed 1. When it meets the wall within a step is the phase beta in
/// (0, 1); a good method lets it leave with speed 1 whatever the phase.
namespace rubato {

namespace {

constexpr double stiff = 1e8; // hbar, as good as infinite
constexpr double not_run = std::numeric_limits<double>::quiet_NaN();

const Method a_1{.name = "a-1", .label = "A-1"};
const Method trapezoidal{.name = "trapezoidal"};

Method a_search(double alpha_max)
{
    return {.name = "a-search",
        .options = {{"alpha_max", alpha_max}},
        .label = fmt::format("A-search, alpha_max = {:g}", alpha_max)};
}

/// A target of its own: A-search is told that the particle came with speed V.
class AssumedSpeed final : public EnergyTarget {
public:
    explicit AssumedSpeed(double V)
        : energy_(0.5 * V * V)
    {
    }
    double first(double /*H_0*/) const override { return energy_; }
    double next(double E, double /*t*/, double /*t_next*/, double gained) const override { return E + gained; }

private:
    double energy_; // [J]
};

/// Velocities after each step, the first entry at the start.
std::vector<double> velocities(
    LabProblem problem, const Method& method, double h, int steps, const EnergyTarget* target)
{
    std::vector<double> v;
    const RunResult result = run_problem(
        problem, method, h, steps * h, [&](const StepRecord& record) { v.push_back(record.state.v[0]); }, target);
    v.resize(static_cast<std::size_t>(steps) + 1, result.finished ? 0 : not_run);
    return v;
}

/// One method over all phases.
struct Collisions {
    std::vector<double> phase;
    std::vector<std::vector<double>> v; // by phase, then by step

    double leaving(std::size_t k) const { return v[k].back(); }
    /// The velocity afterwards that is farthest from 1.
    double worst() const
    {
        double out = 1;
        for (std::size_t k = 0; k < v.size(); ++k) {
            if (!(std::abs(leaving(k) - 1) <= std::abs(out - 1))) out = leaving(k);
        }
        return out;
    }
    double fastest() const
    {
        double out = 0;
        for (std::size_t k = 0; k < v.size(); ++k) {
            if (!(std::abs(leaving(k)) <= out)) out = std::abs(leaving(k)); // what is not a number stays
        }
        return out;
    }
    double slowest() const
    {
        double out = fastest();
        for (std::size_t k = 0; k < v.size(); ++k) {
            if (!(std::abs(leaving(k)) >= out)) out = std::abs(leaving(k));
        }
        return out;
    }
    double gaining() const // fraction of the phases
    {
        const auto count = std::count_if(
            v.begin(), v.end(), [](const std::vector<double>& path) { return std::abs(path.back()) > 1 + 1e-6; });
        return static_cast<double>(count) / static_cast<double>(v.size());
    }
    /// Largest difference from a closed form of the velocity after a step.
    double error(std::size_t step, const std::function<double(double beta)>& closed_form) const
    {
        double most = 0;
        for (std::size_t k = 0; k < v.size(); ++k) {
            const double e = std::abs(v[k][step] - closed_form(phase[k]));
            if (!(e <= most)) most = e; // a NaN stays
        }
        return most;
    }
};

template <class Make>
Collisions collisions(
    const Make& problem_at, const Method& method, double h, int phases, int steps, const EnergyTarget* target = nullptr)
{
    Collisions all;
    for (int k = 0; k < phases; ++k) {
        const double beta = (k + 0.5) / phases;
        all.phase.push_back(beta);
        all.v.push_back(velocities(problem_at(beta), method, h, steps, target));
    }
    return all;
}

Collisions at_quadratic_wall(const Method& method, double hbar, int phases, const EnergyTarget* target = nullptr)
{
    const int steps = 12 + static_cast<int>(std::ceil(4 / std::sqrt(hbar))); // time in the wall is pi/sqrt(hbar) steps
    return collisions(
        [&](double beta) { return quadratic_wall_problem(hbar, beta, 1); }, method, 1, phases, steps, target);
}

void add_a_1(Reproduced& out, const Collisions& c)
{
    out.rows.push_back({"A-1: velocity afterwards, farthest from 1", c.worst(), 1.0, Bound::within, 1e-6});
    const struct {
        const char* text;
        double (*form)(double);
    } forms[] = {{"-1", [](double) { return -1.0; }}, {"-beta", [](double b) { return -b; }},
        {"1 - beta", [](double b) { return 1 - b; }}, {"1", [](double) { return 1.0; }}};
    for (std::size_t n = 1; n <= 4; ++n) {
        out.rows.push_back({fmt::format("A-1: v{} = {}, largest difference", n, forms[n - 1].text),
            c.error(n, forms[n - 1].form), 0.0, Bound::within, 1e-6});
    }
}

void add_trapezoidal(Reproduced& out, const Collisions& c)
{
    out.rows.push_back({"trapezoidal: greatest speed afterwards", c.fastest(), 3.0, Bound::within, 0.01});
    out.rows.push_back({"trapezoidal: fraction of phases that gain speed", c.gaining(), 0.75, Bound::within, 0.01});
    out.rows.push_back({"trapezoidal: v1 = 1 - 2 beta, largest difference",
        c.error(1, [](double b) { return 1 - 2 * b; }), 0.0, Bound::within, 1e-6});
    out.rows.push_back({"trapezoidal: v2 = 3 - 4 beta, or 2 beta - 1 for beta > 2/3, largest difference",
        c.error(2, [](double b) { return b < 2.0 / 3 ? 3 - 4 * b : 2 * b - 1; }), 0.0, Bound::within, 1e-6});
    out.rows.push_back({"trapezoidal: v3 = 8 beta - 5 for beta > 2/3, largest difference",
        c.error(3, [](double b) { return b < 2.0 / 3 ? 3 - 4 * b : 8 * b - 5; }), 0.0, Bound::within, 1e-6});
}

/// With hbar -> infinity every solve ends at the wall, and v2 = -alpha beta, v3 = alpha (1 + v2), each with the alpha
/// nearest to 1 that gives speed 1, if alpha_max lets it. The paper's v3 = 1 + v2 is the case alpha_max = 1.
void add_a_search(Reproduced& out, int phases)
{
    for (const double most : {1.0, 1.1, 2.0}) {
        const Method method = a_search(most);
        const Collisions c = at_quadratic_wall(method, stiff, phases);
        const auto v2 = [&](double b) { return -std::min(b * most, 1.0); };
        out.rows.push_back(
            {method.title() + ": velocity afterwards, farthest from 1", c.worst(), 1.0, Bound::within, 1e-6});
        out.rows.push_back({method.title() + ": v2 = -min(beta alpha_max, 1), largest difference", c.error(2, v2), 0.0,
            Bound::within, 1e-6});
        PublishedRow printed{
            method.title() + ": v3 = 1 + v2, largest difference", c.error(3, [&](double b) { return 1 + v2(b); }), 0.0};
        if (most == 1) {
            printed.bound = Bound::within;
            printed.limit = 1e-6;
        } else {
            printed.note = "holds for alpha_max = 1 only";
        }
        out.rows.push_back(printed);
        out.rows.push_back({.what = method.title() + ": v3 = min(alpha_max (1 + v2), 1), largest difference",
            .ours = c.error(3, [&](double b) { return std::min(most * (1 + v2(b)), 1.0); }),
            .bound = Bound::at_most,
            .limit = 1e-6,
            .note = "ours"});
    }
    const AssumedSpeed target(1.5);
    for (const double most : {1.0, 1.1}) {
        const Collisions c = at_quadratic_wall(a_search(most), stiff, phases, &target);
        PublishedRow row{
            a_search(most).title() + ", told V = 1.5: velocity afterwards, farthest from 1", c.worst(), 1.0};
        if (most == 1) {
            row.bound = Bound::within;
            row.limit = 1e-6;
        } else {
            row.note = "v4 = 1 holds for alpha_max = 1 only";
        }
        out.rows.push_back(row);
    }
}

/// The range of speeds afterwards over all phases, against hbar.
void add_stiffness_scan(Reproduced& out, int phases)
{
    const std::vector<Method> methods = {a_1, a_search(1.1), trapezoidal, {.name = "implicit-euler"}, {.name = "bdf2"}};
    DataTable table{.name = "speed_afterwards", .columns = {"hbar"}, .rows = {}};
    PublishedFigure figure{.name = "speed_afterwards",
        .title = "Speed after meeting a quadratic wall at speed 1",
        .x_quantity = "h^2 k/m",
        .x_unit = "",
        .y_quantity = "speed",
        .y_unit = "m/s",
        .curves = {},
        .log_x = true};
    for (int k = -4; k <= 16; ++k) table.rows.push_back({std::pow(10.0, k / 2.0)});
    for (const Method& method : methods) {
        table.columns.insert(table.columns.end(), {method.title() + " least", method.title() + " greatest"});
        const int color = static_cast<int>(figure.curves.size()) / 2;
        Curve greatest{method.title() + ", greatest", {}, {}, false, color};
        Curve least{method.title() + ", least", {}, {}, true, color};
        for (auto& row : table.rows) {
            const Collisions c = at_quadratic_wall(method, row[0], std::max(phases / 10, 10));
            row.insert(row.end(), {c.slowest(), c.fastest()});
            for (Curve* curve : {&least, &greatest}) curve->x.push_back(row[0]);
            least.y.push_back(c.slowest());
            greatest.y.push_back(c.fastest());
        }
        figure.curves.push_back(std::move(greatest));
        figure.curves.push_back(std::move(least));
    }
    out.tables.push_back(std::move(table));
    out.figures.push_back(std::move(figure));
}

void add_phases(Reproduced& out, const Collisions& a, const Collisions& t)
{
    PublishedFigure figure{.name = "phases",
        .title = "Velocity after meeting a very stiff wall at speed 1, against the phase",
        .x_quantity = "phase",
        .x_unit = "",
        .y_quantity = "velocity",
        .y_unit = "m/s",
        .curves = {{"A-1", a.phase, {}}, {"trapezoidal", t.phase, {}}}};
    DataTable table{.name = "phases", .columns = {"beta", "a_1", "trapezoidal"}, .rows = {}};
    for (std::size_t k = 0; k < a.phase.size(); ++k) {
        figure.curves[0].y.push_back(a.leaving(k));
        figure.curves[1].y.push_back(t.leaving(k));
        table.rows.push_back({a.phase[k], a.leaving(k), t.leaving(k)});
    }
    out.tables.push_back(std::move(table));
    out.figures.push_back(std::move(figure));
}

/// The barrier of incremental potential contact, dhat = 1 m, at long steps: a wall of finite depth that is crossed in
/// far less than one step. Hardly entered (kappa = 1) and entered deeply (kappa small).
void add_logarithmic_wall(Reproduced& out, int phases)
{
    const struct {
        double kappa, h;
        const char* text;
    } walls[] = {{1, 1e4, "kappa = 1 J, h = 1e4 s"}, {1e-8, 1e4, "kappa = 1e-8 J, h = 1e4 s"}};
    for (const auto& wall : walls) {
        const auto problem_at = [&](double beta) { return logarithmic_wall_problem({wall.kappa, 1}, beta, wall.h); };
        const auto against = [&](const Method& m) { return collisions(problem_at, m, wall.h, phases, 12); };
        const std::string where = std::string("logarithmic wall, ") + wall.text + ", ";
        out.rows.push_back(
            {where + "A-1: velocity afterwards, farthest from 1", against(a_1).worst(), 1.0, Bound::within, 1e-3});
        out.rows.push_back({where + "A-search: velocity afterwards, farthest from 1", against(a_search(1.1)).worst(),
            1.0, Bound::within, 1e-3});
        const Collisions t = against(trapezoidal);
        out.rows.push_back({where + "trapezoidal: greatest speed afterwards", t.fastest(), 3.0, Bound::within, 0.05});
        out.rows.push_back({.what = where + "trapezoidal: fraction of phases that gain speed", .ours = t.gaining()});
    }
}

} // namespace

Reproduced appendix_e(int phases)
{
    Reproduced out;
    const Collisions a = at_quadratic_wall(a_1, stiff, phases), t = at_quadratic_wall(trapezoidal, stiff, phases);
    add_a_1(out, a);
    add_trapezoidal(out, t);
    add_a_search(out, phases);
    add_logarithmic_wall(out, phases / 4);
    add_phases(out, a, t);
    add_stiffness_scan(out, phases);
    return out;
}

} // namespace rubato
