#include "solvers/linear/cholesky.hpp"

#include "base/factorisation_scope.hpp"

#include <cholmod.h>

// OpenBLAS, where it is the BLAS behind CHOLMOD, must not split products by the number of cores: sums would depend on
// it.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

// CHOLMOD splits loops of a few microseconds among four threads by OpenMP. On a machine that has other things to do
// they wait for each other: half the time of a factorisation goes into it. No level of parallel regions may be active.
extern "C" void omp_set_max_active_levels(int) __attribute__((weak));

namespace rubato {

struct Cholesky::Factor {
    cholmod_common common{};
    cholmod_sparse* matrix = nullptr; // lower triangle of the free unknowns, compressed columns
    cholmod_factor* factor = nullptr;
    cholmod_dense* rhs = nullptr;
    cholmod_dense* solution = nullptr; // and two work spaces, kept between solves
    cholmod_dense* work_y = nullptr;
    cholmod_dense* work_e = nullptr;
    std::vector<std::size_t> source; // where in BlockMatrix::value each entry of `matrix` comes from
    std::vector<Eigen::Index> free_unknown; // number in the system of each row of `matrix`
    std::uint64_t analyzed = 0; // pattern_id
    std::vector<int> root_order; // of nodes, fill-reducing for the matrix without contacts
    std::uint64_t ordered = 0; // root_id that it is for
    double root_fill = 0; // entries of the factor of the graph of nodes in that order

    explicit Factor(bool indefinite_ok)
    {
        cholmod_start(&common);
        common.print = 0;
        common.error_handler = nullptr;
        common.supernodal = indefinite_ok ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
        common.final_ll = indefinite_ok ? 0 : 1;
        if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    }
    ~Factor()
    {
        clear();
        cholmod_finish(&common);
    }
    Factor(const Factor&) = delete;
    Factor& operator=(const Factor&) = delete;

    void clear()
    {
        cholmod_free_sparse(&matrix, &common);
        cholmod_free_factor(&factor, &common);
        cholmod_free_dense(&rhs, &common);
        cholmod_free_dense(&solution, &common);
        cholmod_free_dense(&work_y, &common);
        cholmod_free_dense(&work_e, &common);
        analyzed = 0;
    }
};

Cholesky::Cholesky(bool indefinite_ok)
    : factor_(std::make_unique<Factor>(indefinite_ok))
{
}

Cholesky::~Cholesky() = default;

namespace {

constexpr double unknowns_per_block = 9; // a node has three unknowns
constexpr double worn_out = 1.3; // times the fill without contacts: then an order is looked for that knows of them

/// An order of the nodes that fills the factor little. The three unknowns of a node have the same neighbours, so the
/// graph of nodes, with a ninth of the entries, says it all. Nested dissection suits volume meshes, minimum degree
/// small ones; the better is kept.
std::vector<int> fill_reducing_order(
    const std::vector<Index>& row_begin, const std::vector<Index>& column, cholmod_common& common)
{
    const std::size_t n = row_begin.size() - 1;
    std::vector<int> begin{0}, rows;
    for (std::size_t i = 0; i < n; ++i) {
        for (Index k = row_begin[i]; k < row_begin[i + 1]; ++k) {
            const Index j = column[static_cast<std::size_t>(k)];
            if (j >= static_cast<Index>(i)) rows.push_back(j);
        }
        begin.push_back(static_cast<int>(rows.size()));
    }
    cholmod_sparse* graph = cholmod_allocate_sparse(n, n, rows.size(), 1, 1, -1, CHOLMOD_PATTERN, &common);
    std::copy(begin.begin(), begin.end(), static_cast<int*>(graph->p));
    std::copy(rows.begin(), rows.end(), static_cast<int*>(graph->i));
    common.nmethods = 2;
    common.method[0].ordering = CHOLMOD_AMD;
    common.method[1].ordering = CHOLMOD_METIS;
    cholmod_factor* symbolic = cholmod_analyze(graph, &common);
    const auto* order = static_cast<const int*>(symbolic->Perm);
    std::vector<int> out(order, order + n);
    cholmod_free_factor(&symbolic, &common);
    cholmod_free_sparse(&graph, &common);
    return out;
}

} // namespace

void Cholesky::analyze(const BlockMatrix& A, const Prescription& prescription)
{
    Factor& f = *factor_;
    f.clear();

    const Eigen::Index unknowns = 3 * Eigen::Index{A.rows()};
    std::vector<int> row_of(static_cast<std::size_t>(unknowns), -1);
    f.free_unknown.clear();
    for (Eigen::Index i = 0; i < unknowns; ++i) {
        if (prescription.holds(i)) continue;
        row_of[static_cast<std::size_t>(i)] = static_cast<int>(f.free_unknown.size());
        f.free_unknown.push_back(i);
    }

    // The matrix is symmetric, so column i of the lower triangle is row i right of the diagonal. Rows of blocks are
    // sorted, hence so are the columns written here.
    std::vector<int> begin{0};
    std::vector<int> rows;
    f.source.clear();
    for (const Eigen::Index i : f.free_unknown) {
        const auto block_row = static_cast<std::size_t>(i / 3);
        for (Index k = A.row_begin()[block_row]; k < A.row_begin()[block_row + 1]; ++k) {
            for (int c = 0; c < 3; ++c) {
                const Eigen::Index j = 3 * Eigen::Index{A.column()[static_cast<std::size_t>(k)]} + c;
                if (j < i || row_of[static_cast<std::size_t>(j)] < 0) continue;
                rows.push_back(row_of[static_cast<std::size_t>(j)]);
                f.source.push_back(9 * static_cast<std::size_t>(k) + 3 * static_cast<std::size_t>(c)
                    + static_cast<std::size_t>(i % 3));
            }
        }
        begin.push_back(static_cast<int>(rows.size()));
    }

    const std::size_t n = f.free_unknown.size();
    f.matrix = cholmod_allocate_sparse(n, n, rows.size(), 1, 1, -1, CHOLMOD_REAL, &f.common);
    std::copy(begin.begin(), begin.end(), static_cast<int*>(f.matrix->p));
    std::copy(rows.begin(), rows.end(), static_cast<int*>(f.matrix->i));
    f.rhs = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &f.common);
    f.analyzed = A.pattern_id();

