#include "lab/stability.hpp"

#include "base/errors.hpp"
#include "lab/oscillator.hpp"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Units: m = 1 kg, h = 1 s, k = hbar N/m. Then (x, v) needs no scaling, and the natural size of v is omega x with
/// omega = sqrt hbar.
namespace rubato {

namespace {

constexpr double tolerance = 1e-9; // of a prediction, relative to |Q| |z|: far above round-off, far below any effect
constexpr int most_steps = 3; // that a method may look back
constexpr int checked_steps = 12; // of a run that the matrix has to foretell
constexpr double lower_target = 0.8; // of the energy, as a method that steers it is told
constexpr double largest = 1e100; // beyond it squares overflow, and enough has been seen

using Phase = Eigen::Vector2d; // (x, v) along x
using History = std::vector<Phase>; // the latest first

[[noreturn]] void refuse(const MeasuredMethod& method, const std::string& why)
{
    throw InputError(Mistake{.key = "integrator", .value = method.name, .message = why});
}

/// The oscillator, stepped by one method.
class Bench {
public:
    Bench(const MeasuredMethod& method, double hbar)
        : method_(method)
        , hbar_(hbar)
        , problem_(oscillator_problem({.stiffness = hbar}))
    {
    }

    /// The end of a step from history[0], the method having been led through the history: whatever it proposed, what
    /// it is told has been accepted is the next entry. A multistep method then holds exactly these states. The energy
    /// that it should have is `target` times what it has where the step begins.
    Phase after(const History& history, double target = 1)
    {
        const EnergyLedger ledger = EnergyLedger::opened(target * energy(history[0]));
        const auto integrator = method_.make();
        for (std::size_t k = history.size() - 1; k > 0; --k) {
            proposal(*integrator, history[k], ledger);
            integrator->accept(state(history[k]), state(history[k - 1]));
        }
        return proposal(*integrator, history[0], ledger);
    }

    /// A run as the simulation commits it, the start first; the energy that it should have is less than it has, so that
    /// a method that steers it sooner or later does.
    History run(const Phase& start)
    {
        const EnergyLedger ledger = EnergyLedger::opened(lower_target * energy(start));
        const auto integrator = method_.make();
        History all{start};
        for (int n = 0; n < checked_steps && all.back().cwiseAbs().maxCoeff() < largest; ++n) {
            const Phase next = proposal(*integrator, all.back(), ledger);
            integrator->accept(state(all.back()), state(next));
            all.push_back(next);
        }
        return all;
    }

private:
    static State state(const Phase& z) { return {.t = 0, .x = Vec3(z[0], 0, 0), .v = Vec3(z[1], 0, 0)}; }

    double energy(const Phase& z) const { return 0.5 * (hbar_ * z[0] * z[0] + z[1] * z[1]); } // [J]

    Phase proposal(Integrator& integrator, const Phase& z, const EnergyLedger& ledger)
    {
        const State now = state(z);
        CpuDynamics& dynamics = *problem_.dynamics;
        State next;
        dynamics.begin_step(now, 1);
        const StepOutcome outcome = integrator.step({dynamics, now, 1, ledger}, next);
        if (outcome.status != StepStatus::ok) {
            refuse(method_, fmt::format("could not step the oscillator at h^2 k/m = {:g}", hbar_));
        }
        return {next.x[0], next.v[0]};
    }

