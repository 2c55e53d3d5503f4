#include "record/run_figures.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "record/run_folder.hpp"
#include "record/stats_table.hpp"
#include "record/target_watch.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace rubato {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// Numbers that were not finite are null.
double number(const Json& value) { return value.is_number() ? value.get<double>() : std::nan(""); }

std::string away_in(const Json& target)
{
    std::string text;
    if (target.contains("below_ground")) {
        const Json& below = target.at("below_ground");
        text = below_ground(number(below.at("since")), number(below.at("most")));
    }
    if (!target.contains("away")) return text;
    const Json& away = target.at("away");
    return (text.empty() ? "" : text + "; ")
        + away_from_target(number(away.at("time")), number(away.at("since")), number(away.at("worst_relative")),
            away.at("reason").get<std::string>());
}

/// Of the part "energy" of a summary [J].
std::optional<double> ground_in(const Json& energy)
{
    if (!energy.contains("ground")) return {};
    return number(energy.at("ground"));
}

RunFigures from_summary(const Json& all)
{
    RunFigures run;
    run.status = all.at("status");
    run.reason = all.value("reason", "");
    run.nodes = all.at("nodes");
    run.tetrahedra = all.at("tets");
    run.threads = all.at("threads");
    run.steps = all.at("steps");
    run.step = number(all.at("h").at("asked"));
    run.simulated = number(all.at("time").at("simulated"));
    run.wall = number(all.at("time").at("wall"));
    const Json& newton = all.at("newton");
    run.newton_per_step = number(newton.at("mean_per_step"));
    run.newton = newton.at("iterations");
    run.local = newton.at("local_iterations");
    run.linear = newton.at("linear_iterations");
    const Json& energy = all.at("energy");
    run.start_energy = number(energy.at("start").at("total"));
    run.end_energy = number(energy.at("end").at("total"));
    run.largest_drift = number(energy.at("largest_drift"));
    run.injected = number(energy.at("injected"));
    run.dissipated = number(energy.at("dissipated"));
    run.ground = ground_in(energy);
    const std::string kind = energy.value("ground_kind", "");
    if (kind == "friction" || kind == "bound") run.ground_kind = kind;
    if (energy.contains("target")) run.away = away_in(energy.at("target"));
    if (all.contains("weight")) run.weight = number(all.at("weight"));
    for (const auto& [name, seconds] : all.at("phases").items()) run.phases.emplace_back(name, number(seconds));
    return run;
}

/// As the scene of the run has it, with every default written out; empty where there is no such file.
std::string gravity_zero_of(const fs::path& scene)
{
    std::error_code ignored;
    if (!fs::exists(scene, ignored)) return "";
    const Json all = Json::parse(file_bytes(scene), nullptr, false, true);
    if (!all.is_object() || !all.contains("gravity_zero")) return "";
    const Json& place = all["gravity_zero"];
    if (!place.is_array() || place.size() != 3) return "";
    return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", number(place[0]), number(place[1]), number(place[2]));
}

RunFigures from_stats(const fs::path& file)
{
    const StatsTable table = stats_table(file);
    if (table.rows() == 0) throw InputError(Mistake{.file = file.string(), .message = "has no rows"});
    RunFigures run{.status = "unfinished", .reason = {}};
    run.steps = static_cast<long>(table.rows()) - 1;
    run.simulated = table.column("time").back() - table.column("time").front();
    run.wall = table.column("wall").back();
    for (const double n : table.column("newton")) run.newton += std::isnan(n) ? 0 : static_cast<long>(n);
    for (const double n : table.column("linear")) run.linear += std::isnan(n) ? 0 : static_cast<long>(n);
    run.newton_per_step = static_cast<double>(run.newton) / static_cast<double>(std::max(1L, run.steps));
    run.start_energy = table.column("total").front();
    run.end_energy = table.column("total").back();
    run.injected = table.column("injected").back();
    run.dissipated = table.column("dissipated").back();
    return run;
}

} // namespace

std::optional<double> RunFigures::energy_left() const
{
    const double zero = ground.value_or(0), begun = start_energy - zero;
    if (!(begun > 0) || !std::isfinite(end_energy)) return {};
    return (end_energy - zero) / begun;
}

std::string RunFigures::counted_from() const
{
    if (ground) {
        return fmt::format("energy counts from the ground level of the scene, {:.3g} J{}", *ground,
            ground_kind.empty() ? "" : fmt::format(" ({})", ground_kind));
    }
    if (weight > 0 && !gravity_zero.empty()) return fmt::format("the energy of gravity counts from {} m", gravity_zero);
    return "";
}

std::string percent(double share, int digits)
{
    const std::string text = fmt::format("{:.{}f}", 100 * share, digits);
    const bool zero = text.find_first_of("123456789") == std::string::npos && std::isfinite(share);
    return fmt::format("{} %", zero && text.starts_with('-') ? text.substr(1) : text);
}

std::string share_kept(double share, int digits)
{
    std::string text = percent(share, digits);
    return text.starts_with('-') ? "below" : text;
}

RunFigures run_figures(const fs::path& directory)
{
    std::error_code ignored;
    const fs::path file = directory / "summary.json", stats = directory / "stats.csv";
    if (!fs::exists(fs::symlink_status(file, ignored))) return from_stats(stats);
    try {
        const Json summary = read_summary(directory);
        require_as_summarised(directory, summary);
        RunFigures run = from_summary(summary);
        run.gravity_zero = gravity_zero_of(directory / "scene.json");
        if (fs::exists(stats, ignored)) run.bounces = bounces(stats_table(stats), run.weight);
        return run;
    } catch (const Json::exception&) {
        throw InputError(Mistake{.file = file.string(),
            .message = "is no summary of a run: something is missing in it or has another type"});
    }
}

std::optional<double> ground_level(const fs::path& directory)
{
    try {
        const Json summary = read_summary(directory);
        return ground_in(summary.at("energy"));
    } catch (const InputError&) {
        return {};
    } catch (const Json::exception&) {
        return {};
    }
}

} // namespace rubato
