#include "solvers/linear/block_jacobi.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/multigrid.hpp"
#include "suite/parts.hpp"
#include "suite/repeated.hpp"
#include "suite/subjects.hpp"

/// Everything that is done with the matrix of one Newton step, each by itself.
namespace rubato {

namespace {

constexpr double milli = 1e3; // ms in a second

void measure_matrix(Findings& findings, const std::string& row, Subject subject)
{
    const std::string table = "one linear system";
    const BlockMatrix& A = subject.H;
    const Prescription& held = subject.prescription();
    const Vector b = -subject.g;
    Vector p, z;
    findings.fact(table, row, "unknowns", static_cast<double>(b.size()));
    const auto note = [&](const char* column, std::vector<double> seconds) {
        findings.time(table, row, column, "ms", scaled(std::move(seconds), milli));
    };
    const int repetitions = findings.repetitions();

    findings.progress(row + ": product");
    note("product", processor_time(repetitions, [&] { A.multiply(b, z); }));

    findings.progress(row + ": Cholesky");
    std::unique_ptr<LinearSolver> solver;
    const auto solve = [&](double tolerance) { return solver->solve(A, held, b, {tolerance}, p); };
    const std::vector<double> first = processor_time_of_one(
        repetitions, [&] { solver = make_linear_solver({.method = LinearMethod::cholesky}, false); },
        [&] { solve(0); });
    const std::vector<double> again = processor_time_of_one(
        repetitions, [] {}, [&] { solve(0); });
    std::vector<double> symbolic;
    for (std::size_t i = 0; i < first.size(); ++i) symbolic.push_back(first[i] - again[i]);
    note("Cholesky: order and symbols", symbolic);
    note("Cholesky: numbers and solution", again);

    const Vector& X = subject.scene.dynamics->system().X;
    for (const bool multigrid : {true, false}) {
        const std::string name = multigrid ? "multigrid" : "block Jacobi";
        findings.progress(row + ": " + name);
        std::unique_ptr<Preconditioner> B;
        if (multigrid) B = std::make_unique<Multigrid>(X);
        if (!multigrid) B = std::make_unique<BlockJacobi>();
        B->prepare(A, held); // the first time it finds the structure
        note((name + ": made").c_str(), processor_time(repetitions, [&] { B->prepare(A, held); }));
        Vector r = b;
        held.set_zero(r);
        note((name + ": applied").c_str(), processor_time(repetitions, [&] { B->apply(held, r, z); }));
        solver = make_linear_solver({.method = LinearMethod::conjugate_gradients, .multigrid = multigrid}, false, X);
        const LinearReport report = solve(1e-3);
        findings.fact(table, row, name + ": iterations to 0.1 %", report.iterations);
        note((name + ": solve to 0.1 %").c_str(),
            processor_time_of_one(
                repetitions, [] {}, [&] { solve(1e-3); }));
    }
}

} // namespace

void measure_linear(Findings& findings)
{
    measure_matrix(findings, "bar, 24 000 tetrahedra", after_steps("clamped-bar", 5));
    measure_matrix(findings, "bar, 98 304 tetrahedra", after_steps("clamped-bar", 3, {cells_of_bar({64, 16, 16})}));
}

} // namespace rubato
