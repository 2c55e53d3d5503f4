#include "analyze.hpp"
#include "base/errors.hpp"
#include "geometry/files/atomic_file.hpp"
#include "lab/stability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iostream>
#include <map>
#include <memory>

namespace rubato::cli {

namespace {

struct StabilityArguments {
    std::string integrators = "all", from = "1e-3", to = "1e4", out;
    int points = 141;
    bool force = false;
};

struct Measured {
    std::string title;
    StabilitySweep sweep;
};

/// The largest |determinant - 1| met; 0 if there is none but the round-off of its products.
double area_change(const StabilitySweep& sweep)
{
    double largest = 0;
    for (const Amplification& a : sweep.points) {
        const double change = std::abs(a.determinant - 1), product = a.Q.cwiseAbs().maxCoeff();
        if (change > 1e-11 + 1e-14 * product * product) largest = std::max(largest, change);
    }
    return largest;
}

std::string unstable_text(const StabilitySweep& sweep)
{
    if (sweep.unstable.empty()) return "nowhere";
    std::vector<std::string> parts;
    const double first = sweep.points.front().hbar, last = sweep.points.back().hbar;
    for (const HbarRange& range : sweep.unstable) {
        if (range.low <= first && range.high >= last) return "everywhere";
        parts.push_back(range.high >= last ? fmt::format("from {:.5g}", range.low)
                                           : fmt::format("{:.5g} to {:.5g}", range.low, range.high));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Pairs of conjugates are told once: a +- b i.
std::string eigenvalue_text(const Amplification& a)
{
    std::vector<std::string> parts;
    for (const std::complex<double>& value : a.eigenvalues) {
        const double size = std::max(std::abs(value), 1e-300);
        if (value.imag() < -1e-12 * size) continue;
        if (value.imag() <= 1e-12 * size) {
            parts.push_back(fmt::format("{:.5g}", value.real()));
        } else {
            parts.push_back(fmt::format("{:.5g} +- {:.5g}i", value.real(), value.imag()));
        }
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

void tell(const std::vector<Measured>& all, const std::vector<Mistake>& refused)
{
    std::size_t width = 6;
    for (const Measured& m : all) width = std::max(width, m.title.size());
    if (!all.empty()) {
        const auto& points = all.front().sweep.points;
        std::cout << fmt::format("{0:<{1}}  {2:^45}  at h^2 k/m = {3:g}\n", "", width,
            fmt::format("h^2 k/m from {:g} to {:g}", points.front().hbar, points.back().hbar), points.back().hbar);
        std::cout << fmt::format("{:<{}}  {:<5}  {:<20}  {:<16}  {:>11}  {:>11}  {:>10}  {}\n", "method", width,
            "steps", "unstable", "|determinant - 1|", "determinant", "trace", "radius", "eigenvalues");
    }
    for (const Measured& m : all) {
        const Amplification& last = m.sweep.points.back();
        const double change = area_change(m.sweep);
        std::cout << fmt::format("{:<{}}  {:<5}  {:<20}  {:<17}  {:>11.5g}  {:>11.6g}  {:>10.6g}  {}\n", m.title, width,
            last.steps, unstable_text(m.sweep), change == 0 ? "0" : fmt::format("up to {:.3g}", change),
            last.determinant, last.trace, last.spectral_radius, eigenvalue_text(last));
    }
    std::map<std::string, std::vector<std::string>> reasons;
    for (const Mistake& mistake : refused) reasons[mistake.message].push_back(mistake.value);
    for (const auto& [reason, names] : reasons) {
        std::cout << fmt::format("not measured: {}: each {}\n", fmt::join(names, ", "), reason);
    }
}

constexpr std::string_view stability_begin
    = "integrator,hbar,steps,determinant,trace,radius,re1,im1,re2,im2,re3,im3,re4,im4,re5,im5,re6,im6\n";

std::string csv(const std::vector<Measured>& all)
{
    std::string text(stability_begin);
    for (const Measured& m : all) {
        for (const Amplification& a : m.sweep.points) {
            std::vector<std::string> row{m.title, cell(a.hbar), fmt::format("{}", a.steps), cell(a.determinant),
                cell(a.trace), cell(a.spectral_radius)};
            for (std::size_t i = 0; i < 6; ++i) {
                const bool there = i < a.eigenvalues.size();
                row.push_back(there ? cell(a.eigenvalues[i].real()) : "");
                row.push_back(there ? cell(a.eigenvalues[i].imag()) : "");
            }
            text += joined(row);
        }
    }
    return text;
}

template <class Value>
std::string plot(const std::vector<Measured>& all, const std::string& title, Axis y_axis, Value&& value)
{
    LinePlot plot{
        .title = title, .x_axis = {.quantity = "h\xc2\xb2 k/m", .logarithmic = true}, .y_axis = std::move(y_axis)};
    for (const Amplification& a : all.front().sweep.points) plot.x.push_back(a.hbar);
    for (const Measured& m : all) {
        std::vector<double> values;
        for (const Amplification& a : m.sweep.points) values.push_back(value(a));
        plot.series.push_back(curve(plot.series.size(), m.title, values));
    }
    return svg(plot);
}

int stability(const StabilityArguments& arguments)
{
    const std::vector<ChosenMethod> methods = chosen_methods(arguments.integrators, "--integrators");
    const double low = positive_number(arguments.from, "--from", ""), high = positive_number(arguments.to, "--to", "");
    if (high <= low) {
        throw InputError(Mistake{.file = "--to", .value = arguments.to, .message = "must be above --from"});
    }
    const auto directory = run_directory(arguments.out, "stability", arguments.force, own_files);
    require_own(directory,
        {{"stability.csv", stability_begin}, {"radius.svg", plot_begin}, {"determinant.svg", plot_begin},
            {"trace.svg", plot_begin}});

    std::vector<Measured> all;
    std::vector<Mistake> refused;
    Notice notice;
    for (const ChosenMethod& method : methods) {
        notice.say("measuring " + method.title);
        try {
            MeasuredMethod measured = measured_method(*method.entry, method.options);
            measured.name = method.title;
            all.push_back({method.title, stability_sweep(measured, low, high, arguments.points)});
        } catch (const InputError& error) {
            for (Mistake mistake : error.mistakes()) {
                mistake.file = "--integrators";
                mistake.key.clear();
                refused.push_back(std::move(mistake));
            }
        }
    }
    notice.say("");
    // Whoever names a method wants to know that it has no matrix; "all" means all that have one.
    if (!refused.empty() && (arguments.integrators != "all" || all.empty())) throw InputError(refused);

    make_directory(directory);
    write_atomically(directory / "stability.csv", csv(all));
    write_atomically(directory / "radius.svg",
        plot(all, "Spectral radius of a step of the oscillator",
            {.quantity = "spectral radius", .logarithmic = true, .least = 1e-3, .most = 1e2},
            [](const Amplification& a) { return a.spectral_radius; }));
    write_atomically(directory / "determinant.svg",
        plot(all, "What a step of the oscillator does to areas in phase space",
            {.quantity = "|determinant|", .logarithmic = true, .least = 1e-6, .most = 1e2},
            [](const Amplification& a) { return std::abs(a.determinant); }));
    write_atomically(directory / "trace.svg",
        plot(all, "Trace of a step of the oscillator", {.quantity = "trace", .least = -3, .most = 3},
            [](const Amplification& a) { return a.trace; }));
    tell(all, refused);
    std::cout << fmt::format(
        "wrote {}\n  radius.svg, determinant.svg, trace.svg   over h^2 k/m; open them in a browser\n"
        "  stability.csv                            every number\n",
        printable(directory.string()));
    return done;
}

} // namespace

void add_analyze_stability(CLI::App& analyze, int& status)
{
    auto arguments = std::make_shared<StabilityArguments>();
    CLI::App* command = analyze.add_subcommand(
        "stability", "What one step does to the oscillator m x'' = -k x, over h^2 k/m, measured");
    command->add_option("--integrators", arguments->integrators,
        "Names separated by commas, with options behind colons (newmark:beta=0.3:gamma=0.6); default: all");
    command->add_option("--from", arguments->from, "Smallest h^2 k/m (default: 1e-3)");
    command->add_option("--to", arguments->to, "Largest h^2 k/m (default: 1e4)");
    command->add_option("--points", arguments->points, "How many values (default: 141)")->check(CLI::Range(2, 100000));
    command->add_option("--out", arguments->out, "Where to write it (default: runs/stability)");
    command->add_flag("--force", arguments->force, "Replace what is in --out already");
    command->callback([arguments, &status] { status = stability(*arguments); });
}

} // namespace rubato::cli
