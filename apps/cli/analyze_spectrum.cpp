#include "analyze.hpp"
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "geometry/files/atomic_file.hpp"
#include "lab/spectrum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

namespace rubato::cli {

namespace {

struct SpectrumArguments {
    SceneArguments scene;
    std::string out;
    int modes = 20, threads = 0;
    bool force = false;
};

Vector rest_positions(const BuiltScene& built)
{
    Vector X(3 * static_cast<Eigen::Index>(built.mesh.nodes.size()));
    for (std::size_t i = 0; i < built.mesh.nodes.size(); ++i) node(X, static_cast<Index>(i)) = built.mesh.nodes[i];
    return X;
}

/// A single body that nothing holds may turn without vibrating.
ModalEnergies::Frame frame_of(const BuiltScene& built)
{
    const System& system = built.dynamics->system();
    bool held = !system.prescription.empty() || built.bodies.size() != 1;
    for (const auto& potential : system.potentials) held = held || potential->name() == "attachments";
    return held ? ModalEnergies::Frame::fixed : ModalEnergies::Frame::following;
}

constexpr std::string_view modes_begin = "mode,frequency_Hz,omega2,mean_energy_J\n", spectrum_begin = "time,mode_1";

std::string modes_csv(const Modes& modes, const Vector& mean)
{
    std::string text(modes_begin);
    for (Eigen::Index j = 0; j < modes.count(); ++j) {
        text += joined({fmt::format("{}", j + 1), cell(modes.frequency(j)), cell(modes.omega2[j]), cell(mean[j])});
    }
    return text;
}

std::string spectrum_csv(const SpectrumRecord& record)
{
    std::vector<std::string> row{"time"};
    for (Eigen::Index j = 0; j < record.energies().front().size(); ++j) row.push_back(fmt::format("mode_{}", j + 1));
    std::string text = joined(row);
    for (std::size_t i = 0; i < record.times().size(); ++i) {
        row.assign(1, cell(record.times()[i]));
        for (const double energy : record.energies()[i]) row.push_back(cell(energy));
        text += joined(row);
    }
    return text;
}

LinePlot spectrum_plot(const std::string& title, const Modes& modes, const Vector& mean, const SpectrumRecord& record)
{
    LinePlot plot{.title = title,
        .x_axis = {.quantity = "frequency", .unit = "Hz", .least = 0},
        .y_axis = {.quantity = "energy of a mode", .unit = "J", .logarithmic = true}};
    // Modes of no energy at all, up to round-off, would stretch the axis without telling anything.
    double largest = 0;
    for (const Vector& row : {record.energies().front(), mean, record.energies().back()}) {
        largest = std::max(largest, row.maxCoeff());
    }
    const double least = std::pow(10.0, largest > 0 ? std::floor(std::log10(largest)) - 12 : -12); // where stems stand
    plot.y_axis.least = least;

    Series stems = curve(0, "mean over the run", {}), first = curve(6, "at the start", {}),
           last = curve(1, "at the end", {});
    for (Eigen::Index j = 0; j < modes.count(); ++j) {
        const double f = modes.frequency(j);
        first.x.push_back(f);
        first.values.push_back(record.energies().front()[j]);
        last.x.push_back(f);
        last.values.push_back(record.energies().back()[j]);
        if (!(mean[j] > least)) continue;
        stems.x.insert(stems.x.end(), {f, f, f});
        stems.values.insert(stems.values.end(), {least, mean[j], std::numeric_limits<double>::quiet_NaN()});
    }
    stems.width = 3;
    first.width = last.width = 0;
    first.dots = 4;
    last.dots = 3;
    plot.series = {stems, first, last};
    return plot;
}

void tell(const Modes& modes, const Vector& mean, ModalEnergies::Frame frame)
{
    Eigen::Index unstable = 0;
    for (Eigen::Index j = 0; j < modes.count(); ++j) unstable += modes.unstable(j) ? 1 : 0;
    std::cout << (frame == ModalEnergies::Frame::following ? "modes about the rest shape, which turns with the body\n"
                                                           : "modes about the rest shape where it stands\n");
    std::cout << "  mode  frequency [Hz]  mean energy [J]   share\n";
    constexpr Eigen::Index most_told = 20;
    const double sum = mean.sum();
    for (Eigen::Index j = 0; j < std::min(most_told, modes.count()); ++j) {
        std::cout << fmt::format("  {:>4}  {:>14.6g}  {:>15.6g}  {:>5.1f}%{}\n", j + 1, modes.frequency(j),
            mean[j] > 1e-15 * sum ? mean[j] : 0, sum > 0 ? 100 * mean[j] / sum : 0,
            modes.unstable(j) ? "  unstable" : "");
    }
    if (modes.count() > most_told) {
        std::cout << fmt::format("  and {} more in modes.csv\n", modes.count() - most_told);
    }
    if (unstable > 0) {
        std::cout << fmt::format("note: {} unstable: the rest shape is no minimum of the energy\n",
            counted(unstable, "mode is", "modes are"));
    }
}

int spectrum(const SpectrumArguments& arguments)
{
    set_thread_count(arguments.threads);
    const Scene scene = arguments.scene.read();
    const std::string name = scene.name() + "-" + scene.root.part("integrator").type;
    const auto directory = run_directory(arguments.out, name + "-spectrum", arguments.force, any_run);
    require_own(
        directory, {{"spectrum.csv", spectrum_begin}, {"modes.csv", modes_begin}, {"spectrum.svg", plot_begin}});
    SceneRun run(scene, directory, program_version());
    const BuiltScene& built = run.built();

    const Vector X = rest_positions(built);
    Modes modes;
    try {
        Notice notice;
        notice.say("finding the modes");
        modes = lowest_modes(built.dynamics->system(), X, arguments.modes);
    } catch (const InputError& error) {
        std::vector<Mistake> mistakes = error.mistakes();
        for (Mistake& mistake : mistakes) {
            mistake.file = "--modes";
            mistake.key.clear();
        }
        throw InputError(mistakes);
    }
    const ModalEnergies::Frame frame = frame_of(built);
    SpectrumRecord record(ModalEnergies(built.dynamics->system().mass, modes, X, frame));
    run.simulation().observe(record);
    run.begin();
    const int status = run_to_end(run);

    const Vector mean = record.mean();
    write_atomically(directory / "spectrum.csv", spectrum_csv(record));
    write_atomically(directory / "modes.csv", modes_csv(modes, mean));
    write_atomically(directory / "spectrum.svg", svg(spectrum_plot(name, modes, mean, record)));
    std::cout << "  spectrum.svg   energy of the modes over their frequency\n"
                 "  spectrum.csv   energy of every mode at every step\n"
                 "  modes.csv      frequencies and mean energies\n";
    tell(modes, mean, frame);
    return status;
}

} // namespace

void add_analyze_spectrum(CLI::App& analyze, int& status)
{
    auto arguments = std::make_shared<SpectrumArguments>();
    CLI::App* command
        = analyze.add_subcommand("spectrum", "Simulate a scene and tell how its energy is spread over its modes");
    arguments->scene.declare(*command);
    command->add_option("--modes", arguments->modes, "How many, from the lowest (default: 20)")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--out", arguments->out, "Run directory (default: runs/<scene>-<integrator>-spectrum)");
    declare_threads(*command, arguments->threads);
    command->add_flag("--no-frames", arguments->scene.no_frames, "Write no frames");
    command->add_flag("--force", arguments->force, "Replace a run that is in --out already");
    command->callback([arguments, &status] { status = spectrum(*arguments); });
}

} // namespace rubato::cli
