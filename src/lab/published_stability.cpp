#include "lab/published_entries.hpp"
#include "lab/run.hpp"
#include "lab/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

/// 000 App. C and D: determinants and traces of methods on the oscillator, as functions of hbar = h^2 k/m. What is
/// measured comes from stepping unit vectors through the integrators; what it is compared with is typed in from print.
namespace rubato {

namespace {

MeasuredMethod measured(const Method& method)
{
    return {.name = method.title(), .make = [method] { return integrator_of(method); }};
}

/// Twelve decades of hbar.
std::vector<double> hbars()
{
    std::vector<double> all;
    for (int k = -24; k <= 24; ++k) all.push_back(std::pow(10.0, k / 4.0));
    return all;
}

struct ClosedForm {
    Method method;
    std::function<double(double hbar)> determinant, trace;
    std::string note = {};
};

std::vector<ClosedForm> closed_forms()
{
    const auto one = [](double) { return 1.0; };
    const auto midpoint_trace = [](double s) { return 2 * (4 - s) / (4 + s); };
    const char* const misprint = "the trace is printed without the division sign";
    std::vector<ClosedForm> all = {
        {{.name = "symplectic-euler"}, one, [](double s) { return 2 - s; }},
        {{.name = "implicit-midpoint"}, one, midpoint_trace, misprint},
        {{.name = "trapezoidal"}, one, midpoint_trace, misprint},
        {{.name = "a-1"}, one, [](double s) { return 1 + 1 / (1 + s); }},
    };
    for (const double alpha : {0.0, 0.5, 0.9, 1.0, 1.1, 2.0}) {
        all.push_back({{.name = "a-search",
                           .options = {{"alpha_min", alpha}, {"alpha_max", alpha}},
                           .label = fmt::format("a-search, alpha = {:g}", alpha)},
            [alpha](double s) { return 1 + (alpha - 1) * s / (1 + s); },
            [alpha](double s) { return (2 + alpha * s) / (1 + s); }});
    }
    return all;
}

double relative(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(b)); }

PublishedFigure trace_figure(std::string name, std::string title)
{
    return {.name = std::move(name),
        .title = std::move(title),
        .x_quantity = "h^2 k/m",
        .x_unit = "",
        .y_quantity = "trace",
        .y_unit = "",
        .curves = {},
        .log_x = true,
        .y_least = -3}; // symplectic Euler's falls without end
}

} // namespace

Reproduced appendix_c()
{
    Reproduced out;
    DataTable table{.name = "amplification", .columns = {"hbar"}, .rows = {}};
    for (const double s : hbars()) table.rows.push_back({s});
    PublishedFigure figure
        = trace_figure("trace", "Trace on the oscillator; stable between -2 and 2 where the determinant is 1");
    for (const ClosedForm& form : closed_forms()) {
        const MeasuredMethod method = measured(form.method);
        table.columns.insert(table.columns.end(), {method.name + " determinant", method.name + " trace"});
        Curve curve{method.name, {}, {}};
        double determinant = 0, trace = 0;
        for (auto& row : table.rows) {
            const double s = row[0];
            const Amplification a = amplification(method, s);
            determinant = std::max(determinant, relative(a.determinant, form.determinant(s)));
            trace = std::max(trace, relative(a.trace, form.trace(s)));
            row.insert(row.end(), {a.determinant, a.trace});
            curve.x.push_back(s);
            curve.y.push_back(a.trace);
        }
        figure.curves.push_back(std::move(curve));
        const std::string range = ", largest difference over 1e-6 <= hbar <= 1e6";
        out.rows.push_back({method.name + ": determinant" + range, determinant, 0.0, Bound::within, 1e-12});
        out.rows.push_back({method.name + ": trace" + range, trace, 0.0, Bound::within, 1e-12, form.note});
    }
    // The discriminant as printed has h^2 where hbar^2 is meant.
    double most = 0;
    const double alpha = 1.1;
    const MeasuredMethod fixed = measured({.name = "a-search",
        .options = {{"alpha_min", alpha}, {"alpha_max", alpha}},
        .label = "a-search, alpha = 1.1"});
    for (const double s : hbars()) {
        const Amplification a = amplification(fixed, s);
        const double printed = -(4 * s + s * s * alpha * (4 - alpha)) / ((1 + s) * (1 + s));
        most = std::max(most, relative(a.trace * a.trace - 4 * a.determinant, printed));
    }
    out.rows.push_back({fixed.name + ": discriminant -(4 hbar + hbar^2 alpha (4 - alpha))/(1 + hbar)^2", most, 0.0,
        Bound::within, 1e-12, "printed with h^2 in place of hbar^2"});
    const Amplification far = amplification(measured({.name = "a-1"}), 1e12);
    out.rows.push_back({"a-1: argument of the eigenvalues at hbar = 1e12 over pi",
        std::arg(far.eigenvalues[0]) / std::numbers::pi, 1.0 / 3, Bound::within, 1e-9});
    out.tables.push_back(std::move(table));
    out.figures.push_back(std::move(figure));
    return out;
}

Reproduced appendix_d()
{
    const MeasuredMethod method = measured({.name = "decoupled-symplectic", .label = "decoupled SDIRK2"});
    const auto trace = [&](double s) { return amplification(method, s).trace; };

    // The minimum by golden sections in log hbar, from a bracket that a scan finds.
    PublishedFigure figure = trace_figure("trace", "Trace of the decoupled method on SDIRK2; unstable below -2");
    DataTable table{.name = "amplification", .columns = {"hbar", "determinant", "trace"}, .rows = {}};
    Curve curve{method.name, {}, {}};
    double determinant = 0;
    for (int k = -40; k <= 120; ++k) {
        const double s = std::pow(10.0, k / 20.0);
        const Amplification a = amplification(method, s);
        determinant = std::max(determinant, std::abs(a.determinant - 1));
        table.rows.push_back({s, a.determinant, a.trace});
        curve.x.push_back(s);
        curve.y.push_back(a.trace);
    }
    const auto lowest = std::min_element(curve.y.begin(), curve.y.end()) - curve.y.begin();
    double low = std::log(curve.x[static_cast<std::size_t>(lowest) - 1]),
           high = std::log(curve.x[static_cast<std::size_t>(lowest) + 1]);
    const double golden = 1 / std::numbers::phi;
    while (high - low > 1e-7) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        (trace(std::exp(a)) < trace(std::exp(b)) ? high : low) = trace(std::exp(a)) < trace(std::exp(b)) ? b : a;
    }
    const double where = std::exp(0.5 * (low + high));

    Reproduced out;
    out.rows.push_back({"decoupled SDIRK2: least trace", trace(where), -2.1634, Bound::within, 0.0005,
        "printed: approximately -2.16"});
    out.rows.push_back({"decoupled SDIRK2: h^2 there", where, 44.3, Bound::within, 0.5, "printed: around 44"});
    out.rows.push_back({"decoupled SDIRK2: trace at h^2 = 1e10", trace(1e10), -std::numbers::sqrt2 - 0.5, Bound::within,
        1e-6, "the limit is -sqrt 2 - 1/2"});
    out.rows.push_back({.what = "decoupled SDIRK2: |determinant - 1|, largest over 1e-2 <= h^2 <= 1e6",
        .ours = determinant,
        .published = 0.0,
        .bound = Bound::within,
        .limit = 1e-12});
    figure.curves.push_back(std::move(curve));
    out.tables.push_back(std::move(table));
    out.figures.push_back(std::move(figure));
    return out;
}

} // namespace rubato
