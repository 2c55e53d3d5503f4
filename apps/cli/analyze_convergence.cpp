#include "analyze.hpp"
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "geometry/files/atomic_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

namespace rubato::cli {

namespace {

struct ConvergenceArguments {
    SceneArguments scene;
    std::string integrators, reference, reference_dt, out;
    int halvings = 4, threads = 0;
    bool force = false;
};

/// What the runs are compared with, in words and numbers.
struct Yardstick {
    Reference reference;
    std::string text;
};

Yardstick yardstick(ConvergenceSubject& subject, const ConvergenceArguments& arguments, double shortest, Notice& notice)
{
    const bool closed_form = arguments.reference.empty() && *subject.usual_reference() == '\0';
    if (closed_form) return {{subject.exact(), 1e-14}, "the closed form"};
    const std::string name = arguments.reference.empty() ? subject.usual_reference() : arguments.reference;
    const std::vector<ChosenMethod> chosen = chosen_methods(name, "--reference");
    if (chosen.size() != 1) {
        throw InputError(Mistake{.file = "--reference", .value = name, .message = "must be one integrator"});
    }
    const double wanted = arguments.reference_dt.empty()
        ? shortest / subject.reference_fineness()
        : positive_number(arguments.reference_dt, "--reference-dt", "s");
    // Twice that step has to divide the time too.
    const double h = subject.duration() / (2 * std::max(1.0, std::ceil(subject.duration() / (2 * wanted) - 1e-9)));
    const int order = subject.damped() ? 1 : chosen[0].entry->order(chosen[0].options); // lagged damping is first order
    Yardstick found;
    try {
        found.reference = finest_run(h, order, [&](double step) {
            notice.say(fmt::format("reference: {} in steps of {:g} s", chosen[0].title, step));
            return subject.end_with(chosen[0], step);
        });
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw InputError(Mistake{.file = "--reference",
            .value = chosen[0].title,
            .message = fmt::format("could not be run: {} Choose another, or --reference-dt.", error.what())});
    }
    if (!std::isfinite(found.reference.own_error)) {
        throw InputError(Mistake{.file = "--reference",
            .value = chosen[0].title,
            .message = fmt::format("its run in steps of {:g} s did not stay finite", h)});
    }
    found.text = fmt::format("{} in steps of {:.6g} s, itself off by about {:.1g} m", chosen[0].title, h,
        std::max(found.reference.own_error, 1e-15));
    return found;
}

void tell(const std::vector<ConvergenceCurve>& curves, double floor)
{
    std::size_t width = 14;
    for (const ConvergenceCurve& c : curves) width = std::max(width, c.method.size());
    std::string line = fmt::format("{:<{}}", "error [m] at h =", width + 2);
    for (const ConvergencePoint& point : curves.front().points) line += fmt::format("{:>11.4g}", point.h);
    std::cout << line << "   order\n";
    for (const ConvergenceCurve& c : curves) {
        line = fmt::format("{:<{}}", c.method, width + 2);
        for (const ConvergencePoint& point : c.points) {
            const bool trusted = point.error > 3 * floor;
            const std::string error = std::isnan(point.error) ? "failed" : fmt::format("{:.2e}", point.error);
            line += fmt::format("{:>11}", std::isnan(point.error) || trusted ? error : "<" + error);
        }
        std::cout << line << (std::isnan(c.order) ? "       -" : fmt::format("{:8.2f}", c.order)) << '\n';
    }
    bool hidden = false;
    for (const ConvergenceCurve& c : curves) {
        for (const ConvergencePoint& point : c.points) hidden = hidden || point.error <= 3 * floor;
    }
    if (hidden) std::cout << "<: no larger than what the reference itself may be off by\n";
    for (const ConvergenceCurve& c : curves) {
        for (const ConvergencePoint& point : c.points) {
            if (point.failure.empty()) continue;
            std::cout << fmt::format("note: {}: {}\n", c.method, point.failure);
            break; // the longest step tells
        }
    }
}

constexpr std::string_view convergence_begin = "integrator,h,error,order\n";

std::string csv(const std::vector<ConvergenceCurve>& curves)
{
    std::string text(convergence_begin);
    for (const ConvergenceCurve& c : curves) {
        for (const ConvergencePoint& point : c.points) {
            text += joined({c.method, cell(point.h), cell(point.error), cell(point.order)});
        }
    }
    return text;
}

LinePlot plot(const std::string& title, const std::vector<ConvergenceCurve>& curves)
{
    LinePlot plot{.title = title,
        .x_axis = {.quantity = "length of a step", .unit = "s", .logarithmic = true},
        .y_axis = {.quantity = "error at the end", .unit = "m", .logarithmic = true}};
    for (const ConvergenceCurve& c : curves) {
        Series series = curve(plot.series.size(), c.method, {});
        for (auto point = c.points.rbegin(); point != c.points.rend(); ++point) {
            series.x.push_back(point->h);
            series.values.push_back(point->error);
        }
        series.dots = 3;
        plot.series.push_back(std::move(series));
    }
    return plot;
}

int convergence(const ConvergenceArguments& arguments)
{
    set_thread_count(arguments.threads);
    const auto subject = convergence_subject(arguments.scene);
    const std::vector<ChosenMethod> methods = chosen_methods(
        arguments.integrators.empty() ? subject->usual_methods() : arguments.integrators, "--integrators");
    std::string name = subject->title();
    std::replace(name.begin(), name.end(), ':', '-');
    const auto directory = run_directory(arguments.out, name + "-convergence", arguments.force, own_files);
    require_own(directory, {{"convergence.csv", convergence_begin}, {"convergence.svg", plot_begin}});

    const double steps = std::max(1.0, std::round(subject->duration() / subject->first_step()));
    const double h = subject->duration() / steps; // the steps of every run fill the time
    constexpr double most_steps = 1e9; // of a scene
    if (std::ldexp(steps, arguments.halvings) > most_steps) {
        throw InputError(Mistake{.file = "--dt",
            .value = fmt::format("{:g}", subject->first_step()),
            .message = fmt::format("is too short for a duration of {:g} s halved {}: a run has at most {:g} steps",
                subject->duration(), counted(arguments.halvings, "time", "times"), most_steps)});
    }
    std::cout << fmt::format("{}: {:g} s in steps of {:.6g} s, halved {}\n", subject->title(), subject->duration(), h,
        counted(arguments.halvings, "time", "times"))
              << std::flush;
    Notice notice;
    const Yardstick truth = yardstick(*subject, arguments, std::ldexp(h, -arguments.halvings), notice);
    const double floor = truth.reference.own_error;
    std::vector<ConvergenceCurve> curves;
    for (const ChosenMethod& method : methods) {
        curves.push_back(measured_convergence(method.title, h, arguments.halvings, floor, [&](double step) {
            notice.say(fmt::format("{} in steps of {:g} s", method.title, step));
            return largest_nodal_error(subject->end_with(method, step), truth.reference.x);
        }));
    }
    notice.say("");

    make_directory(directory);
    write_atomically(directory / "convergence.csv", csv(curves));
    write_atomically(directory / "convergence.svg", svg(plot("Convergence: " + subject->title(), curves)));
    std::cout << "reference: " << truth.text << '\n';
    tell(curves, floor);
    std::cout << fmt::format("wrote {}\n  convergence.svg   error over step; open it in a browser\n"
                             "  convergence.csv   every number\n",
        printable(directory.string()));
    return done;
}

} // namespace

void add_analyze_convergence(CLI::App& analyze, int& status)
{
    auto arguments = std::make_shared<ConvergenceArguments>();
    CLI::App* command = analyze.add_subcommand(
        "convergence", "Halve the step of a scene, or of a problem of the lab, and tell how the error falls");
    SceneArguments& scene = arguments->scene;
    command->add_option("scene", scene.scene, "A scene, or lab:oscillator, lab:cubic-spring, ...")->required();
    command->add_option("--integrators", arguments->integrators,
        "Names separated by commas, with options behind colons (newmark:beta=0.3:gamma=0.6), or all");
    command->add_option("--dt", scene.dt, "Longest step [s], e.g. 0.01 or 1/100 (default: the scene's)");
    command->add_option("--halvings", arguments->halvings, "How often it is halved (default: 4)")
        ->check(CLI::Range(1, 20));
    command->add_option("--duration", scene.duration, "Simulated time [s]");
    command->add_option(
        "--reference", arguments->reference, "What to compare with (default: the closed form, rk4 or tr-bdf2)");
    command->add_option(
        "--reference-dt", arguments->reference_dt, "Its step [s] (default: 1/16 or 1/4 of the shortest)");
    command->add_option("--set", scene.settings, "Replaces a value of the scene; may be given many times")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command->add_option("--out", arguments->out, "Where to write it (default: runs/<scene>-convergence)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--force", arguments->force, "Replace what is in --out already");
    command->callback([arguments, &status] { status = convergence(*arguments); });
}

} // namespace rubato::cli
