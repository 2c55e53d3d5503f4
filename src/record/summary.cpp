#include "record/summary.hpp"

#include "geometry/files/atomic_file.hpp"
#include "record/run_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

using Json = nlohmann::ordered_json;

/// Numbers that are not finite have no place in JSON: they become null.
Json json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json(const Vec3& v) { return Json::array({json(v.x()), json(v.y()), json(v.z())}); }

Json json(const Options& options)
{
    Json all = Json::object();
    for (const auto& [name, value] : options.all()) {
        all[name] = std::visit(
            [](const auto& v) -> Json {
                using T = std::decay_t<decltype(v)>;
                if constexpr (std::is_same_v<T, std::monostate>) {
                    return nullptr;
                } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Vec3>) {
                    return json(v);
                } else {
                    return v;
                }
            },
            value);
    }
    return all;
}

} // namespace

RunSummary::RunSummary(RunDescription description)
    : description_(std::move(description))
    , target_watch_(description_.integrator_options, description_.end_time)
{
}

void RunSummary::step(const StepRecord& record)
{
    end_ = {.kinetic = record.kinetic, .potential = record.potential};
    ledger_ = record.ledger;
    linear_momentum_ = record.linear_momentum;
    angular_momentum_ = record.angular_momentum;
    time_ = record.state.t;
    wall_now_ = record.wall;
    phases_now_ = record.phases;
    target_error_.step(record);
    if (record.step == 0) {
        start_ = end_;
        first_target_ = highest_target_ = record.ledger.target;
        return;
    }
    highest_target_ = std::max(highest_target_, record.ledger.target);
    if (description_.aims_at_target)
        target_watch_.step(record, energy_above_ground().value_or(start_energy()), description_.ground);

    const SolveReport& solve = record.outcome.solve;
    steps_ = record.step;
    alphas_.add(record.outcome.alpha);
    touches_.add(record.touching);
    newton_ += solve.iterations;
    newton_most_ = std::max(newton_most_, long{solve.iterations});
    local_ += solve.local_iterations;
    linear_ += solve.linear_iterations;
    ++stopped_[static_cast<std::size_t>(solve.reason)];
    shortest_ = shortest_ == 0 ? record.h : std::min(shortest_, record.h);
    longest_ = std::max(longest_, record.h);
    const double drift = std::abs(record.total() - record.ledger.balance());
    if (std::isfinite(drift)) {
        largest_drift_ = std::max(largest_drift_, drift);
    } else {
        ++not_finite_;
    }
}

double RunSummary::start_energy() const
{
    const EnergyParts& p = start_.potential;
    double largest = std::abs(start_.total());
    for (const double part : {start_.kinetic, p.elastic, p.gravity, p.contact, p.other}) {
        largest = std::max(largest, std::abs(part));
    }
    return largest;
}

std::optional<double> RunSummary::energy_above_ground() const
{
    if (!description_.ground) return std::nullopt;
    const double ground = *description_.ground;
    const double above = std::max(std::abs(ledger_.initial - ground), highest_target_ - ground);
    return above > 0 && std::isfinite(above) ? std::optional(above) : std::nullopt;
}

