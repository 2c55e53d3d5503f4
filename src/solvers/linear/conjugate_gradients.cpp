#include "solvers/linear/conjugate_gradients.hpp"

#include "base/parallel.hpp"
#include "solvers/linear/multigrid.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rubato {

namespace {

constexpr double exhausted = 1e-28; // squared residual relative to the first: double precision has no more to give
constexpr std::size_t most_remembered = 20000; // beyond, only the residual stops the iteration

constexpr double stiff = 1500; // below, block Jacobi needs so few iterations that new levels are not worth their making

/// How much larger the diagonal of A is than what a row opposes to a motion in common, which is the mass: the median
/// over all nodes, since a node that is held or pressed against a plane opposes more. The number of iterations that
/// block Jacobi needs grows with its square root.
double stiffness(const BlockMatrix& A, std::vector<double>& ratios)
{
    ratios.resize(static_cast<std::size_t>(A.rows()));
    parallel_for(
        A.rows(),
        [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            double all = 0, diagonal = 0;
            for (Index k = A.row_begin()[row]; k < A.row_begin()[row + 1]; ++k) {
                const double* const block = &A.value()[9 * static_cast<std::size_t>(k)];
                const double trace = block[0] + block[4] + block[8];
                all += trace;
                if (A.column()[static_cast<std::size_t>(k)] == i) diagonal = trace;
            }
            ratios[row] = all > 0 ? diagonal / all : std::numeric_limits<double>::max();
        },
        256);
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return ratios.empty() ? 0 : *middle;
}

constexpr Eigen::Index piece = 16384; // numbers

/// Calls work(first, count) for pieces of [0, n), on all threads.
template <class Work>
void in_pieces(Eigen::Index n, const Work& work)
{
    parallel_for(
        static_cast<Index>((n + piece - 1) / piece), [&](Index k) { work(k * piece, std::min(piece, n - k * piece)); },
        1);
}

/// a . b, the parts added in order, whatever the number of threads.
double dot(const Vector& a, const Vector& b, std::vector<double>& parts)
{
    parts.assign(static_cast<std::size_t>((a.size() + piece - 1) / piece), 0);
    in_pieces(a.size(), [&](Eigen::Index first, Eigen::Index count) {
        parts[static_cast<std::size_t>(first / piece)] = a.segment(first, count).dot(b.segment(first, count));
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

} // namespace

ConjugateGradients::ConjugateGradients(int max_iterations, Vector X)
    : max_iterations_(max_iterations)
{
    if (X.size() > 0) multigrid_ = std::make_unique<Multigrid>(std::move(X));
}

LinearReport ConjugateGradients::solve(
    const Operator& A, const Prescription& prescription, const Vector& b, const Precision& precision, Vector& p)
{
    work_ = 0;
    gave_up_ = false;
    const BlockMatrix* const stored = A.stored();
    const auto worth_levels = [&] { // that have to be made anew where bodies touch
        return stored->pattern_id() == stored->root_id() || stiffness(*stored, ratios_) > stiff;
    };
    if (multigrid_ != nullptr && stored != nullptr && worth_levels()) {
        multigrid_->prepare(*stored, prescription);
        const LinearReport report = iterate(A, prescription, *multigrid_, b, precision, p);
        if (report.status != LinearStatus::failed || gave_up_) return report;
    }
    block_jacobi_.prepare(A, prescription);
    return iterate(A, prescription, block_jacobi_, b, precision, p);
}

LinearReport ConjugateGradients::solve_within(const TooMuch& too_much, const Operator& A,
    const Prescription& prescription, const Vector& b, const Precision& precision, Vector& p)
{
    too_much_ = &too_much;
    const LinearReport report = solve(A, prescription, b, precision, p);
    too_much_ = nullptr;
    return report;
}

/// r: residual, z: preconditioned residual, q: search direction.
LinearReport ConjugateGradients::iterate(const Operator& A, const Prescription& prescription, Preconditioner& B,
    const Vector& b, const Precision& precision, Vector& p)
{
    p.setZero(b.size());
    r_ = b;
    prescription.set_zero(r_);
    B.apply(prescription, r_, z_);
    q_ = z_;
    double rz = dot(r_, z_, parts_);
    const double first_rz = rz;
    const int limit = max_iterations_ > 0 ? max_iterations_ : static_cast<int>(10 * b.size());
    gained_.clear();
    gained_.reserve(most_remembered);
    gained_.push_back(0);

    const PreconditionerWork of_B = B.work();
    work_ += of_B.to_make + of_B.to_apply;
    const double of_iteration = A.work() + of_B.to_apply;

    double tolerance = precision.tolerance;
    LinearReport report;
    while (rz > exhausted * first_rz) {
        if (too_much_ != nullptr && (*too_much_)(work_)) {
            gave_up_ = true;
            report.status = LinearStatus::failed;
            return report;
        }
        work_ += of_iteration;
        if (report.iterations == limit) {
            report.status = LinearStatus::inexact;
            return report;
        }
        ++report.iterations;
        A.multiply(q_, Aq_);
        prescription.set_zero(Aq_);
        const double curvature = dot(q_, Aq_, parts_);
        if (!(curvature > 0)) {
            report.status = std::isfinite(curvature) ? LinearStatus::indefinite : LinearStatus::failed;
            if (report.iterations == 1) p = z_;
            note_curvature(q_);
            return report;
        }
        const double step = rz / curvature;
        in_pieces(p.size(), [&](Eigen::Index first, Eigen::Index count) {
            p.segment(first, count) += step * q_.segment(first, count);
            r_.segment(first, count) -= step * Aq_.segment(first, count);
        });
        if (gained_.size() < most_remembered) {
            gained_.push_back(gained_.back() + step * rz);
            const std::size_t window = B.look_back() + gained_.size() / 3;
            if (gained_.size() > window) {
                const double recent = gained_.back() - gained_[gained_.size() - 1 - window];
                if (recent <= tolerance * tolerance * gained_.back()) {
                    if (precision.of_short >= tolerance || largest_nodal_norm(p) > precision.is_short) break;
                    tolerance = precision.of_short;
                    if (recent <= tolerance * tolerance * gained_.back()) break;
                }
            }
        }
        B.apply(prescription, r_, z_);
        const double rz_next = dot(r_, z_, parts_);
        const double turn = rz_next / rz;
        in_pieces(p.size(), [&](Eigen::Index first, Eigen::Index count) {
            q_.segment(first, count) = z_.segment(first, count) + turn * q_.segment(first, count);
        });
        rz = rz_next;
    }
    if (!std::isfinite(rz)) report.status = LinearStatus::failed;
    if (!(rz < 0)) return report;
    // The preconditioner is not definite. Mostly because A is not: then z is such a direction.
    A.multiply(z_, Aq_);
    prescription.set_zero(Aq_);
    report.status = z_.dot(Aq_) <= 0 ? LinearStatus::indefinite : LinearStatus::failed;
    if (report.iterations == 0) p = -z_;
    note_curvature(z_);
    return report;
}

/// Of the direction q, given A q.
void ConjugateGradients::note_curvature(const Vector& q)
{
    nodal_curvature_.resize(q.size() / 3);
    for (Index i = 0; i < static_cast<Index>(nodal_curvature_.size()); ++i) {
        nodal_curvature_[i] = node(q, i).dot(node(Aq_, i));
    }
}

} // namespace rubato