    const MeasuredMethod& method_;
    double hbar_;
    LabProblem problem_;
};

/// Does B foretell `next` from z, as exactly as round-off allows?
bool foretells(const Eigen::MatrixXd& B, const Eigen::VectorXd& z, const Phase& next)
{
    const Phase error = (B * z - next).cwiseAbs(), size = B.cwiseAbs() * z.cwiseAbs();
    return error[0] <= tolerance * size[0] && error[1] <= tolerance * size[1];
}

Eigen::VectorXd stacked(const History& history)
{
    Eigen::VectorXd z(2 * static_cast<Eigen::Index>(history.size()));
    for (std::size_t k = 0; k < history.size(); ++k) z.segment<2>(2 * static_cast<Eigen::Index>(k)) = history[k];
    return z;
}

/// The two rows that give (x, v) at the end of the step from the last k states.
Eigen::MatrixXd newest_rows(Bench& bench, std::size_t k)
{
    Eigen::MatrixXd B(2, 2 * static_cast<Eigen::Index>(k));
    for (Eigen::Index j = 0; j < B.cols(); ++j) {
        History unit(k, Phase::Zero());
        unit[static_cast<std::size_t>(j / 2)][j % 2] = 1;
        const Phase next = bench.after(unit);
        B(0, j) = next[0];
        B(1, j) = next[1];
    }
    return B;
}

/// Vectors of other directions and other lengths than the unit vectors tell a linear map from one that is not.
bool linear(Bench& bench, const Eigen::MatrixXd& B, double omega)
{
    const std::size_t k = static_cast<std::size_t>(B.cols()) / 2;
    for (const auto& [turn, length] : {std::pair{0.7, 0.2}, {2.9, 6.0}}) {
        History history;
        for (std::size_t i = 0; i < k; ++i) {
            const double angle = turn + 0.6 * static_cast<double>(i);
            history.emplace_back(length * std::cos(angle), length * omega * std::sin(angle));
        }
        // A method that keeps the energy of a linear problem anyway shows what it steers by when it has to change it.
        for (const double target : {1.0, lower_target}) {
            if (!foretells(B, stacked(history), bench.after(history, target))) return false;
        }
    }
    return true;
}

/// How many states it takes to have this many numbers, of the oldest the position alone if need be.
std::size_t states_of(Eigen::Index numbers) { return (static_cast<std::size_t>(numbers) + 1) / 2; }

/// The first `numbers` of the states of a run before its entry n, the latest first.
Eigen::VectorXd states_before(const History& run, std::size_t n, Eigen::Index numbers)
{
    History last;
    for (std::size_t i = 1; i <= states_of(numbers); ++i) last.push_back(run[n - i]);
    return stacked(last).head(numbers);
}

bool foretells_run(const Eigen::MatrixXd& B, const History& run)
{
    for (std::size_t n = states_of(B.cols()); n < run.size(); ++n) {
        if (!foretells(B, states_before(run, n, B.cols()), run[n])) return false;
    }
    return true;
}

/// The two rows for a method whose history cannot be given to it, since it is not made of states: what it remembers
/// after steps of its own shows in the states before. From as many steps of two runs as there are unknowns; no rows
/// where these do not tell them apart.
Eigen::MatrixXd rows_seen_in_runs(Bench& bench, Eigen::Index numbers)
{
    const std::size_t k = states_of(numbers);
    const auto samples = static_cast<Eigen::Index>(2 * k);
    Eigen::MatrixXd known(samples, numbers), next(samples, 2);
    Eigen::Index row = 0;
    for (const Phase& start : {Phase(1, 0), Phase(0, 1)}) {
        const History run = bench.run(start);
        if (run.size() < 2 * k) return {};
        for (std::size_t n = k; n < 2 * k; ++n, ++row) {
            const Eigen::VectorXd z = states_before(run, n, numbers);
            const double size = z.cwiseAbs().maxCoeff();
            if (!(size > 0)) return {};
            known.row(row) = z.transpose() / size;
            next.row(row) = run[n].transpose() / size;
        }
    }
    const Eigen::VectorXd scale = known.cwiseAbs().colwise().maxCoeff();
    if (!(scale.minCoeff() > 0)) return {};
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(known * scale.cwiseInverse().asDiagonal());
    if (qr.rank() < numbers) return {};
    return (scale.cwiseInverse().asDiagonal() * qr.solve(next)).transpose();
}

/// Of [[a, b], [c, d]]: (a - d)^2/4 + b c under the root in place of (trace^2/4 - determinant), which cancels; and of
/// two real ones the smaller from the larger, since their product is the determinant.
std::vector<std::complex<double>> eigenvalues_2x2(const Eigen::MatrixXd& Q, double determinant)
{
    const double middle = 0.5 * Q.trace(), half = 0.5 * (Q(0, 0) - Q(1, 1));
    const double square = half * half + Q(0, 1) * Q(1, 0), root = std::sqrt(std::abs(square));
    if (square < 0) return {{middle, root}, {middle, -root}};
    const double larger = middle < 0 ? middle - root : middle + root;
    return {larger, larger == 0 ? 0 : determinant / larger};
}

void add_invariants(Amplification& a, double omega)
{
    const Eigen::MatrixXd& Q = a.Q;
    a.trace = Q.trace();
    if (Q.rows() == 2) {
        a.determinant = Q(0, 0) * Q(1, 1) - Q(0, 1) * Q(1, 0);
        a.eigenvalues = eigenvalues_2x2(Q, a.determinant);
    } else {
        // Velocities in units of omega: a similarity that makes the entries comparable.
        Eigen::VectorXd scale(Q.rows());
        for (Eigen::Index i = 0; i < scale.size(); ++i) scale[i] = i % 2 == 0 ? 1 : omega;
        const Eigen::MatrixXd scaled = scale.cwiseInverse().asDiagonal() * Q * scale.asDiagonal();
        a.determinant = scaled.determinant();
        const Eigen::VectorXcd values = scaled.eigenvalues();
        a.eigenvalues.assign(values.data(), values.data() + values.size());
    }
    std::stable_sort(a.eigenvalues.begin(), a.eigenvalues.end(), [](const auto& p, const auto& q) {
        const double r = std::abs(p), s = std::abs(q);
        if (std::abs(r - s) > 1e-12 * std::max(r, s)) return r > s;
        return p.imag() > q.imag();
    });
    a.spectral_radius = 0;
    for (const auto& value : a.eigenvalues) a.spectral_radius = std::max(a.spectral_radius, std::abs(value));
}

/// The companion matrix of the rows that give the newest state.
Amplification of_rows(const Eigen::MatrixXd& B, double hbar)
{
    const Eigen::Index older = B.cols() - 2;
    Amplification a;
    a.hbar = hbar;
    a.steps = static_cast<int>(states_of(B.cols()));
    a.Q = Eigen::MatrixXd::Zero(B.cols(), B.cols());
    a.Q.topRows(2) = B;
    a.Q.bottomLeftCorner(older, older).setIdentity();
    add_invariants(a, std::sqrt(hbar));
    return a;
}

bool grows(const Amplification& a)
{
    constexpr double round_off = 1e-9; // of a double eigenvalue, of which only half the digits are exact
    return a.spectral_radius > 1 + round_off;
}

/// Where between two values of hbar the method begins or ceases to grow, by bisection of log hbar.
double border(const MeasuredMethod& method, double low, double high, bool grows_at_low)
{
    for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(low * high);
        (grows(amplification(method, middle)) == grows_at_low ? low : high) = middle;
    }
    return std::sqrt(low * high);
}

} // namespace

