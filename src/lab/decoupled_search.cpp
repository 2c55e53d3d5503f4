#include "lab/decoupled_search.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

/// With e_i = b_i - g_i the explicit parts and z = ih,
///
///     R(z) = prod_i (1 + e_i z)/(1 - g_i z),      phi = sum_i atan(e_i h) + atan(g_i h),
///     rho^2 = prod_i (1 + e_i^2 h^2)/(1 + g_i^2 h^2)
///
/// The phase grows from 0 to a quarter turn for every part that is not zero. Where it passes a half turn the trace is
/// +-(rho + 1/rho), at least 2 in size, so the excess is at least the largest of these, less 2, and
/// is often reached there.
namespace rubato {

namespace {

constexpr double negligible = 1e-12; // parts of the step shorter than this count as none
constexpr int most_trials = 2000; // for one start
constexpr double least_h = 1e-3, largest_h = 1e9;

double explicit_part(const SubstepChain& c, std::size_t i) { return c.b[i] - c.g[i]; }

int parts(const SubstepChain& c)
{
    int count = 0;
    for (std::size_t i = 0; i < c.b.size(); ++i) count += (c.g[i] > negligible) + (explicit_part(c, i) > negligible);
    return count;
}

/// |trace| - 2 where the phase passes k pi, and at some steps from short to long; the largest of these.
double rough_excess(const SubstepChain& c)
{
    double worst = 0;
    for (double h = 0.1; h < largest_h; h *= 1.3) worst = std::max(worst, std::abs(decoupled_trace(c, h)) - 2);
    for (int k = 1; 2 * k < parts(c); ++k) {
        double low = std::log(least_h), high = std::log(largest_h);
        for (int i = 0; i < 60; ++i) {
            const double mid = 0.5 * (low + high);
            (phase(c, std::exp(mid)) < k * std::numbers::pi ? low : high) = mid;
        }
        const double rho = modulus(c, std::exp(low));
        worst = std::max(worst, rho + 1 / rho - 2);
    }
    return worst;
}

/// The chain that unconstrained numbers stand for: lengths by exponentials, places by the logistic function, shifted
/// together until the order is two. Empty when no shift does it.
SubstepChain chain_of(const std::vector<double>& z)
{
    const std::size_t stages = (z.size() + 1) / 2, inner = stages - 1;
    SubstepChain c{std::vector<double>(stages), std::vector<double>(stages)};
    double sum = 0;
    for (std::size_t i = 0; i < stages; ++i) sum += c.b[i] = std::exp(z[i]);
    for (double& length : c.b) length /= sum;
    c.g.back() = c.b.back();
    const auto defect = [&](double shift) {
        for (std::size_t i = 0; i < inner; ++i) c.g[i] = c.b[i] / (1 + std::exp(-z[stages + i] - shift));
        return c.order_defect();
    };
    double low = -60, high = 60;
    if (defect(low) > 0 || defect(high) < 0) return {};
    for (int i = 0; i < 100; ++i) {
        const double mid = 0.5 * (low + high);
        (defect(mid) < 0 ? low : high) = mid;
    }
    defect(low);
    return c;
}

double normal(Random& random) // sum of twelve uniform numbers less six: near enough
{
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    return sum;
}

} // namespace

std::vector<std::vector<double>> SubstepChain::A() const
{
    std::vector<std::vector<double>> matrix(b.size(), std::vector<double>(b.size(), 0.0));
    for (std::size_t i = 0; i < b.size(); ++i) {
        std::copy_n(b.begin(), i, matrix[i].begin());
        matrix[i][i] = g[i];
    }
    return matrix;
}

double SubstepChain::order_defect() const
{
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * (2 * g[i] - b[i]); // g^2 - (b - g)^2
    return sum;
}

double phase(const SubstepChain& c, double h)
{
    double sum = 0;
    for (std::size_t i = 0; i < c.b.size(); ++i) sum += std::atan(explicit_part(c, i) * h) + std::atan(c.g[i] * h);
    return sum;
}

double modulus(const SubstepChain& c, double h)
{
    double product = 1;
    for (std::size_t i = 0; i < c.b.size(); ++i) {
        const double e = explicit_part(c, i) * h, g = c.g[i] * h;
        product *= (1 + e * e) / (1 + g * g);
    }
    return std::sqrt(product);
}

double decoupled_trace(const SubstepChain& c, double h)
{
    const double rho = modulus(c, h);
    return std::cos(phase(c, h)) * (rho + 1 / rho);
}

double worst_excess(const SubstepChain& c)
{
    const auto excess = [&](double log_h) { return std::abs(decoupled_trace(c, std::exp(log_h))) - 2; };
    constexpr int points = 6000;
    const double first = std::log(least_h), width = (std::log(largest_h) - first) / points;
    double worst = -2;
    for (int i = 0; i <= points; ++i) {
        // Around every sample: ternary search for the peak that may lie between its neighbours.
        const double here = first + i * width;
        if (excess(here) + 0.05 < worst) continue;
        double low = here - width, high = here + width;
        for (int k = 0; k < 40; ++k) {
            const double third = (high - low) / 3;
            (excess(low + third) < excess(high - third) ? low : high)
                += (excess(low + third) < excess(high - third)) ? third : -third;
        }
        worst = std::max({worst, excess(here), excess(0.5 * (low + high))});
    }
    return worst;
}

ChainSearch search_chains(int stages, double kept, int starts, std::uint64_t seed)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Random random(seed);
    ChainSearch found{.best = {}, .excess = infinity};
    const auto value_of = [&](const SubstepChain& chain) {
        ++found.tried;
        if (chain.b.empty()) return infinity;
        const double undamped = std::max(0.0, modulus(chain, damping_step) - kept);
        return undamped > 0 ? 1e3 + undamped : rough_excess(chain);
    };
    for (int start = 0; start < starts; ++start) {
        std::vector<double> z(static_cast<std::size_t>(2 * stages - 1)), trial;
        for (double& number : z) number = 2 * normal(random);
        double best = infinity;
        // One parent, one child, the width of mutation steered by success.
        double width = 1;
        for (int i = 0; i < most_trials && width > 1e-7; ++i) {
            trial = z;
            for (double& number : trial) number += width * normal(random);
            const double value = value_of(chain_of(trial));
            if (value < best) {
                best = value;
                z = trial;
                width *= 1.6;
            } else {
                width *= 0.96;
            }
        }
        if (best < found.excess) {
            found.excess = best;
            found.best = chain_of(z);
        }
    }
    if (!found.best.b.empty()) found.excess = worst_excess(found.best);
    return found;
}

} // namespace rubato
