#include "base/errors.hpp"
#include "lab/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

/// Measured amplification matrices against the closed forms of 000 App. C.
namespace rubato {
namespace {

using Complex = std::complex<double>;

MeasuredMethod method(const std::string& name)
{
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (entry.name == name) return measured_method(entry);
    }
    throw std::logic_error("no integrator " + name);
}

std::vector<double> hbars() { return {1e-4, 1e-3, 0.02, 0.5, 1, 3.7, 44.3, 1e3, 12345.6, 1e6, 1e8}; }

/// In units h = 1, m = 1.
Eigen::Matrix2d closed_form(const std::string& name, double k)
{
    Eigen::Matrix2d Q;
    if (name == "implicit-euler") return (Q << 1, 1, -k, 1).finished() / (1 + k);
    if (name == "symplectic-euler") return (Q << 1 - k, 1, -k, 1).finished();
    if (name == "forward-euler") return (Q << 1, 1, -k, 1).finished();
    if (name == "stormer-verlet") return (Q << 1 - k / 2, 1, -k + k * k / 4, 1 - k / 2).finished();
    return (Q << 1 - k / 4, 1, -k, 1 - k / 4).finished() / (1 + k / 4); // midpoint, trapezoidal
}

TEST(Amplification, IsTheClosedFormOfEachClassicalMethod)
{
    for (const char* name :
        {"implicit-euler", "symplectic-euler", "forward-euler", "stormer-verlet", "implicit-midpoint", "trapezoidal"}) {
        for (const double hbar : hbars()) {
            const Amplification a = amplification(method(name), hbar);
            const Eigen::Matrix2d Q = closed_form(name, hbar);
            ASSERT_EQ(a.steps, 1) << name;
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2; ++j) {
                    EXPECT_NEAR(a.Q(i, j), Q(i, j), 1e-12 * std::abs(Q(i, j)) + (i == j ? 1e-12 : 1e-15))
                        << name << " at " << hbar << ", entry " << i << ", " << j;
                }
            }
            // What remains of a determinant is no more exact than the products it is the difference of.
            const double size = std::abs(Q(0, 0) * Q(1, 1)) + std::abs(Q(0, 1) * Q(1, 0));
            EXPECT_NEAR(a.determinant, Q(0, 0) * Q(1, 1) - Q(0, 1) * Q(1, 0), 1e-12 * std::max(1.0, size))
                << name << " at " << hbar;
            EXPECT_NEAR(a.trace, Q.trace(), 1e-12 * std::max(1.0, std::abs(Q.trace()))) << name << " at " << hbar;
        }
    }
}

TEST(Amplification, OfImplicitEulerShrinksAreasByOnePlusHbar)
{
    for (const double hbar : hbars()) {
        const Amplification a = amplification(method("implicit-euler"), hbar);
        EXPECT_NEAR(a.determinant * (1 + hbar), 1, 1e-12) << hbar;
        EXPECT_NEAR(a.spectral_radius * std::sqrt(1 + hbar), 1, 1e-12) << hbar;
    }
}

TEST(Amplification, OfTheMidpointAndTheTrapezoidalRuleKeepsAreasAndStaysOnTheUnitCircle)
{
    for (const char* name : {"implicit-midpoint", "trapezoidal"}) {
        for (const double hbar : hbars()) {
            const Amplification a = amplification(method(name), hbar);
            EXPECT_NEAR(a.determinant, 1, 1e-12) << name << " at " << hbar;
            EXPECT_NEAR(a.trace, 2 * (4 - hbar) / (4 + hbar), 1e-12) << name << " at " << hbar;
            EXPECT_NEAR(a.spectral_radius, 1, 1e-12) << name << " at " << hbar;
        }
    }
}

TEST(Amplification, OfSymplecticEulerLeavesTheUnitCircleAtFour)
{
    const auto radius = [](double hbar) { return amplification(method("symplectic-euler"), hbar).spectral_radius; };
    EXPECT_NEAR(radius(3.999), 1, 1e-12);
    EXPECT_GT(radius(4.001), 1.03);
    EXPECT_NEAR(radius(4.5), 2, 1e-12); // trace -2.5, determinant 1: -2 and -1/2
    const Amplification far = amplification(method("symplectic-euler"), 1048576);
    EXPECT_NEAR(far.eigenvalues[0].real() * far.eigenvalues[1].real(), 1, 1e-9);
}

