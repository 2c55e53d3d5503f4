#pragma once

#include "materials/all.hpp"
#include "materials/jet.hpp"

#include <array>
#include <optional>

/// Every energy once more, written in invariants of F instead of singular values and differentiated automatically.
///
///     I_C = tr C,   II_C = tr C^2,   C = F^T F,     J = det F
///     I_S = tr S, the sum of the signed singular values, F = R S: the largest root of
///           f^4 - 2 I_C f^2 - 8 J f + 2 II_C - I_C^2 = 0
///
/// The quartic: (f^2 - I_C)^2 = 4 (sum_{i<j} s_i s_j)^2 = 4 sum_{i<j} s_i^2 s_j^2 + 8 f J = 2 (I_C^2 - II_C) + 8 f J.
/// Its other roots have two signs changed, e.g. s_0 - s_1 - s_2.
namespace rubato {

struct Invariants {
    std::array<Jet, 9> F; ///< columns stacked
    Jet I_C, II_C, J;
    Jet cof2; ///< squared norm of the cofactor matrix

    explicit Invariants(const Mat3& value)
    {
        for (int i = 0; i < 9; ++i) F[static_cast<std::size_t>(i)] = Jet::variable(value.data()[i], i);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                Jet C_ij;
                for (int k = 0; k < 3; ++k) C_ij = C_ij + at(k, i) * at(k, j);
                if (i == j) I_C = I_C + C_ij;
                II_C = II_C + square(C_ij);
            }
            const Jet cof = cofactor(0, i);
            J = J + at(0, i) * cof;
            for (int k = 0; k < 3; ++k) cof2 = cof2 + square(cofactor(k, i));
        }
        // Cancels when F is nearly singular, unlike everything else here: 113 bits instead of 64.
        J.v = static_cast<long double>(quadruple_determinant(value));
    }

    const Jet& at(int row, int column) const { return F[static_cast<std::size_t>(row + 3 * column)]; }
    Jet cofactor(int row, int column) const
    {
        const int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
        return at(r1, c1) * at(r2, c2) - at(r1, c2) * at(r2, c1);
    }

    /// Newton's method from above, where the quartic is convex, carried through the derivatives: once the value has
    /// converged, one more iteration makes the gradient exact and another the Hessian.
    const Jet& I_S() const
    {
        if (!I_S_) {
            const Jet p0 = Jet(2) * II_C - square(I_C);
            long double start = std::sqrt(3 * I_C.v) * 1.0001L; // at least the sum, by Cauchy and Schwarz
            for (int i = 0; i < 60; ++i) {
                const long double f2 = start * start;
                const long double value = f2 * (f2 - 2 * I_C.v) - 8 * J.v * start + p0.v;
                start -= value / (4 * start * (f2 - I_C.v) - 8 * J.v);
            }
            Jet f(start);
            for (int i = 0; i < 3; ++i) f = f - quartic(f, p0) / quartic_slope(f);
            I_S_ = f;
        }
        return *I_S_;
    }

private:
    mutable std::optional<Jet> I_S_; // only some energies need it

    __extension__ typedef __float128 Quadruple;

    static Quadruple quadruple_determinant(const Mat3& A)
    {
        const auto q = [&](int i, int j) { return static_cast<Quadruple>(A(i, j)); };
        return q(0, 0) * (q(1, 1) * q(2, 2) - q(1, 2) * q(2, 1)) + q(0, 1) * (q(1, 2) * q(2, 0) - q(1, 0) * q(2, 2))
            + q(0, 2) * (q(1, 0) * q(2, 1) - q(1, 1) * q(2, 0));
    }
    Jet quartic(const Jet& f, const Jet& p0) const
    {
        const Jet f2 = square(f);
        return f2 * (f2 - Jet(2) * I_C) - Jet(8) * J * f + p0;
    }
    Jet quartic_slope(const Jet& f) const { return Jet(4) * f * (square(f) - I_C) - Jet(8) * J; }
};

/// Psi(F) of each material, by overload on the material. The parameters are those of small strains.
struct LongLame {
    long double mu, lambda;
};

inline Jet arap_energy(const Invariants& x) { return x.I_C - Jet(2) * x.I_S() + Jet(3); } // sum (s_i - 1)^2

template <class Material>
struct Oracle; // a material without one is only checked against finite differences

template <>
struct Oracle<Arap> {
    static Jet Psi(const LongLame& m, const Invariants& x) { return Jet(m.mu) * arap_energy(x); }
};
template <>
struct Oracle<Corotated> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        return Jet(m.mu) * arap_energy(x) + Jet(m.lambda / 2) * square(x.I_S() - Jet(3));
    }
};
template <>
struct Oracle<FixedCorotated> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        return Jet(m.mu) * arap_energy(x) + Jet(m.lambda / 2) * square(x.J - Jet(1));
    }
};
template <>
struct Oracle<StVenantKirchhoff> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        // |E|^2 = tr (C - 1)^2/4
        const Jet E2 = Jet(0.25L) * (x.II_C - Jet(2) * x.I_C + Jet(3));
        return Jet(m.mu) * E2 + Jet(m.lambda / 8) * square(x.I_C - Jet(3));
    }
};
template <>
struct Oracle<NeoHookean> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        const Jet L = log(x.J);
        return Jet(m.mu / 2) * (x.I_C - Jet(3)) - Jet(m.mu) * L + Jet(m.lambda / 2) * square(L);
    }
};
template <>
struct Oracle<StableNeoHookean> {
    static Jet Psi(const LongLame& lame, const Invariants& x)
    {
        // as printed in the paper, and the constant that makes it 0 at rest
        const long double mu = 4 * lame.mu / 3, lambda = lame.lambda + 5 * lame.mu / 6;
        const long double alpha = 1 + mu / lambda - mu / (4 * lambda);
        const long double at_rest = lambda / 2 * (1 - alpha) * (1 - alpha) - mu / 2 * std::log(4.0L);
        return Jet(mu / 2) * (x.I_C - Jet(3)) + Jet(lambda / 2) * square(x.J - Jet(alpha))
            - Jet(mu / 2) * log(x.I_C + Jet(1)) - Jet(at_rest);
    }
};
template <>
struct Oracle<SymmetricDirichlet> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        return Jet(m.mu / 4) * (x.I_C + x.cof2 / square(x.J) - Jet(6)); // F^-1 = cof F^T/J
    }
};
template <>
struct Oracle<SymmetricGradient> {
    static Jet Psi(const LongLame& m, const Invariants& x)
    {
        return Jet(m.mu / 2) * (x.I_C - Jet(3)) - Jet(m.mu) * log(x.J);
    }
};

template <class Material>
concept HasOracle = requires(const LongLame& m, const Invariants& x)
{
    Oracle<Material>::Psi(m, x);
};

} // namespace rubato
