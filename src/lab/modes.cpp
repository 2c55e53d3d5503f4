#include "lab/modes.hpp"

#include "base/errors.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <Spectra/SymGEigsShiftSolver.h>

namespace rubato {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double round_off = 1e-10; // of omega^2, relative to the highest
constexpr double shift_below_zero = 1e-8; // relative to the highest: K - shift M is then definite though K is not
constexpr Eigen::Index dense_below = 300; // unknowns
constexpr Eigen::Index dense_limit = 6000; // unknowns: three matrices of 0.3 GB

/// The free unknowns, numbered anew.
struct Numbering {
    std::vector<Eigen::Index> old_of_new;
    std::vector<Eigen::Index> new_of_old; // -1: prescribed

    explicit Numbering(const System& system)
        : new_of_old(static_cast<std::size_t>(system.unknowns()), -1)
    {
        for (Eigen::Index i = 0; i < system.unknowns(); ++i) {
            if (system.prescription.holds(i)) continue;
            new_of_old[static_cast<std::size_t>(i)] = static_cast<Eigen::Index>(old_of_new.size());
            old_of_new.push_back(i);
        }
    }
    Eigen::Index size() const { return static_cast<Eigen::Index>(old_of_new.size()); }
    Eigen::Index of(Eigen::Index old) const { return new_of_old[static_cast<std::size_t>(old)]; }
};

/// The rows and columns of the free unknowns.
Sparse reduced(const BlockMatrix& A, const Numbering& numbering)
{
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index k = A.row_begin()[static_cast<std::size_t>(i)]; k < A.row_begin()[static_cast<std::size_t>(i) + 1];
             ++k) {
            const Index j = A.column()[static_cast<std::size_t>(k)];
            const auto block = A.block(k);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) {
                    const Eigen::Index row = numbering.of(3 * Eigen::Index{i} + r);
                    const Eigen::Index column = numbering.of(3 * Eigen::Index{j} + c);
                    if (row >= 0 && column >= 0 && block(r, c) != 0) {
                        entries.emplace_back(static_cast<int>(row), static_cast<int>(column), block(r, c));
                    }
                }
            }
        }
    }
    Sparse reduced_A(numbering.size(), numbering.size());
    reduced_A.setFromTriplets(entries.begin(), entries.end());
    return reduced_A;
}

/// Gershgorin's circles of M^-1 K, for a diagonal M exactly; a coupled mass is bounded by its diagonal only roughly,
/// which serves as well: it is a measure of round-off.
double upper_bound(const Sparse& K, const Sparse& M)
{
    double bound = 0;
    for (Eigen::Index j = 0; j < K.outerSize(); ++j) {
        double sum = 0;
        for (Sparse::InnerIterator entry(K, j); entry; ++entry) sum += std::abs(entry.value());
        bound = std::max(bound, sum / M.coeff(j, j));
    }
    return bound;
}

/// x -> (K - shift M)^-1 x, as Spectra wants to call it.
class ShiftInvert {
public:
    using Scalar = double;

    ShiftInvert(const Sparse& K, const Sparse& M)
        : K_(K)
        , M_(M)
    {
    }
    Eigen::Index rows() const { return K_.rows(); }
    Eigen::Index cols() const { return K_.cols(); }
    void set_shift(double shift)
    {
        factor_.compute(K_ - shift * M_);
        if (factor_.info() != Eigen::Success) {
            throw InputError(Mistake{.key = "modes", .message = "the stiffness matrix could not be factorised"});
        }
    }
    void perform_op(const double* x, double* y) const
    {
        Eigen::Map<Vector>(y, rows()) = factor_.solve(Eigen::Map<const Vector>(x, rows()));
    }

private:
    const Sparse& K_;
    const Sparse& M_;
    Eigen::SimplicialLDLT<Sparse> factor_;
};

/// x -> M x
class MassProduct {
public:
    using Scalar = double;

    explicit MassProduct(const Sparse& M)
        : M_(M)
    {
    }
    Eigen::Index rows() const { return M_.rows(); }
    Eigen::Index cols() const { return M_.cols(); }
    void perform_op(const double* x, double* y) const
    {
        Eigen::Map<Vector>(y, rows()) = M_ * Eigen::Map<const Vector>(x, rows());
    }

private:
    const Sparse& M_;
};