std::string RunSummary::text(const RunResult& result, const std::vector<std::string>& files, long frames,
    const std::vector<FileMark>& marks) const
{
    const auto energies = [](const Energies& e) {
        return Json{
            {"kinetic", json(e.kinetic)},
            {"elastic", json(e.potential.elastic)},
            {"gravity", json(e.potential.gravity)},
            {"contact", json(e.potential.contact)},
            {"other", json(e.potential.other)},
            {"total", json(e.total())},
        };
    };
    Json stopped = Json::object();
    for (std::size_t i = 0; i < reasons; ++i) {
        if (stopped_[i] > 0) stopped[std::string(rubato::text(static_cast<StopReason>(i)))] = stopped_[i];
    }

    Json all;
    all["scene"] = description_.scene;
    all["program"] = "rubato " + description_.program_version;
    all["status"] = result.finished ? "finished" : result.interrupted ? "interrupted" : "failed";
    if (!result.why.empty()) all["reason"] = result.why;
    if (!description_.notes.empty()) all["notes"] = description_.notes;
    all["integrator"] = {{"name", description_.integrator}, {"options", json(description_.integrator_options)}};
    all["h"] = {{"asked", json(description_.h)}, {"shortest", json(shortest_)}, {"longest", json(longest_)}};
    all["threads"] = description_.threads;
    all["nodes"] = description_.nodes;
    all["tets"] = description_.tets;
    all["weight"] = json(description_.weight);
    all["steps"] = steps_;
    all["time"] = {{"simulated", json(time_)}, {"asked", json(description_.end_time)}, {"wall", json(wall())}};
    all["newton"] = {
        {"iterations", newton_},
        {"most_in_a_step", newton_most_},
        {"mean_per_step", steps_ > 0 ? static_cast<double>(newton_) / static_cast<double>(steps_) : 0.0},
        {"local_iterations", local_},
        {"linear_iterations", linear_},
        {"stopped_because", stopped},
    };
    const PhaseTimes times = phases();
    all["phases"] = {
        {"elasticity", json(times.elasticity)},
        {"contact", json(times.contact)},
        {"ccd", json(times.ccd)},
        {"linear_solve", json(times.linear)},
        {"output", json(times.output)},
        {"other", json(std::max(0.0, wall() - times.sum()))},
    };
    if (description_.has_contact) {
        const double steps = std::max(1.0, static_cast<double>(steps_));
        all["contact"] = {
            {"steps_with_contact", touches_.steps},
            {"most_contacts", touches_.most},
            {"mean_contacts", json(touches_.contacts / steps)},
            {"mean_candidates", json(touches_.candidates / steps)},
            {"least_distance", json(touches_.least_distance)},
        };
    }
    all["energy"] = {
        {"start", energies(start_)},
        {"end", energies(end_)},
        {"injected", json(ledger_.injected)},
        {"dissipated", json(ledger_.dissipated)},
        {"balance", json(ledger_.balance())},
        {"largest_drift", json(largest_drift_)},
        {"steps_not_finite", not_finite_},
    };
    Json& energy = all["energy"];
    if (description_.ground) {
        energy["ground"] = json(*description_.ground);
        energy["ground_kind"] = description_.ground_kind;
    }
    if (description_.aims_at_target) {
        energy["target"] = {
            {"start", json(first_target_)},
            {"end", json(ledger_.target)},
            {"mean_error", json(target_error_.mean())},
            {"last_error", json(target_error_.last())},
            {"last_above", json(target_error_.above())},
        };
        if (const auto scale = energy_above_ground()) {
            energy["target"]["mean_error_relative"] = json(target_error_.mean() / *scale);
            energy["target"]["last_error_relative"] = json(target_error_.last() / *scale);
        }
        if (target_watch_.sank()) {
            energy["target"]["below_ground"]
                = {{"since", json(target_watch_.sank_at())}, {"most", json(target_watch_.depth())}};
        }
        if (target_watch_.left()) {
            energy["target"]["away"] = {
                {"time", json(target_watch_.away())},
                {"since", json(target_watch_.since())},
                {"worst_relative", json(target_watch_.worst())},
                {"reason", target_watch_.reason()},
            };
        }
    }
    if (alphas_.count > 0) {
        const double mean = alphas_.sum / static_cast<double>(alphas_.count);
        energy["alpha"] = {{"mean", json(mean)}, {"least", json(alphas_.least)}, {"most", json(alphas_.most)}};
    }
    all["momentum"] = {{"linear", json(linear_momentum_)}, {"angular", json(angular_momentum_)}};
    all["frames"] = frames;
    all["files"] = files;
    for (const FileMark& mark : marks) all["checksums"][mark.name] = fingerprint_text(mark.fingerprint);
    // A name that is not UTF-8 must not cost the summary.
    return sealed(all.dump(2, ' ', false, Json::error_handler_t::replace));
}

void RunSummary::write(const std::filesystem::path& run_directory, const RunResult& result,
    const std::vector<std::string>& files, long frames, const std::vector<FileMark>& marks) const
{
    write_atomically(run_directory / "summary.json", text(result, files, frames, marks), false);
}

void RunSummary::Energies::serialize(Archive& archive)
{
    archive("kinetic", kinetic);
    archive("elastic", potential.elastic);
    archive("gravity", potential.gravity);
    archive("contact", potential.contact);
    archive("other", potential.other);
}

PhaseTimes RunSummary::phases() const
{
    PhaseTimes all = phases_before_;
    all.add(phases_now_);
    return all;
}

void RunSummary::Touches::add(const Touching& touching)
{
    if (touching.contacts > 0) ++steps;
    most = std::max(most, touching.contacts);
    contacts += static_cast<double>(touching.contacts);
    candidates += static_cast<double>(touching.candidates);
    least_distance = std::min(least_distance, touching.min_distance);
}

void RunSummary::Touches::serialize(Archive& archive)
{
    archive("contact_steps", steps);
    archive("contacts_most", most);
    archive("contacts", contacts);
    archive("candidates", candidates);
    archive("least_distance", least_distance);
}

void RunSummary::Alphas::add(double alpha)
{
    if (!std::isfinite(alpha)) return; // methods without a correction say NaN
    ++count;
    sum += alpha;
    least = std::min(least, alpha);
    most = std::max(most, alpha);
}

void RunSummary::Alphas::serialize(Archive& archive)
{
    archive("alphas", count);
    archive("alpha_sum", sum);
    archive("alpha_least", least);
    archive("alpha_most", most);
}

void RunSummary::serialize(Archive& archive)
{
    archive("steps", steps_);
    archive("newton", newton_);
    archive("newton_most", newton_most_);
    archive("local", local_);
    archive("linear", linear_);
    archive("not_finite", not_finite_);
    for (long& count : stopped_) archive("stopped", count);
    start_.serialize(archive);
    end_.serialize(archive);
    ledger_.serialize(archive);
    archive("first_target", first_target_);
    archive("highest_target", highest_target_);
    target_error_.serialize(archive);
    target_watch_.serialize(archive);
    alphas_.serialize(archive);
    archive("time", time_);
    archive("largest_drift", largest_drift_);
    archive("shortest", shortest_);
    archive("longest", longest_);
    for (Vec3* momentum : {&linear_momentum_, &angular_momentum_}) {
        for (double& component : *momentum) archive("momentum", component);
    }
    touches_.serialize(archive);
    double wall_so_far = wall();
    archive("wall", wall_so_far);
    PhaseTimes phases_so_far = phases();
    for (double* phase : {&phases_so_far.elasticity, &phases_so_far.contact, &phases_so_far.ccd, &phases_so_far.linear,
             &phases_so_far.output}) {
        archive("phase", *phase);
    }
    if (archive.loading()) {
        wall_before_ = wall_so_far;
        wall_now_ = 0;
        phases_before_ = phases_so_far;
        phases_now_ = {};
    }
}

} // namespace rubato
