#include "analyze.hpp"
#include "base/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato::cli {

namespace {

class LabSubject final : public ConvergenceSubject {
public:
    LabSubject(const ConvergenceProblem& problem, const SceneArguments& arguments)
        : problem_(problem)
        , duration_(
              arguments.duration.empty() ? problem.duration : positive_number(arguments.duration, "--duration", "s"))
        , first_step_(arguments.dt.empty() ? problem.h : positive_number(arguments.dt, "--dt", "s"))
    {
        if (!arguments.settings.empty()) {
            throw InputError(Mistake{
                .file = "--set", .value = arguments.settings[0], .message = "a problem of the lab has nothing to set"});
        }
    }
    std::string title() const override { return "lab:" + problem_.name; }
    double duration() const override { return duration_; }
    double first_step() const override { return first_step_; }
    const char* usual_methods() const override { return "all"; }
    const char* usual_reference() const override { return problem_.exact ? "" : "rk4"; }
    int reference_fineness() const override { return 16; }
    bool damped() const override { return false; } // its dampers depend on velocity alone: nothing lags
    Vector exact() const override { return problem_.exact(duration_).x; }
    Vector end_with(const ChosenMethod& method, double h) override
    {
        LabProblem lab = problem_.make();
        const auto integrator = method.entry->make(method.options);
        return end_of_run(*lab.dynamics, lab.start, *integrator, h, duration_).x;
    }

private:
    const ConvergenceProblem& problem_;
    double duration_, first_step_;
};

class SceneSubject final : public ConvergenceSubject {
public:
    explicit SceneSubject(const SceneArguments& arguments)
        : arguments_(arguments)
    {
        const BuiltScene built = rubato::built(scene({}));
        name_ = built.name;
        duration_ = built.duration;
        first_step_ = built.step;
        damped_ = !built.dynamics->system().dissipations.empty();
    }
    std::string title() const override { return name_; }
    double duration() const override { return duration_; }
    double first_step() const override { return first_step_; }
    const char* usual_methods() const override { return "implicit-euler,implicit-midpoint,bdf2"; }
    const char* usual_reference() const override { return "tr-bdf2"; }
    int reference_fineness() const override { return 4; }
    bool damped() const override { return damped_; }
    Vector exact() const override { return {}; }
    Vector end_with(const ChosenMethod& method, double h) override
    {
        BuiltScene built = rubato::built(scene({
            {"integrator", method.json(), "--integrators"},
            {"time.step", fmt::format("{:.17g}", h), "--dt"},
            {"time.controller", "\"fixed\"", "--dt"},
        }));
        Simulation simulation = built.simulation();
        const RunResult result = simulation.run(built.duration);
        if (!result.finished) throw std::runtime_error(result.why);
        return simulation.state().x;
    }

private:
    /// Solved so exactly that only the integrator is measured, unless the user says otherwise.
    Scene scene(const std::vector<Override>& changes) const
    {
        std::vector<Override> all;
        if (has_tolerance_) all.push_back({"solver.tolerance", "1e-9", "--set"});
        for (const auto* more : {&asked_, &changes}) all.insert(all.end(), more->begin(), more->end());
        return scene_named(arguments_.scene, all);
    }

    SceneArguments arguments_;
    std::vector<Override> asked_ = arguments_.overrides();
    bool has_tolerance_ = scene_named(arguments_.scene, asked_).root.part("solver").options.has("tolerance");
    std::string name_;
    double duration_ = 0, first_step_ = 0;
    bool damped_ = false;
};

} // namespace

std::unique_ptr<ConvergenceSubject> convergence_subject(const SceneArguments& arguments)
{
    const std::string prefix = "lab:";
    if (!arguments.scene.starts_with(prefix)) return std::make_unique<SceneSubject>(arguments);
    const std::string name = arguments.scene.substr(prefix.size());
    std::string known;
    for (const ConvergenceProblem& problem : convergence_problems()) {
        if (problem.name == name) return std::make_unique<LabSubject>(problem, arguments);
        known += (known.empty() ? "lab:" : ", lab:") + problem.name;
    }
    throw InputError(Mistake{.value = arguments.scene, .message = "there is no such problem; there are " + known});
}

} // namespace rubato::cli
