#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/summary.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace rubato::test {

namespace {

RunDescription description()
{
    RunDescription d;
    d.notes = {"forces[0] is short"};
    d.scene = "falling \"thing\"";
    d.program_version = "0.1.0";
    d.integrator = "newmark";
    d.integrator_options.set("beta", 0.25);
    d.integrator_options.set("name", std::string("trapezoidal"));
    d.integrator_options.set("axis", Vec3(0, 1, 0));
    d.integrator_options.set("A", std::vector<std::vector<double>>{{0, 0}, {0.5, 0.5}});
    d.integrator_options.set("fast", true);
    d.h = 0.1;
    d.end_time = 2;
    d.threads = 2;
    d.nodes = 4;
    d.tets = 1;
    return d;
}

/// Three steps with different amounts of work.
void take_steps(RunSummary& summary, int from, int to)
{
    Moment moment;
    for (int i = from; i <= to; ++i) {
        moment.kinetic = 10 - i;
        moment.ledger.target = 9 - 0.5 * i;
        moment.wall = 0.5 * (i - from + 1);
        moment.outcome.solve = {.reason = i == 2 ? StopReason::iteration_limit : StopReason::converged_step,
            .iterations = 2 * i,
            .local_iterations = 10 * i,
            .linear_iterations = i,
            .residual = 1e-5};
        summary.step(moment.record(i, 0.1 * i, i == 3 ? 0.05 : 0.1));
    }
}

nlohmann::json parsed(const RunSummary& summary, const RunResult& result)
{
    return nlohmann::json::parse(summary.text(result, {"stats.csv", "frames.pvd"}, 7));
}

} // namespace

