#include "solvers/linear/block_jacobi.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/multigrid.hpp"
#include "suite/clocks.hpp"
#include "suite/parts.hpp"
#include "suite/subjects.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include <array>
#include <memory>

/// Conjugate gradients on the same matrices with several preconditioners, each to the same true error.
namespace rubato {

namespace {

constexpr double wanted_error = 1e-3; // in the energy norm, relative to the solution
constexpr double milli = 1e3; // ms in a second
constexpr int most_iterations = 5000;

/// L L^T ~ A with the pattern of A in an order that fills little; here to be compared with, the engine has none.
/// Eigen's is shifted until it exists (Lin and Moré 1999).
class IncompleteCholesky final : public Preconditioner {
public:
    void prepare(const BlockMatrix& A, const Prescription& prescription) override
    {
        std::vector<Eigen::Triplet<double>> entries;
        for (Index i = 0; i < A.rows(); ++i) {
            for (Index k = A.row_begin()[static_cast<std::size_t>(i)];
                 k < A.row_begin()[static_cast<std::size_t>(i) + 1]; ++k)
                add_block(i, A.column()[static_cast<std::size_t>(k)], A.block(k), prescription, entries);
        }
        Eigen::SparseMatrix<double> scalar(3 * A.rows(), 3 * A.rows());
        scalar.setFromTriplets(entries.begin(), entries.end());
        factor_.compute(scalar);
    }
    void apply(const Prescription& prescription, const Vector& r, Vector& z) override
    {
        z = factor_.solve(r);
        prescription.set_zero(z);
    }
    std::size_t look_back() const override { return 4; }

private:
    static void add_block(Index i, Index j, const Mat3& block, const Prescription& prescription,
        std::vector<Eigen::Triplet<double>>& entries)
    {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                const Index row = 3 * i + r, column = 3 * j + c;
                const bool held = prescription.holds(row) || prescription.holds(column);
                if (held && row != column) continue;
                entries.emplace_back(row, column, held ? 1.0 : block(r, c));
            }
        }
    }
    Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::AMDOrdering<int>> factor_;
};

/// Iterations until |p - p*|_A <= wanted_error |p*|_A. Iteration k lowers the squared error by step_k (r_k . z_k)
/// (Hestenes and Stiefel 1952), so that it is known from the right-hand side and p* alone.
int iterations_to_solve(
    const BlockMatrix& A, const Prescription& held, Preconditioner& B, const Vector& b, const Vector& solution)
{
    Vector r = b, z, q, Aq;
    held.set_zero(r);
    const double all = r.dot(solution); // |p*|_A^2
    B.apply(held, r, z);
    q = z;
    double rz = r.dot(z), error = all;
    for (int k = 1; k <= most_iterations; ++k) {
        A.multiply(q, Aq);
        held.set_zero(Aq);
        const double step = rz / q.dot(Aq);
        r -= step * Aq;
        error -= step * rz;
        if (error <= wanted_error * wanted_error * all) return k;
        B.apply(held, r, z);
        const double rz_next = r.dot(z);
        q = z + (rz_next / rz) * q;
        rz = rz_next;
    }
    return most_iterations;
}

void measure_matrix(Findings& findings, const std::string& row, const Subject& subject)
{
    const std::string table = "preconditioners, error below 0.1 %";
    const BlockMatrix& A = subject.H;
    const Prescription& held = subject.prescription();
    const Vector b = -subject.g;
    Vector solution;
    make_linear_solver({.method = LinearMethod::cholesky}, false)->solve(A, held, b, {0}, solution);
    findings.fact(table, row, "unknowns", static_cast<double>(b.size()));

    const std::unique_ptr<Preconditioner> all[] = {std::make_unique<BlockJacobi>(),
        std::make_unique<IncompleteCholesky>(), std::make_unique<Multigrid>(subject.scene.dynamics->system().X)};
    const std::array<const char*, 3> names{"block Jacobi", "incomplete Cholesky", "multigrid"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        findings.progress(row + ": " + names[k]);
        Preconditioner& B = *all[k];
        int iterations = 0;
        std::vector<double> made, solved;
        for (int i = 0; i < findings.repetitions(); ++i) {
            const double began = processor_seconds();
            B.prepare(A, held);
            made.push_back(processor_seconds() - began);
            iterations = iterations_to_solve(A, held, B, b, solution);
            solved.push_back(processor_seconds() - began);
        }
        findings.fact(table, row, std::string(names[k]) + ": iterations", iterations);
        findings.time(table, row, std::string(names[k]) + ": made", "ms", scaled(made, milli));
        findings.time(table, row, std::string(names[k]) + ": all", "ms", scaled(solved, milli));
    }
}

} // namespace

void measure_preconditioners(Findings& findings)
{
    const Override stiff{"bodies[0].material.young", "1e7", "young"};
    measure_matrix(findings, "bar, 1e5 Pa", after_steps("clamped-bar", 5));
    measure_matrix(findings, "bar, 1e7 Pa", after_steps("clamped-bar", 5, {stiff}));
    measure_matrix(findings, "finer bar, 1e5 Pa", after_steps("clamped-bar", 3, {cells_of_bar({64, 16, 16})}));
    measure_matrix(findings, "ball on the ground, 1e5 Pa", after_steps("ball-drop-soft", 57));
    measure_matrix(findings, "ball on the ground, 1e7 Pa", after_steps("ball-drop-stiff", 57));
    measure_matrix(findings, "two balls that touch, 1e6 Pa", after_steps("two-balls-medium", 2));
}

} // namespace rubato