    const auto fill_in_order = [&](const std::vector<int>& nodes) {
        std::vector<int> order;
        order.reserve(n);
        for (const int i : nodes) {
            for (int k = 0; k < 3; ++k) {
                const int row = row_of[static_cast<std::size_t>(3 * i + k)];
                if (row >= 0) order.push_back(row);
            }
        }
        cholmod_free_factor(&f.factor, &f.common);
        f.common.nmethods = 1;
        f.common.method[0].ordering = CHOLMOD_GIVEN;
        f.factor = cholmod_analyze_p(f.matrix, order.data(), nullptr, 0, &f.common);
        return f.common.lnz;
    };
    // Few contacts on a body: the order that suits it without any will do. The choice depends on this pattern and on
    // nothing that came before, so that a resumed run gives the same bits.
    if (f.ordered != A.root_id()) {
        f.root_order = fill_reducing_order(A.root().row_begin, A.root().column, f.common);
        f.root_fill = f.common.lnz; // of the graph of nodes
        f.ordered = A.root_id();
    }
    const double fill = fill_in_order(f.root_order);
    if (A.pattern_id() == A.root_id() || fill <= worn_out * unknowns_per_block * f.root_fill) return;
    fill_in_order(fill_reducing_order(A.row_begin(), A.column(), f.common));
}

CholeskyWork Cholesky::work(const BlockMatrix& A, const Prescription& prescription)
{
    const FactorisationScope scope;
    if (factor_->analyzed != A.pattern_id()) analyze(A, prescription);
    return {factor_->common.fl, factor_->common.lnz};
}

LinearReport Cholesky::solve(const Operator& matrix, const Prescription& prescription, const Vector& b,
    const Precision& /*precision*/, Vector& p)
{
    if (matrix.stored() == nullptr) {
        p.setZero(b.size());
        return {.status = LinearStatus::failed};
    }
    const BlockMatrix& A = *matrix.stored();
    const FactorisationScope scope;
    if (omp_set_max_active_levels != nullptr) omp_set_max_active_levels(0);
    Factor& f = *factor_;
    if (f.analyzed != A.pattern_id()) analyze(A, prescription);
    p.setZero(b.size());
    if (f.free_unknown.empty()) return {};

    auto* values = static_cast<double*>(f.matrix->x);
    for (std::size_t k = 0; k < f.source.size(); ++k) values[k] = A.value()[f.source[k]];
    cholmod_factorize(f.matrix, f.factor, &f.common);
    if (f.common.status != CHOLMOD_OK) return {.status = LinearStatus::failed};

    auto* rhs = static_cast<double*>(f.rhs->x);
    for (std::size_t k = 0; k < f.free_unknown.size(); ++k) rhs[k] = b[f.free_unknown[k]];
    if (cholmod_solve2(CHOLMOD_A, f.factor, f.rhs, nullptr, &f.solution, nullptr, &f.work_y, &f.work_e, &f.common)
        == 0) {
        return {.status = LinearStatus::failed};
    }
    const auto* solution = static_cast<const double*>(f.solution->x);
    for (std::size_t k = 0; k < f.free_unknown.size(); ++k) p[f.free_unknown[k]] = solution[k];
    return {.status = p.allFinite() ? LinearStatus::solved : LinearStatus::failed};
}

} // namespace rubato
