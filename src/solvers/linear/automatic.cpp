#include "solvers/linear/automatic.hpp"

#include "base/factorisation_scope.hpp"
#include "solvers/linear/choice.hpp"

namespace rubato {

namespace {

// Times what it takes to bring the blocks in order: hardly anything is factorised that fast. On the mesh of one body
// multigrid makes thirty iterations in that time.
constexpr double hardly_less = 2;

} // namespace

LinearReport AutomaticSolver::solve(
    const Operator& matrix, const Prescription& prescription, const Vector& b, const Precision& precision, Vector& p)
{
    if (matrix.stored() == nullptr) return iterative_.solve(matrix, prescription, b, precision, p);
    const BlockMatrix& A = *matrix.stored();
    int iterations = 0;
    if (!factorises_) {
        from_ = From::copying;
        at_least_ = hardly_less * cholesky_seconds({0, 0}, A.block_count());
        const auto ends = [&](double work) { return costs_more(work, A, prescription); };
        const LinearReport report = iterative_.solve_within(
            [&ends](double work) { return ends(work); }, matrix, prescription, b, precision, p); // needs no memory
        if (!iterative_.gave_up()) return report;
        iterations = report.iterations;
        factorises_ = true;
    }
    LinearReport report = direct_.solve(A, prescription, b, precision, p);
    // Not definite: conjugate gradients say in which direction.
    if (report.status != LinearStatus::solved) report = iterative_.solve(A, prescription, b, precision, p);
    report.iterations += iterations;
    return report;
}

/// Whether conjugate gradients have cost more than a factorisation would. Bounds on that come in three steps, each
/// more work to find than the one before, and only when the one before is exceeded: bringing the blocks in order; the
/// factor without contacts, analysed once in a run; the factor with them, analysed for this pattern.
bool AutomaticSolver::costs_more(double work, const BlockMatrix& A, const Prescription& prescription)
{
    const double spent = work * seconds_per_block;
    const bool touching = A.pattern_id() != root_.pattern_id();
    while (spent > at_least_) {
        switch (from_) {
        case From::copying:
            if (of_root_ < 0) {
                const FactorisationScope scope;
                of_root_ = cholesky_seconds(Cholesky(false).work(root_, prescription), root_.block_count());
            }
            at_least_ = touching ? with_contact * of_root_ : of_root_;
            from_ = From::root;
            break;
        case From::root:
            if (!touching) return true;
            at_least_ = cholesky_seconds(direct_.work(A, prescription), A.block_count());
            from_ = From::pattern;
            break;
        case From::pattern: return true;
        }
    }
    return false;
}

} // namespace rubato