TEST(RunSummary, TellsWhatTheRunWasAndWhatItDid)
{
    RunSummary summary(description());
    take_steps(summary, 0, 3);
    const auto json = parsed(summary, {.finished = true, .interrupted = false, .why = ""});

    EXPECT_EQ(json["scene"], "falling \"thing\"");
    EXPECT_EQ(json["program"], "rubato 0.1.0");
    EXPECT_EQ(json["status"], "finished");
    EXPECT_FALSE(json.contains("reason"));
    EXPECT_EQ(json["notes"], std::vector<std::string>{"forces[0] is short"});
    EXPECT_EQ(json["integrator"]["name"], "newmark");
    EXPECT_EQ(json["integrator"]["options"]["beta"], 0.25);
    EXPECT_EQ(json["integrator"]["options"]["name"], "trapezoidal");
    EXPECT_EQ(json["integrator"]["options"]["axis"], (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(json["integrator"]["options"]["A"][1], (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(json["integrator"]["options"]["fast"], true);
    EXPECT_EQ(json["h"]["asked"], 0.1);
    EXPECT_EQ(json["h"]["shortest"], 0.05);
    EXPECT_EQ(json["h"]["longest"], 0.1);
    EXPECT_EQ(json["threads"], 2);
    EXPECT_EQ(json["nodes"], 4);
    EXPECT_EQ(json["tets"], 1);
    EXPECT_EQ(json["steps"], 3);
    EXPECT_EQ(json["time"]["simulated"].get<double>(), 0.1 * 3);
    EXPECT_EQ(json["time"]["asked"], 2);
    EXPECT_EQ(json["time"]["wall"], 2);
    EXPECT_EQ(json["newton"]["iterations"], 2 + 4 + 6);
    EXPECT_EQ(json["newton"]["most_in_a_step"], 6);
    EXPECT_EQ(json["newton"]["mean_per_step"], 4);
    EXPECT_EQ(json["newton"]["local_iterations"], 10 + 20 + 30);
    EXPECT_EQ(json["newton"]["linear_iterations"], 1 + 2 + 3);
    EXPECT_EQ(json["newton"]["stopped_because"]["Newton step below tolerance"], 2);
    EXPECT_EQ(json["newton"]["stopped_because"]["iteration limit reached"], 1);
    EXPECT_EQ(json["newton"]["stopped_because"].size(), 2u);
    EXPECT_EQ(json["energy"]["start"]["kinetic"], 10);
    EXPECT_EQ(json["energy"]["end"]["kinetic"], 7);
    EXPECT_EQ(json["energy"]["end"]["gravity"], 2.5);
    EXPECT_EQ(json["energy"]["injected"], 0.5);
    EXPECT_EQ(json["energy"]["dissipated"], 0.25);
    EXPECT_EQ(json["energy"]["balance"], 10.25);
    EXPECT_EQ(json["momentum"]["linear"], (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(json["momentum"]["angular"], (std::vector<double>{4, 5, 6}));
    EXPECT_EQ(json["frames"], 7);
    EXPECT_EQ(json["files"], (std::vector<std::string>{"stats.csv", "frames.pvd"}));
}

TEST(RunSummary, FindsTheLargestDriftFromTheBalance)
{
    RunSummary summary(description());
    Moment moment; // balance 10.25
    moment.potential = {};
    for (const double kinetic : {10.0, 12.0, 9.0, 10.25}) {
        moment.kinetic = kinetic;
        summary.step(moment.record(kinetic == 10.0 ? 0 : 1, 0, 0.1));
    }
    EXPECT_EQ(summary.largest_drift(), 1.75);
}

TEST(RunSummary, TellsHowFarTheEnergyIsFromItsTarget)
{
    RunDescription steered = description();
    steered.aims_at_target = true;
    steered.ground = 2; // the ledger begins with 10
    RunSummary summary(steered);
    Moment moment;
    moment.potential = {};
    moment.kinetic = 10;
    moment.ledger.target = 9.5;
    summary.step(moment.record(0, 0, 0.1));
    const RunResult result{.finished = true, .interrupted = false, .why = ""};
    EXPECT_EQ(parsed(summary, result)["energy"]["target"]["mean_error"], 0.5) << "no time has passed";
    // |E - target| is 1 J for 3 s and 2 J for 1 s.
    moment.ledger.target = 9;
    moment.outcome.alpha = 0.5;
    summary.step(moment.record(1, 3, 3));
    moment.kinetic = 7;
    moment.outcome.alpha = 1.1;
    summary.step(moment.record(2, 4, 1));

    const auto energy = parsed(summary, result)["energy"];
    EXPECT_EQ(energy["start"]["total"], 10);
    EXPECT_EQ(energy["end"]["total"], 7);
    EXPECT_EQ(energy["ground"], 2);
    EXPECT_EQ(energy["target"]["start"], 9.5);
    EXPECT_EQ(energy["target"]["end"], 9);
    EXPECT_EQ(energy["target"]["mean_error"], 1.25);
    EXPECT_EQ(energy["target"]["last_error"], 2);
    EXPECT_EQ(energy["target"]["mean_error_relative"], 1.25 / 8);
    EXPECT_EQ(energy["target"]["last_error_relative"], 2.0 / 8);
    EXPECT_DOUBLE_EQ(energy["alpha"]["mean"].get<double>(), 0.8);
    EXPECT_EQ(energy["alpha"]["least"], 0.5);
    EXPECT_EQ(energy["alpha"]["most"], 1.1);
}

TEST(RunSummary, SaysNothingOfATargetOrAGroundThatThereIsNot)
{
    RunSummary summary(description());
    take_steps(summary, 0, 3);
    const RunResult result{.finished = true, .interrupted = false, .why = ""};
    const auto energy = parsed(summary, result)["energy"];
    for (const char* key : {"target", "ground", "alpha"}) EXPECT_FALSE(energy.contains(key)) << key;

    RunDescription steered = description();
    steered.aims_at_target = true; // and the ground is not known
    RunSummary free(steered);
    take_steps(free, 0, 3);
    EXPECT_TRUE(parsed(free, result)["energy"]["target"].contains("mean_error"));
    EXPECT_FALSE(parsed(free, result)["energy"]["target"].contains("mean_error_relative"));
    EXPECT_FALSE(free.energy_above_ground().has_value());
}

TEST(RunSummary, SaysHowARunEnded)
{
    RunSummary summary(description());
    take_steps(summary, 0, 1);
    EXPECT_EQ(parsed(summary, {.finished = false, .interrupted = true, .why = ""})["status"], "interrupted");
    const auto failed = parsed(summary, {.finished = false, .interrupted = false, .why = "step 2: no decrease"});
    EXPECT_EQ(failed["status"], "failed");
    EXPECT_EQ(failed["reason"], "step 2: no decrease");
}

TEST(RunSummary, StaysValidWhenEnergiesOverflow)
{
    RunSummary summary(description());
    Moment moment;
    moment.kinetic = std::numeric_limits<double>::infinity();
    summary.step(moment.record(1, 0.1, 0.1));
    const auto json = parsed(summary, {.finished = true, .interrupted = false, .why = ""});
    EXPECT_TRUE(json["energy"]["end"]["kinetic"].is_null());
    EXPECT_EQ(json["energy"]["steps_not_finite"], 1);
}

TEST(RunSummary, CountsGoOnOverAResume)
{
    RunDescription steered = description();
    steered.aims_at_target = true;
    steered.ground = -1;
    RunSummary whole(steered);
    take_steps(whole, 0, 3);
    RunSummary first(steered);
    take_steps(first, 0, 1);
    Archive saved;
    first.serialize(saved);
    RunSummary second(steered);
    Archive archive(saved.bytes());
    second.serialize(archive);
    EXPECT_TRUE(archive.at_end());
    take_steps(second, 2, 3); // its wall-clock begins again at zero

    const RunResult result{.finished = true, .interrupted = false, .why = ""};
    EXPECT_EQ(second.text(result, {}, 0), whole.text(result, {}, 0));
    EXPECT_EQ(second.wall(), 2);
}

TEST(RunSummary, IsWrittenWholeOrNotAtAll)
{
    Folder folder;
    RunSummary summary(description());
    take_steps(summary, 0, 1);
    const RunResult result{.finished = true, .interrupted = false, .why = ""};
    summary.write(folder.path(), result, {}, 0);
    EXPECT_EQ(contents(folder / "summary.json"), summary.text(result, {}, 0));
    put(folder / "file", "keep me");
    EXPECT_THROW(summary.write(folder / "file", result, {}, 0), WriteError);
}

} // namespace rubato::test
