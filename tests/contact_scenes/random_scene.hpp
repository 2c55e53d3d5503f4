#pragma once

#include "base/random.hpp"
#include "contact_scenes/judged_run.hpp"

#include <fmt/ranges.h>

#include <fstream>
#include <numbers>

/// Scenes of random things that fly at each other, the same for a seed everywhere.
namespace rubato::test {

class RandomScene {
public:
    explicit RandomScene(std::uint64_t seed)
        : random_(1000 + seed)
    {
        for (int i = 0; i < 8; ++i)
            cells_.push_back({0.5 * (i & 1) - 0.25, 0.3 + 0.25 * (i & 2), 0.125 * (i & 4) - 0.25});
        for (std::size_t i = cells_.size(); i > 1; --i) std::swap(cells_[i - 1], cells_[below(static_cast<int>(i))]);
        for (const IntegratorEntry& entry : integrator_catalog()) {
            if (!entry.is_explicit) implicit_.emplace_back(entry.name);
        }
        make();
    }
    const std::string& text() const { return text_; }
    const std::string& integrator() const { return integrator_; }
    bool halves() const { return halves_; } ///< whether steps may be shortened

    /// A surface that scenes read: a pyramid with a sharp tip.
    static void write_files(const std::filesystem::path& folder)
    {
        std::ofstream(folder / "pyramid.obj") << "v 1 -1 1\nv 1 -1 -1\nv -1 -1 -1\nv -1 -1 1\nv 0.1 2 0\n"
                                                 "f 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    }

private:
    std::size_t below(int n) { return static_cast<std::size_t>(random_.uniform() * n); }
    double between(double low, double high) { return random_.uniform(low, high); }
    double spread(double low, double high) { return low * std::pow(high / low, random_.uniform()); } // by magnitude
    bool chance(double p) { return random_.uniform() < p; }
    std::string pick(std::initializer_list<const char*> all)
    {
        return all.begin()[below(static_cast<int>(all.size()))];
    }
    Vec3 direction()
    {
        const double z = between(-1, 1), angle = between(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
        return {r * std::cos(angle), r * std::sin(angle), z};
    }
    static std::string text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }
    Vec3 next_cell() // the middle of a room of 0.5 m that nothing else is in
    {
        const Vec3 cell = cells_.back();
        cells_.pop_back();
        return cell;
    }
    std::string rotation() { return fmt::format(R"({{"axis": {}, "angle": {}}})", text(direction()), between(0, 180)); }

    std::string mesh()
    {
        const std::string type = pick({"box", "box", "ball", "ball", "torus", "rounded-cube", "cylinder", "blobs"});
        if (type == "box") {
            return fmt::format(R"({{"type": "box", "size": {}, "cells": [{}, {}, {}]}})",
                text({between(0.04, 0.25), between(0.04, 0.25), between(0.04, 0.25)}), 1 + below(4), 1 + below(4),
                1 + below(4));
        }
        const std::string nodes = fmt::format("\"nodes\": {}", 40 + below(100));
        if (type == "ball") return fmt::format(R"({{"type": "ball", "radius": {}, {}}})", between(0.07, 0.2), nodes);
        if (type == "blobs") return R"({"type": "blobs", "name": "gummy-bear", "nodes": 150})";
        return fmt::format(R"({{"type": "{}", {}}})", type, nodes);
    }

    std::string body(int number)
    {
        const std::string shape = mesh();
        const bool unsized = shape.find("radius") == std::string::npos && shape.find("cells") == std::string::npos;
        const Vec3 place = next_cell();
        const Vec3 aim = (Vec3(0, 0.4, 0) - place + 0.2 * direction()).normalized();
        const std::string material = pick({"neo-hookean", "neo-hookean", "neo-hookean", "neo-hookean",
            "stable-neo-hookean", "fixed-corotated", "symmetric-dirichlet"});
        return fmt::format(R"({{"name": "b{}", "mesh": {}, "center": true{}, "rotate": {}, "translate": {},
            "density": {}, "material": {{"type": "{}", "young": {}, "poisson": {}}},
            "velocity": [{{"type": "linear", "velocity": {}}}, {{"type": "angular", "axis": {}, "rate": {}}}]}})",
            number, shape, unsized ? fmt::format(", \"size\": {}", between(0.15, 0.3)) : "", rotation(), text(place),
            spread(300, 3000), material, spread(2e4, 1e7), between(0, 0.48), text(spread(2, 20) * aim),
            text(direction()), between(0, 40));
    }

    std::string motion(const Vec3& center)
    {
        Vec3 way = direction();
        way[1] = std::abs(way[1]); // not into the ground: nothing could escape
        switch (below(6)) {
        case 0:
            return fmt::format(R"(, "motion": {{"type": "translation", "velocity": {}}})", text(between(0, 5) * way));
        case 1:
            return fmt::format(R"(, "motion": {{"type": "rotation", "axis": {}, "center": {}, "rate": {}}})",
                text(direction()), text(center), between(0, 15));
        case 2:
            return fmt::format(R"(, "motion": {{"type": "oscillation", "amplitude": {}, "frequency": {}}})",
                text(between(0, 0.3) * way), spread(0.5, 10));
        default: return "";
        }
    }

    std::string obstacle()
    {
        const Vec3 c = next_cell();
        const std::string type = pick({"sphere", "capsule", "box", "cylinder", "mesh"});
        std::string shape;
        if (type == "sphere") {
            shape = fmt::format(R"("center": {}, "radius": {})", text(c), between(0.02, 0.22));
        } else if (type == "capsule") {
            const Vec3 half = between(0.02, 0.15) * direction();
            shape = fmt::format(
                R"("from": {}, "to": {}, "radius": {})", text(c - half), text(c + half), between(0.005, 0.07));
        } else if (type == "box") {
            shape = fmt::format(R"("center": {}, "size": {}, "rotate": {})", text(c),
                text({spread(0.002, 0.25), between(0.05, 0.25), between(0.05, 0.25)}), rotation());
        } else if (type == "cylinder") {
            shape = fmt::format(R"("center": {}, "axis": {}, "radius": {}, "height": {}, "segments": {})", text(c),
                text(direction()), between(0.02, 0.15), between(0.01, 0.25), 3 + below(12));
        } else {
            shape = fmt::format(R"("path": "pyramid.obj", "center": true, "size": {}, "rotate": {}, "translate": {})",
                between(0.05, 0.28), rotation(), text(c));
        }
        return fmt::format(R"({{"type": "{}", {}{}}})", type, shape, motion(c));
    }

    void make()
    {
        std::vector<std::string> bodies, obstacles;
        for (int i = 0, n = 1 + static_cast<int>(below(4)); i < n; ++i) bodies.push_back(body(i));
        if (chance(0.8)) obstacles.push_back(R"("half-space")");
        if (chance(0.2)) obstacles.push_back(R"({"type": "half-space", "point": [-1, 0, 0], "normal": [1, 0.4, 0.1]})");
        for (int i = 0, n = static_cast<int>(below(4)); i < n; ++i) obstacles.push_back(obstacle());
        integrator_ = implicit_[below(static_cast<int>(implicit_.size()))];
        halves_ = chance(0.7);
        const double h = spread(1.0 / 240, 1.0 / 30);
        const std::string friction = chance(0.5)
            ? fmt::format(R"("friction": {}, "friction_iterations": {})", between(0, 1), 1 + below(3))
            : "";
        text_ = fmt::format(R"({{"time": {{"step": {}, "duration": {}, "controller": "{}"}}, "integrator": "{}",
            "bodies": [{}], "obstacles": [{}], "contact": {{{}}}}})",
            h, 8 * h, halves_ ? "halving" : "fixed", integrator_, fmt::join(bodies, ",\n"), fmt::join(obstacles, ",\n"),
            friction);
    }

    Random random_;
    std::vector<Vec3> cells_;
    std::vector<std::string> implicit_;
    std::string text_, integrator_;
    bool halves_ = false;
};

/// What became of some scenes.
struct RandomRuns {
    int touched = 0, stopped = 0;

    /// Runs the scenes of the seeds from `first` on.
    void run(std::uint64_t first, std::uint64_t count)
    {
        const std::filesystem::path folder
            = std::filesystem::path(testing::TempDir()) / fmt::format("rubato-random-{}", first);
        std::filesystem::create_directories(folder);
        RandomScene::write_files(folder);
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const RandomScene scene(seed);
            SCOPED_TRACE(fmt::format("seed {}, {}", seed, scene.integrator()));
            JudgedRun run(scene.text(), {}, folder);
            const bool must_finish = scene.halves() && !may_stop(integrator_named(scene.integrator()));
            if (!run.run_as_far_as_possible(must_finish).finished) ++stopped;
            if (run.closest() < run.scene().contact->dhat) ++touched;
        }
        std::filesystem::remove_all(folder);
    }
};

} // namespace rubato::test
