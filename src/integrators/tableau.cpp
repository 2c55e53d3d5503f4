#include "integrators/tableau.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace rubato {

namespace {

using Reals = std::vector<double>;

double dot(const Reals& a, const Reals& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

Reals times(const Reals& a, const Reals& b) // entry by entry
{
    Reals product(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) product[i] = a[i] * b[i];
    return product;
}

Reals times(const std::vector<Reals>& A, const Reals& b)
{
    Reals product(A.size());
    for (std::size_t i = 0; i < A.size(); ++i) product[i] = dot(A[i], b);
    return product;
}

double sum(const Reals& a) { return dot(a, Reals(a.size(), 1.0)); }

} // namespace

bool Tableau::stiffly_accurate() const
{
    for (std::size_t j = 0; j < b.size(); ++j) {
        if (std::abs(A.back()[j] - b[j]) > 1e-14) return false;
    }
    return true;
}

bool Tableau::shares_first() const
{
    return b.size() > 1 && A[0][0] == 0 && A[1][1] > 0 && b[0] > 0 && b[1] > 0 && order() <= 2;
}

/// The conditions by rooted trees (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sec. II.2):
///
///     1: b.1 = 1     2: b.c = 1/2     3: b.c^2 = 1/3, b.Ac = 1/6
///     4: b.c^3 = 1/4, b.(c Ac) = 1/8, b.Ac^2 = 1/12, b.AAc = 1/24
int Tableau::order() const
{
    const auto holds = [this](const Reals& phi, double value) { return std::abs(dot(b, phi) - value) <= 1e-10; };
    const Reals c2 = times(c, c), Ac = times(A, c);

    if (!holds(Reals(b.size(), 1.0), 1.0)) return 0;
    if (!holds(c, 1.0 / 2)) return 1;
    if (!holds(c2, 1.0 / 3) || !holds(Ac, 1.0 / 6)) return 2;
    if (!holds(times(c, c2), 1.0 / 4) || !holds(times(c, Ac), 1.0 / 8)) return 3;
    if (!holds(times(A, c2), 1.0 / 12) || !holds(times(A, Ac), 1.0 / 24)) return 3;
    return 4;
}

Tableau checked_tableau(std::vector<std::vector<double>> A, std::vector<double> b, std::vector<double> c)
{
    constexpr double tolerance = 1e-12;
    std::vector<Mistake> mistakes;
    const auto mistake = [&](std::string key, std::string value, std::string message) {
        mistakes.push_back({{}, 0, std::move(key), std::move(value), std::move(message)});
    };

    const std::size_t n = A.size();
    if (n == 0) mistake("A", "[]", "must have at least one row");
    for (std::size_t i = 0; i < n; ++i) {
        if (A[i].size() != n) {
            mistake(fmt::format("A[{}]", i), fmt::format("[{}]", fmt::join(A[i], ", ")),
                fmt::format("must have {} entries: A is square", n));
        }
    }
    if (b.size() != n) mistake("b", fmt::format("[{}]", fmt::join(b, ", ")), fmt::format("must have {} entries", n));
    if (!c.empty() && c.size() != n) {
        mistake("c", fmt::format("[{}]", fmt::join(c, ", ")), fmt::format("must have {} entries, or none", n));
    }
    if (!mistakes.empty()) throw InputError(mistakes); // the rest needs the right sizes

    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double a = A[i][j];
            const std::string key = fmt::format("A[{}][{}]", i, j);
            if (!std::isfinite(a))
                mistake(key, fmt::format("{}", a), "must be finite");
            else if (j > i && a != 0) {
                mistake(key, fmt::format("{}", a), "must be 0: only diagonally implicit tableaux are solved");
            } else if (j == i && a < 0)
                mistake(key, fmt::format("{}", a), "must be >= 0: a diagonal entry");
        }
        const double row = sum(A[i]);
        if (!c.empty() && !(std::abs(c[i] - row) <= tolerance)) {
            mistake(fmt::format("c[{}]", i), fmt::format("{}", c[i]),
                fmt::format("must be {}, the sum of row {} of A; leave c out to have it computed", row, i));
        }
    }
    if (!(std::abs(sum(b) - 1) <= tolerance)) {
        mistake("b", fmt::format("[{}]", fmt::join(b, ", ")), fmt::format("must sum to 1; the sum is {}", sum(b)));
    }
    if (!mistakes.empty()) throw InputError(mistakes);

    c.resize(n);
    for (std::size_t i = 0; i < n; ++i) c[i] = sum(A[i]);
    return {std::move(A), std::move(b), std::move(c)};
}

/// With a_ij = b_j below the diagonal the method is a composition of sub-steps of length b_i h, each with the share
/// a_ii/b_i of implicitness. The adjoint takes them in reverse order, each with the share 1 - a_ii/b_i:
///
///     a*_ij = b_j - a_ij:   0 for j < i,   b_i - a_ii for j = i,   b_j for j > i
Tableau adjoint(const Tableau& tableau)
{
    constexpr double tolerance = 1e-12;
    const auto& [A, b, c] = tableau;
    const std::size_t n = b.size();
    std::vector<Mistake> mistakes;
    std::vector<Reals> adjoint_A(n, Reals(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            const double difference = b[j] - A[i][j];
            const bool fits = j < i ? std::abs(difference) <= tolerance : difference >= -tolerance;
            if (!fits) {
                mistakes.push_back({{}, 0, fmt::format("A[{}][{}]", i, j), fmt::format("{}", A[i][j]),
                    fmt::format(
                        "must be {} b[{}], which is {}: only then has the adjoint stages that can be solved one "
                        "after another",
                        j < i ? "equal to" : "at most", j, b[j])});
            }
            // Reversed, row i is row n - 1 - i; a diagonal entry that round-off left over is none.
            if (i == j)
                adjoint_A[n - 1 - i][n - 1 - i] = difference > tolerance ? difference : 0;
            else
                adjoint_A[n - 1 - j][n - 1 - i] = b[i];
        }
    }
    if (!mistakes.empty()) throw InputError(mistakes);
    return checked_tableau(std::move(adjoint_A), Reals(b.rbegin(), b.rend()));
}

Tableau sdirk2_tableau()
{
    const double g = 1 - 1 / std::numbers::sqrt2;
    return checked_tableau({{g, 0}, {1 - g, g}}, {1 - g, g});
}

Tableau tr_bdf2_tableau()
{
    const double d = 1 - 1 / std::numbers::sqrt2; // half of the fraction 2 - sqrt 2 of the step where the rule changes
    const double w = std::numbers::sqrt2 / 4;
    return checked_tableau({{0, 0, 0}, {d, d, 0}, {w, w, d}}, {w, w, d});
}

Tableau norsett_tableau()
{
    const double g = (3 + std::numbers::sqrt3) / 6;
    return checked_tableau({{g, 0}, {1 - 2 * g, g}}, {0.5, 0.5});
}

} // namespace rubato
