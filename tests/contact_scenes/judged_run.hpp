#pragma once

#include "contact_scenes/checker.hpp"
#include "integrators/catalog.hpp"
#include "scene/build.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

/// Runs of scenes of which the checker judges every accepted step.
namespace rubato::test {

/// A material whose energy is infinite at inversion: of these no tetrahedron may turn inside out.
inline bool resists_inversion(const std::string& material)
{
    return material == "neo-hookean" || material == "symmetric-dirichlet" || material == "symmetric-gradient";
}

/// The scene as the checker wants it. All pairs must touch (no `touch: false`), and obstacles be closed and face
/// outward.
inline CheckedScene checked(const Scene& scene, const BuiltScene& built)
{
    CheckedScene out;
    const auto add_shell = [&](const std::vector<Triangle>& faces, bool kinematic) {
        out.shells.push_back({out.triangles.size(), faces.size(), faces.front()[0]});
        out.triangles.insert(out.triangles.end(), faces.begin(), faces.end());
        out.ignored.resize(out.triangles.size(), kinematic ? 1 : 0);
    };
    for (const PlacedBody& body : built.bodies) {
        const auto first = built.mesh.tets.begin() + body.first_tet;
        const std::vector<Tet> tets(first, first + body.tets);
        add_shell(boundary_triangles(tets), false);
        if (resists_inversion(scene.root.list("bodies")[body.block].part("material").type)) {
            out.tets.insert(out.tets.end(), tets.begin(), tets.end());
        }
    }
    for (const PlacedObstacle& obstacle : built.obstacles) {
        if (obstacle.half_space) {
            out.half_spaces.push_back({obstacle.half_space->point, obstacle.half_space->normal});
        } else if (!obstacle.faces.empty()) {
            add_shell(obstacle.faces, true);
        } else {
            const Index a = obstacle.first_node;
            out.rounds.push_back({a, obstacle.edges.empty() ? a : a + 1, obstacle.radius});
        }
    }
    EXPECT_EQ(out.triangles.size(), built.collision_faces.size());
    return out;
}

/// Explicit methods, and those whose end point is extrapolated from stages: what they computed may not be admissible.
inline bool may_stop(const IntegratorEntry& entry)
{
    return entry.is_explicit || entry.name == "implicit-midpoint" || entry.name == "generalised-alpha"
        || entry.name == "dirk" || entry.name == "energy-budget";
}

/// A scene that is built, and what the checker found on its way.
class JudgedRun final : public Observer {
public:
    explicit JudgedRun(
        const std::string& text, const std::vector<Override>& overrides = {}, const std::filesystem::path& folder = "")
        : scene_(scene_from_text(text, "test.json", folder, overrides))
        , built_(built(scene_))
        , checked_(checked(scene_, built_))
        , simulation_(built_.simulation())
    {
        simulation_.observe(*this);
    }
    JudgedRun(const JudgedRun&) = delete;

    void step(const StepRecord& record) override
    {
        const Verdict found = verdict(checked_, record.state.x);
        if (!found.clean() && fault_.empty()) fault_ = fmt::format("after step {}: {}", record.step, found.first);
        if (!std::isfinite(record.total())) fault_ = fmt::format("after step {}: no finite energy", record.step);
        closest_ = std::min(closest_, record.touching.min_distance);
        contacts_ = std::max(contacts_, record.touching.contacts);
        newton_ += record.outcome.solve.iterations;
        most_newton_ = std::max(most_newton_, record.outcome.solve.iterations);
        shortest_ = record.step > 0 ? std::min(shortest_, record.h) : shortest_;
        if (watch) watch(record);
    }

    RunResult run() { return simulation_.run(built_.duration); }
    /// To the end, without a fault and with something having touched.
    void run_cleanly()
    {
        const RunResult result = run();
        EXPECT_TRUE(result.finished) << result.why;
        EXPECT_EQ(fault_, "");
        EXPECT_LT(closest_, built_.contact->dhat) << "nothing came close to anything";
        EXPECT_GT(closest_, 0);
        if (std::getenv("RUBATO_TELL") != nullptr) fmt::print("{}\n", figures());
    }

    /// To the end, or as far as it goes without a fault: then it says where it stands, why, and what to try.
    RunResult run_as_far_as_possible(bool must_finish)
    {
        const RunResult result = run();
        EXPECT_EQ(fault_, "");
        EXPECT_TRUE(state().finite());
        if (std::getenv("RUBATO_TELL") != nullptr) fmt::print("{}\n{}\n", result.why, figures());
        EXPECT_TRUE(result.finished || !must_finish) << result.why;
        if (result.finished) return result;
        const std::string where = fmt::format("step {} from t = ", simulation_.steps() + 1);
        for (const std::string& part : {where, std::string("could not be taken: "), std::string("Try ")}) {
            EXPECT_NE(result.why.find(part), std::string::npos) << result.why;
        }
        return result;
    }

    std::string figures() const
    {
        return fmt::format(
            "{} nodes, {} steps, shortest {:.3g} s, Newton {:.1f} per step, at most {}; smallest distance "
            "{:.3g} m = {:.2g} dhat, at most {} contacts",
            built_.body_nodes, simulation_.steps(), shortest_,
            static_cast<double>(newton_) / static_cast<double>(std::max(1L, simulation_.steps())), most_newton_,
            closest_, closest_ / built_.contact->dhat, contacts_);
    }

    std::function<void(const StepRecord&)> watch; ///< sees every accepted step, and the start
    const BuiltScene& scene() const { return built_; }
    Simulation& simulation() { return simulation_; }
    const std::string& fault() const { return fault_; } ///< the first one, in words
    double closest() const { return closest_; } ///< [m]
    int most_newton() const { return most_newton_; }
    const State& state() const { return simulation_.state(); }

private:
    Scene scene_;
    BuiltScene built_;
    CheckedScene checked_;
    Simulation simulation_;
    std::string fault_;
    double closest_ = std::numeric_limits<double>::infinity(), shortest_ = closest_;
    long newton_ = 0, contacts_ = 0;
    int most_newton_ = 0;
};

/// A body of a scene. `more`: further keys, led by a comma.
inline std::string body_text(const std::string& name, const std::string& mesh, const Vec3& place, const Vec3& velocity,
    double young = 1e5, const std::string& more = "", const std::string& material = "neo-hookean")
{
    return fmt::format(R"({{"name": "{}", "mesh": {}, "translate": [{}, {}, {}], "density": 1000,
        "material": {{"type": "{}", "young": {}, "poisson": 0.4}},
        "velocity": [{{"type": "linear", "velocity": [{}, {}, {}]}}]{}}})",
        name, mesh, place[0], place[1], place[2], material, young, velocity[0], velocity[1], velocity[2], more);
}

/// Names of tests may have no dashes.
inline std::string test_name(const testing::TestParamInfo<const char*>& p)
{
    std::string name = p.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace rubato::test