/// x - i v/omega is multiplied by R(i omega): the matrix has the eigenvalues R and its conjugate.
TEST(Amplification, OfRungeKuttaMethodsHasTheStabilityFunctionAsEigenvalue)
{
    const double d = 1 - 1 / std::numbers::sqrt2;
    for (const double hbar : hbars()) {
        const Complex z(0, std::sqrt(hbar));
        const Complex L_stable = (1.0 + (1 - 2 * d) * z) / ((1.0 - d * z) * (1.0 - d * z));
        const Complex rk4 = 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
        for (const auto& [name, R] : {std::pair{"sdirk2", L_stable}, {"tr-bdf2", L_stable}, {"rk4", rk4}}) {
            const Amplification a = amplification(method(name), hbar);
            EXPECT_NEAR(a.spectral_radius, std::abs(R), 1e-11 * std::abs(R)) << name << " at " << hbar;
            EXPECT_NEAR(a.trace, 2 * R.real(), 1e-11 * std::abs(R)) << name << " at " << hbar;
            EXPECT_NEAR(a.eigenvalues[0].real(), R.real(), 1e-11 * std::abs(R)) << name << " at " << hbar;
            EXPECT_NEAR(a.eigenvalues[0].imag(), std::abs(R.imag()), 1e-11 * std::abs(R)) << name << " at " << hbar;
        }
    }
}

/// (3 - 2 z) r^2 - 4 r + 1 = 0 with z = i omega and with its conjugate.
TEST(Amplification, OfBdf2IsTheCompanionMatrixOfItsRecurrence)
{
    for (const double hbar : hbars()) {
        const Amplification a = amplification(method("bdf2"), hbar);
        ASSERT_EQ(a.steps, 2);
        ASSERT_EQ(a.eigenvalues.size(), 4u);
        const Complex lead(3, -2 * std::sqrt(hbar)), root = std::sqrt(4.0 - lead);
        const double larger = std::max(std::abs((2.0 + root) / lead), std::abs((2.0 - root) / lead));
        EXPECT_NEAR(a.spectral_radius, larger, 1e-11) << hbar;
        EXPECT_NEAR(a.determinant * std::norm(lead), 1, 1e-11) << hbar;
        EXPECT_NEAR(a.trace, 2 * (4.0 / lead).real(), 1e-11) << hbar;
        for (const Complex r : a.eigenvalues) {
            const Complex p = lead * r * r - 4.0 * r + 1.0, q = std::conj(lead) * r * r - 4.0 * r + 1.0;
            EXPECT_LT(std::min(std::abs(p), std::abs(q)), 1e-10) << hbar;
        }
    }
}

TEST(Amplification, OfNewmarkNeedsNoMoreThanTheStateItStartsFrom)
{
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (entry.name != "newmark") continue;
        Options options = defaults(entry.options);
        options.set("beta", 0.3025);
        options.set("gamma", 0.6);
        for (const double hbar : hbars()) {
            const Amplification a = amplification(measured_method(entry, options), hbar);
            EXPECT_EQ(a.steps, 1) << hbar;
            // beta = (gamma + 1/2)^2/4: complex eigenvalues of modulus (1 - (gamma - 1/2) hbar/(1 + beta hbar))^(1/2)
            EXPECT_NEAR(a.determinant, 1 - 0.1 * hbar / (1 + 0.3025 * hbar), 1e-12) << hbar;
        }
    }
}

MeasuredMethod generalised_alpha(double rho_inf)
{
    const IntegratorEntry& entry = integrator_named("generalised-alpha");
    Options options = defaults(entry.options);
    options.set("rho_inf", rho_inf);
    return measured_method(entry, options);
}

/// With x_n = r^n and h = m = 1 the formulas of the method leave
///
///     ((1 - alpha_m) r + alpha_m) (r - 1)^2 + hbar ((1 - alpha_f) r + alpha_f) (beta r + 1/2 - beta) (r - 1)
///         + hbar ((1 - alpha_f) r + alpha_f) (gamma r + 1 - gamma) = 0.
TEST(Amplification, OfGeneralisedAlphaHasTheRootsOfItsCubic)
{
    for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.95}) {
        const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
        const double gamma = 0.5 - alpha_m + alpha_f, beta = std::pow(1 - alpha_m + alpha_f, 2) / 4;
        for (const double hbar : {0.02, 0.5, 1.0, 3.7, 44.3, 1e3, 1e6, 1e8}) {
            const Amplification a = amplification(generalised_alpha(rho), hbar);
            ASSERT_EQ(a.steps, 2) << rho;
            ASSERT_EQ(a.eigenvalues.size(), 3u) << rho;
            for (const Complex r : a.eigenvalues) {
                const Complex force = hbar * ((1 - alpha_f) * r + alpha_f);
                const Complex zero = ((1 - alpha_m) * r + alpha_m) * (r - 1.0) * (r - 1.0)
                    + force * ((beta * r + 0.5 - beta) * (r - 1.0) + gamma * r + 1.0 - gamma);
                EXPECT_LT(std::abs(zero), 1e-7 * (1 + hbar)) << rho << " at " << hbar << ", root " << r;
            }
        }
    }
}

