#include "scene/expect.hpp"

#include "geometry/inversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

Expectations::Expectations(const Scene& scene, const BuiltScene& built)
    : expect_(scene.root.part("expect"))
    , tets_(built.mesh.tets)
    , has_target_(built.target != nullptr)
    , ground_(built.ground)
{
    Bodies bodies;
    bodies.mesh = built.mesh;
    bodies.bodies = built.bodies;
    std::vector<Mistake> mistakes; // a scene that was built has none here
    for (const Block& place : expect_.list("places")) {
        places_.push_back({place.place.key, selected_nodes(place.part("nodes"), bodies, mistakes),
            place.options.vec3("min"), place.options.vec3("max")});
    }
}

void Expectations::step(const StepRecord& record)
{
    last_ = record.total();
    if (record.step == 0) first_ = peak_ = last_;
    peak_ = std::max(peak_, last_);
    target_error_.step(record);
    most_newton_ = std::max(most_newton_, record.outcome.solve.iterations);
    x_ = record.state.x;
}

std::vector<std::string> Expectations::unmet(const RunResult& result) const
{
    std::vector<std::string> unmet;
    const Options& o = expect_.options;
    if (o.flag("finishes") != result.finished) {
        unmet.push_back(result.finished ? "the run should have failed" : "the run should have finished: " + result.why);
    }
    const auto require_ratio = [&](const char* name, double energy) {
        if (!o.has(name)) return;
        const double ratio = energy / first_, least = o.reals(name)[0], most = o.reals(name)[1];
        if (!(ratio >= least && ratio <= most)) {
            unmet.push_back(fmt::format("{} is {:.6g}, should be in [{:g}, {:g}]", name, ratio, least, most));
        }
    };
    require_ratio("energy_ratio", last_);
    require_ratio("peak_energy_ratio", peak_);
    if (o.has("newton_per_step") && most_newton_ > o.integer("newton_per_step")) {
        unmet.push_back(fmt::format(
            "a step took {} Newton iterations, at most {} expected", most_newton_, o.integer("newton_per_step")));
    }
    if (o.has("inverted_tets")) {
        const Index inverted = inverted_tets(tets_, x_);
        if (inverted > o.integer("inverted_tets")) {
            unmet.push_back(fmt::format(
                "{} tetrahedra are inverted at the end, at most {} expected", inverted, o.integer("inverted_tets")));
        }
    }
    const auto require_target_error = [&](const char* name, double error) {
        if (!o.has(name)) return;
        if (!has_target_ || !ground_) {
            unmet.push_back(fmt::format("{} is not known: the integrator does not aim at an energy", name));
            return;
        }
        const double relative = error / std::abs(first_ - *ground_);
        if (!(relative <= o.real(name))) {
            unmet.push_back(fmt::format("{} is {:.6g}, should be at most {:g}", name, relative, o.real(name)));
        }
    };
    require_target_error("target_error", target_error_.mean());
    require_target_error("target_error_last", target_error_.last());
    for (const PlaceOfNodes& place : places_) {
        Vec3 mean = Vec3::Zero();
        for (const Index i : place.nodes) mean += node(x_, i);
        mean /= static_cast<double>(place.nodes.size());
        if (!(mean.array() >= place.low.array()).all() || !(mean.array() <= place.high.array()).all()) {
            unmet.push_back(fmt::format("{}: the nodes are at [{:g}, {:g}, {:g}], should be between [{:g}, {:g}, {:g}] "
                                        "and [{:g}, {:g}, {:g}]",
                place.key, mean.x(), mean.y(), mean.z(), place.low.x(), place.low.y(), place.low.z(), place.high.x(),
                place.high.y(), place.high.z()));
        }
    }
    return unmet;
}

} // namespace rubato
