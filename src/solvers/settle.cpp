#include "solvers/cpu_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr double first_step = 0.01; // of the descent [s]
constexpr double shortest_step = 1e-4; // [s]; what cannot be solved with it is given up
constexpr double rough_flight = 4; // longest step while accelerations change, in steps that end on something
constexpr double steady = 0.9; // of the acceleration before: it goes on as it did
constexpr double creeping = 0.01; // of it: what moves with less rests but for a surface that is level to half a degree
constexpr int quiet_steps = 3; // in a row
constexpr double friction_creep = 0.5; // of what counts as creeping: what friction holds must rest

/// Dissipations that cannot hold anything, put aside: drag would only make the way down longer.
class PutAside {
public:
    PutAside(std::vector<std::unique_ptr<Dissipation>>& all, std::size_t kept)
        : all_(all)
    {
        while (all_.size() > kept) {
            aside_.push_back(std::move(all_.back()));
            all_.pop_back();
        }
    }
    ~PutAside()
    {
        for (; !aside_.empty(); aside_.pop_back()) all_.push_back(std::move(aside_.back()));
    }
    PutAside(const PutAside&) = delete;
    PutAside& operator=(const PutAside&) = delete;

private:
    std::vector<std::unique_ptr<Dissipation>>& all_;
    std::vector<std::unique_ptr<Dissipation>> aside_;
};

} // namespace

/// Steps of implicit Euler that forget their velocity,
///
///     x_{k+1} = argmin  1/2 ||x - x_k||^2_M + h^2 P(x) + h^2 tau D_k((x - x_k)/tau),      tau <= h,
///
/// are a descent along P with drag, and with friction D lagged from x_k. Unlike those of `rest` they never become so
/// long that a body slides off what it lies on: in a step of h_longest = sqrt(L/a) a fall covers the size L of a body,
/// and what is as soft as to sag by L comes half the way to its equilibrium. The largest (x_{k+1} - x_k)/h^2 is the
/// acceleration that is left.
///
/// Smoothed friction holds a body while it creeps at up to eps, the speed below which friction is smoothed. With
/// tau = h this would leave accelerations of up to eps/h, which do not end. The term with tau < h is the same friction
/// smoothed below eps tau/h, since D grows like |u| beyond eps; tau is such that this speed is less than what counts as
/// motion.
///
/// Steps may be longer while everything moves with the acceleration that it had. How far two bodies move in a step has
/// then the ratio of their accelerations, however long the step is. A step in which anything changes is taken back.
Settling CpuDynamics::settle(const State& start, const SettleOptions& options)
{
    Settling out;
    const PutAside damping(system_.dissipations, options.frictions);
    const double a = options.acceleration, longest = std::sqrt(options.size / a);
    const double slowest = friction_creep * creeping * a * longest; // [m/s]
    const double friction_time = options.friction_speed > slowest ? slowest / options.friction_speed : 1; // tau/h
    State now{start.t, start.x, Vector::Zero(start.x.size())};
    out.x = start.x;
    out.acceleration = Vector::Zero(start.x.size());
    Vector y = start.x, acceleration;
    double h = std::min(first_step, longest);
    double before = a; // the acceleration that the last step left [m/s^2]
    int quiet = 0;
    for (int step = 0; step < options.most_steps; ++step) {
        // Not begin_step: of forces in time the value at the start counts, not a mean over the descent.
        for (const auto& dissipation : system_.dissipations) dissipation->freeze(now);
        searcher().begin_step({.now = now, .h = search_time});
        objective_.set_stage({.x_tilde = now.x,
            .x_anchor = now.x,
            .tau = friction_time * h,
            .scale = h * h,
            .t = start.t,
            .dissipative = true});
        const SolveReport report = searcher().minimise(objective_, now.x, y);
        out.iterations += report.iterations;
        if (!report.ok()) {
            out.reason = report.reason;
            h *= 0.25;
            quiet = 0;
            if (h < shortest_step) return out;
            continue;
        }
        acceleration = (y - now.x) / (h * h);
        const double left = largest_nodal_norm(acceleration);
        const bool goes_on = left >= steady * before && left > creeping * a;
        const bool same = goes_on && largest_nodal_norm(acceleration - out.acceleration) <= (1 - steady) * left;
        if (h > rough_flight * longest && !same) {
            h = std::max(0.5 * h, rough_flight * longest);
            continue;
        }
        if (h > longest && left < steady * before) {
            h = longest; // it came upon something: go there in short steps
            continue;
        }
        out.acceleration = acceleration;
        out.x = now.x = y;
        if (left > creeping * a && largest_nodal_norm(y - start.x) > options.reach) {
            out.end = Settling::End::moving;
            return out;
        }
        quiet = left <= creeping * a && h >= 0.99 * longest ? quiet + 1 : 0;
        if (quiet == quiet_steps) {
            out.end = Settling::End::resting;
            return out;
        }
        const double rough = goes_on ? rough_flight * longest : longest;
        h = same ? 2 * h : std::min(2 * h, rough);
        before = left;
    }
    out.end = Settling::End::unfinished;
    return out;
}

} // namespace rubato