/// The eigenvalues at infinite frequency are -rho_inf three times, so that they get there with (h omega)^(-2/3) only:
/// what is missing at h omega = 1e4 is half of what is missing at an eighth of hbar.
TEST(Amplification, OfGeneralisedAlphaHasTheSpectralRadiusThatWasAskedForAtHighFrequencies)
{
    for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
        const auto radius = [&](double hbar) { return amplification(generalised_alpha(rho), hbar).spectral_radius; };
        EXPECT_NEAR(radius(1e8), rho, 2.2e-3) << rho;
        EXPECT_NEAR(2 * radius(1e8) - radius(1e8 / 8), rho, 1e-4) << rho;
    }
    EXPECT_GT(amplification(generalised_alpha(0.8), 1e-2).spectral_radius, 0.9999);
}

TEST(StabilitySweep, FindsNothingUnstableInGeneralisedAlpha)
{
    for (const double rho : {0.0, 0.5, 0.8, 1.0}) {
        EXPECT_TRUE(stability_sweep(generalised_alpha(rho), 1e-2, 1e8, 25).unstable.empty()) << rho;
    }
}

TEST(Amplification, CanBeMeasuredForEveryMethodOfTheCatalogThatDoesNotSteerTheEnergy)
{
    for (const IntegratorEntry& entry : integrator_catalog()) {
        if (entry.aims_at_target) {
            EXPECT_THROW(amplification(measured_method(entry), 2), InputError) << entry.name;
        } else {
            EXPECT_NO_THROW(amplification(measured_method(entry), 2)) << entry.name;
        }
    }
}

TEST(StabilitySweep, FindsWhereExplicitMethodsBecomeUnstable)
{
    for (const auto& [name, border] : {std::pair{"symplectic-euler", 4.0}, {"stormer-verlet", 4.0}, {"rk4", 8.0}}) {
        const StabilitySweep sweep = stability_sweep(method(name), 1e-3, 1e4, 20);
        ASSERT_EQ(sweep.unstable.size(), 1u) << name;
        EXPECT_NEAR(sweep.unstable[0].low, border, 1e-6) << name;
        EXPECT_EQ(sweep.unstable[0].high, 1e4);
    }
    const StabilitySweep never = stability_sweep(method("forward-euler"), 1e-3, 1e4, 20);
    ASSERT_EQ(never.unstable.size(), 1u);
    EXPECT_EQ(never.unstable[0].low, 1e-3);
}

TEST(StabilitySweep, FindsNothingUnstableInAStableMethod)
{
    for (const char* name : {"implicit-euler", "implicit-midpoint", "trapezoidal", "bdf2", "sdirk2", "tr-bdf2"}) {
        const StabilitySweep sweep = stability_sweep(method(name), 1e-4, 1e8, 49);
        EXPECT_TRUE(sweep.unstable.empty()) << name;
        ASSERT_EQ(sweep.points.size(), 49u);
        EXPECT_EQ(sweep.points.front().hbar, 1e-4);
        EXPECT_EQ(sweep.points.back().hbar, 1e8);
        EXPECT_NEAR(sweep.points[24].hbar, 100, 1e-9);
    }
}

/// Doubles the velocity whenever the energy is low.
class Nonlinear final : public Integrator {
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = r.now;
        if (r.dynamics.kinetic_energy(r.now.v) < 0.6) next.v *= 2;
        return {};
    }
};

TEST(Amplification, IsRefusedByNameForAMethodThatIsNotLinear)
{
    const MeasuredMethod odd{.name = "odd-method", .make = [] { return std::make_unique<Nonlinear>(); }};
    try {
        amplification(odd, 1);
        FAIL() << "it has no matrix";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("odd-method"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("not linear"), std::string::npos) << error.what();
    }
}

/// Linear in every step, but it brakes after the third.
class Tiring final : public Integrator {
    StepOutcome step(const StepRequest& r, State& next) override
    {
        next = r.now;
        if (accepted_ > 5) next.v *= 0.5;
        return {};
    }
    void accept(const State&, const State&) override { ++accepted_; }
    int accepted_ = 0;
};

TEST(Amplification, IsRefusedForAHistoryThatIsNotMadeOfStates)
{
    const MeasuredMethod odd{.name = "tiring", .make = [] { return std::make_unique<Tiring>(); }};
    EXPECT_THROW(amplification(odd, 1), InputError);
}

} // namespace
} // namespace rubato