MeasuredMethod measured_method(const IntegratorEntry& entry, const Options& options)
{
    return {
        .name = entry.name,
        .make = [&entry, options] { return entry.make(options); },
        .aims_at_target = entry.aims_at_target,
    };
}

MeasuredMethod measured_method(const IntegratorEntry& entry) { return measured_method(entry, defaults(entry.options)); }

Amplification amplification(const MeasuredMethod& method, double hbar)
{
    const double omega = std::sqrt(hbar);
    Bench bench(method, hbar);
    const History run = bench.run({0.8, -0.5 * omega});
    for (int k = 1; k <= most_steps; ++k) {
        const Eigen::MatrixXd B = newest_rows(bench, static_cast<std::size_t>(k));
        if (!linear(bench, B, omega)) {
            refuse(method,
                method.aims_at_target ? "steers the energy and is not linear on the oscillator, so it has no matrix"
                                      : "is not linear on the oscillator, so it has no matrix");
        }
        if (!foretells_run(B, run)) continue; // it looks back further
        return of_rows(B, hbar);
    }
    for (Eigen::Index numbers = 3; numbers <= 2 * most_steps && !method.aims_at_target; ++numbers) {
        const Eigen::MatrixXd B = rows_seen_in_runs(bench, numbers);
        if (B.size() > 0 && foretells_run(B, run)) return of_rows(B, hbar);
    }
    refuse(method,
        fmt::format("{} that is not made of the last {} states, so it has no matrix",
            method.aims_at_target ? "steers the energy, by a history" : "keeps a history", most_steps));
}

StabilitySweep stability_sweep(const MeasuredMethod& method, double low, double high, int count)
{
    StabilitySweep sweep;
    for (int i = 0; i < count; ++i) {
        const double place = static_cast<double>(i) / (count - 1);
        const double hbar = i == 0 ? low : i == count - 1 ? high : low * std::pow(high / low, place);
        sweep.points.push_back(amplification(method, hbar));
        const Amplification& now = sweep.points.back();
        const bool growing = i > 0 && grows(sweep.points[static_cast<std::size_t>(i) - 1]);
        if (grows(now) && !growing) {
            sweep.unstable.push_back({i == 0 ? low : border(method, sweep.points.end()[-2].hbar, hbar, false), high});
        } else if (!grows(now) && growing) {
            sweep.unstable.back().high = border(method, sweep.points.end()[-2].hbar, hbar, true);
        }
    }
    return sweep;
}

} // namespace rubato
