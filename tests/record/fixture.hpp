#pragma once

#include "dynamics/observer.hpp"
#include "geometry/tet_mesh.hpp"
#include "simulation/simulation.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

namespace rubato::test {

/// A folder that is gone when the test ends.
class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "rubato-record-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    EXPECT_TRUE(stream.is_open()) << file;
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

inline std::vector<std::string> split(const std::string& text, char mark)
{
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == mark) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// Rows of a CSV file without its header; the empty text after the last line end is dropped.
inline std::vector<std::vector<std::string>> rows(const std::filesystem::path& file)
{
    std::vector<std::vector<std::string>> all;
    for (const std::string& line : split(contents(file), '\n')) all.push_back(split(line, ','));
    all.erase(all.begin());
    all.pop_back();
    return all;
}

inline TetMesh one_tet()
{
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    return mesh;
}

/// A made-up moment of a run, with numbers that differ from column to column.
struct Moment {
    State state;
    EnergyLedger ledger{.initial = 10, .injected = 0.5, .dissipated = 0.25};
    StepOutcome outcome;
    EnergyParts potential{.elastic = 1.0 / 3, .gravity = 2.5, .contact = 0, .other = 0.1};
    double kinetic = 4;
    double wall = 0;

    Moment()
    {
        state.x = Vector::LinSpaced(12, 0, 1);
        state.v = Vector::LinSpaced(12, -1, 1);
        outcome.solve = {.reason = StopReason::converged_step,
            .iterations = 4,
            .local_iterations = 3,
            .linear_iterations = 17,
            .residual = 1e-5};
    }
    StepRecord record(long step, double t, double h)
    {
        state.t = t;
        return {
            .step = step,
            .h = step == 0 ? 0 : h,
            .state = state,
            .potential = potential,
            .kinetic = kinetic,
            .linear_momentum = Vec3(1, 2, 3),
            .angular_momentum = Vec3(4, 5, 6),
            .ledger = ledger,
            .outcome = outcome,
            .wall = wall,
        };
    }
};

/// Four unit masses, each on a spring of its own to the origin. All unknowns are free.
class Oscillators : public Dynamics {
public:
    Eigen::Index unknowns() const override { return 12; }
    void begin_step(const State&, double) override { }
    SolveReport solve(const Stage& stage, const Vector&, Vector& y) override
    {
        y = stage.x_tilde / (1 + stage.scale);
        return {StopReason::converged_step, 1, 0, 0};
    }
    void conservative_acceleration(double, const Vector& x, Vector& a) override { a = -x; }
    void acceleration(double, const Vector& x, const Vector&, Vector& a) override { a = -x; }
    void dissipative_acceleration(double, const Vector& v, Vector& a) override { a.setZero(v.size()); }
    Dissipated dissipated(const Vector&, const Vector&) override { return {}; }
    void dissipative_force(const Vector& u, Vector& f) override { f.setZero(u.size()); }
    Dissipated dissipated_by(const Vector&, const Vector&) const override { return {}; }
    EnergyParts potential_energy(double, const Vector& x) override { return {.elastic = 0.5 * x.squaredNorm()}; }
    double kinetic_energy(const Vector& v) const override { return 0.5 * v.squaredNorm(); }
    double mass_inner(const Vector& a, const Vector& b) const override { return a.dot(b); }
    bool admissible(double, const Vector&, const Vector&) override { return true; }
    void prescribe(State&) const override { }
    double injected(const State&, const State&) override { return 0; }
    using Dynamics::finite;
    bool finite(const Vector& a) const override { return a.allFinite(); }
    const FreeFall& free_fall() override { return fall_; }
    void along_gravity(const Vector&, std::vector<double>& sums) override { sums.clear(); }
    void add_gravity(const std::vector<double>&, Vector&) override { }
    void momenta(const State& state, Vec3& linear, Vec3& angular) const override
    {
        linear.setZero();
        angular.setZero();
        for (Index i = 0; i < 4; ++i) {
            linear += node(state.v, i);
            angular += Vec3(node(state.x, i)).cross(Vec3(node(state.v, i)));
        }
    }

private:
    FreeFall fall_; // nothing does
};

/// Implicit Euler with a history of one number, so that a checkpoint without the integrator is noticed.
class Stepper : public Integrator {
public:
    long fail_at = -1; ///< number of accepted steps after which every attempt fails

    StepOutcome step(const StepRequest& r, State& next) override
    {
        StepOutcome outcome;
        if (accepted_ == fail_at) {
            outcome.status = StepStatus::solve_failed;
            outcome.solve.reason = StopReason::iteration_limit;
            return outcome;
        }
        stage_.x_tilde = r.now.x + r.h * r.now.v;
        stage_.x_anchor = r.now.x;
        stage_.tau = r.h;
        stage_.scale = r.h * r.h * (1 + 1e-3 * static_cast<double>(accepted_ % 3));
        stage_.t = r.now.t + r.h;
        outcome.solve = r.dynamics.solve(stage_, r.now.x, next.x);
        next.t = r.now.t + r.h;
        next.v = (next.x - r.now.x) / r.h;
        return outcome;
    }
    void accept(const State&, const State&) override { ++accepted_; }
    void serialize(Archive& archive) override { archive("accepted", accepted_); }

private:
    Stage stage_;
    long accepted_ = 0;
};

/// Steps of one length; gives up at the first failure.
class Metronome : public StepController {
public:
    explicit Metronome(double h)
        : h_(h)
    {
    }
    double first_h() const override { return h_; }
    Decision judge(const Attempted& attempted) override
    {
        const bool ok = attempted.proposed != nullptr;
        return {ok, ok ? h_ : 0};
    }

private:
    double h_;
};

} // namespace rubato::test