struct EigenPairs {
    Vector values;
    Eigen::MatrixXd vectors;
};

EigenPairs dense_pairs(const Sparse& K, const Sparse& M, Eigen::Index count)
{
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(K), Eigen::MatrixXd(M)};
    return {solver.eigenvalues().head(count), solver.eigenvectors().leftCols(count)};
}

EigenPairs iterated_pairs(const Sparse& K, const Sparse& M, Eigen::Index count, double highest)
{
    ShiftInvert invert(K, M);
    MassProduct product(M);
    const Eigen::Index basis = std::min(K.rows(), std::max(2 * count + 1, count + 20));
    Spectra::SymGEigsShiftSolver<ShiftInvert, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
        invert, product, count, basis, -shift_below_zero * highest);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
    if (solver.info() != Spectra::CompInfo::Successful) {
        throw InputError(Mistake{
            .key = "modes", .value = fmt::format("{}", count), .message = "did not converge; ask for other numbers"});
    }
    const Vector values = solver.eigenvalues();
    const Eigen::MatrixXd vectors = solver.eigenvectors();
    // Spectra sorts by the eigenvalue of the inverse.
    std::vector<Eigen::Index> order;
    for (Eigen::Index i = 0; i < count; ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    EigenPairs sorted{Vector(count), Eigen::MatrixXd(K.rows(), count)};
    for (Eigen::Index i = 0; i < count; ++i) {
        sorted.values[i] = values[order[static_cast<std::size_t>(i)]];
        sorted.vectors.col(i) = vectors.col(order[static_cast<std::size_t>(i)]);
    }
    return sorted;
}

} // namespace

double Modes::frequency(Eigen::Index mode) const
{
    const double square = omega2[mode];
    return square > round_off * highest ? std::sqrt(square) / (2 * std::numbers::pi) : 0;
}

bool Modes::unstable(Eigen::Index mode) const { return omega2[mode] < -round_off * highest; }

Eigen::Index free_unknowns(const System& system)
{
    return system.unknowns() - static_cast<Eigen::Index>(system.prescription.unknowns().size());
}

Modes lowest_modes(System& system, const Vector& X, Eigen::Index count)
{
    const Numbering numbering(system);
    const Eigen::Index n = numbering.size();
    const auto refuse = [&](const std::string& why) {
        throw InputError(Mistake{.key = "modes", .value = fmt::format("{}", count), .message = why});
    };
    if (count < 1 || count > n) refuse(fmt::format("must be 1 to {}, the number of unknowns that are free", n));

    BlockMatrix hessian(system.pattern()), mass(system.pattern());
    Assembly sink{.hessian = &hessian, .projected = false};
    for (const auto& potential : system.potentials) {
        potential->prepare(X, 0);
        potential->add(X, 0, sink);
    }
    hessian.mirror();
    system.mass.add_to(mass);
    const Sparse K = reduced(hessian, numbering), M = reduced(mass, numbering);

    Modes modes;
    modes.highest = upper_bound(K, M);
    const bool dense = n <= dense_below || 2 * count > n || modes.highest == 0;
    if (dense && n > dense_limit) {
        refuse(fmt::format(
            "more than half of the modes can be found for up to {} free unknowns; there are {}", dense_limit, n));
    }
    const EigenPairs pairs = dense ? dense_pairs(K, M, count) : iterated_pairs(K, M, count, modes.highest);

    modes.omega2 = pairs.values;
    modes.phi = Eigen::MatrixXd::Zero(system.unknowns(), count);
    for (Eigen::Index j = 0; j < count; ++j) {
        Eigen::Index largest = 0;
        pairs.vectors.col(j).cwiseAbs().maxCoeff(&largest);
        // Of the two unit vectors the one whose largest entry is positive; Spectra's are of unit length in M already.
        const double length = std::sqrt(pairs.vectors.col(j).dot(M * pairs.vectors.col(j)));
        const double factor = (pairs.vectors(largest, j) < 0 ? -1 : 1) / length;
        for (Eigen::Index i = 0; i < n; ++i) {
            modes.phi(numbering.old_of_new[static_cast<std::size_t>(i)], j) = factor * pairs.vectors(i, j);
        }
    }
    return modes;
}

} // namespace rubato
