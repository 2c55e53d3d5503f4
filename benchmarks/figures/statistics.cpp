#include "figures/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato {

double median(std::vector<double> samples)
{
    if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    return 0.5 * (samples[(n - 1) / 2] + samples[n / 2]);
}

double spread(const std::vector<double>& samples)
{
    constexpr double normal = 1.4826; // 1/Phi^-1(3/4)
    const double middle = median(samples);
    std::vector<double> distances;
    for (const double sample : samples) distances.push_back(std::abs(sample - middle));
    return normal * median(distances);
}

namespace {

/// In how many orders of m samples of one kind and n of another the first kind wins exactly u of the m n comparisons,
/// for all u: a recursion over which kind the largest sample is of.
std::vector<double> orders_by_wins(std::size_t m, std::size_t n)
{
    std::vector<std::vector<double>> of(n + 1, {1.0}); // for no samples of the first kind: one order, no win
    for (std::size_t i = 1; i <= m; ++i) {
        std::vector<std::vector<double>> next(n + 1);
        next[0] = {1.0};
        for (std::size_t j = 1; j <= n; ++j) {
            std::vector<double> counts(i * j + 1, 0);
            for (std::size_t u = 0; u < of[j].size(); ++u) counts[u + j] += of[j][u]; // largest of the first kind
            for (std::size_t u = 0; u < next[j - 1].size(); ++u) counts[u] += next[j - 1][u]; // of the second
            next[j] = std::move(counts);
        }
        of = std::move(next);
    }
    return of[n];
}

} // namespace

double rank_test(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.empty() || b.empty()) return 1;
    double wins = 0;
    for (const double x : a) {
        for (const double y : b) wins += x > y ? 1 : x == y ? 0.5 : 0;
    }
    const double all = static_cast<double>(a.size() * b.size());
    const auto fewer = static_cast<std::size_t>(std::ceil(std::min(wins, all - wins)));
    const std::vector<double> orders = orders_by_wins(a.size(), b.size());
    double extreme = 0, total = 0;
    for (std::size_t u = 0; u < orders.size(); ++u) {
        total += orders[u];
        if (u <= fewer) extreme += orders[u];
    }
    return std::min(1.0, 2 * extreme / total);
}

double power_law_exponent(const std::vector<double>& x, const std::vector<double>& y)
{
    const std::size_t n = std::min(x.size(), y.size());
    double mean_x = 0, mean_y = 0;
    for (std::size_t i = 0; i < n; ++i) {
        mean_x += std::log(x[i]) / static_cast<double>(n);
        mean_y += std::log(y[i]) / static_cast<double>(n);
    }
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double dx = std::log(x[i]) - mean_x;
        xx += dx * dx;
        xy += dx * (std::log(y[i]) - mean_y);
    }
    return xx > 0 && std::isfinite(xy) ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

} // namespace rubato
