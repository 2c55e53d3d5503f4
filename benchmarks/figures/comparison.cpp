#include "figures/comparison.hpp"

#include "figures/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rubato {

namespace {

constexpr std::size_t enough_for_ranks = 5;

std::vector<double> logarithms(const std::vector<double>& samples)
{
    std::vector<double> out;
    for (const double sample : samples) out.push_back(std::log(sample));
    return out;
}

/// Of logarithms.
bool apart(const std::vector<double>& a, const std::vector<double>& b, double probability)
{
    if (std::min(a.size(), b.size()) >= enough_for_ranks) return rank_test(a, b) <= probability;
    const auto [least_a, most_a] = std::minmax_element(a.begin(), a.end());
    const auto [least_b, most_b] = std::minmax_element(b.begin(), b.end());
    const double gap = std::max(*least_b - *most_a, *least_a - *most_b);
    return gap > 0.5 * std::max(*most_a - *least_a, *most_b - *least_b);
}

Change judged(const Figure& before, const Figure& after, const ChangeRule& rule)
{
    Change change{.before = before, .after = after};
    const bool measured = !before.samples.empty() && !after.samples.empty();
    const double a = median(before.samples), b = median(after.samples);
    if (measured) change.ratio = b / a;
    if (!measured || before.better == Better::neither) {
        const bool equal
            = before.text == after.text && before.samples.empty() == after.samples.empty() && (!measured || a == b);
        change.verdict = equal ? Verdict::same : Verdict::differs;
        return change;
    }
    if (!(a > 0) || !(b > 0)) { // no ratio
        change.verdict = a == b ? Verdict::same : Verdict::differs;
        return change;
    }
    const std::vector<double> from = logarithms(before.samples), to = logarithms(after.samples);
    const double step = median(to) - median(from);
    const bool single = std::min(from.size(), to.size()) < 2;
    const bool counts = std::abs(step) > std::log1p(single ? std::max(rule.least, rule.least_of_one) : rule.least)
        && std::abs(step) > rule.spreads * std::hypot(spread(from), spread(to)) && apart(from, to, rule.probability);
    if (counts) change.verdict = (step < 0) == (before.better == Better::lower) ? Verdict::better : Verdict::worse;
    return change;
}

std::string cell(const Figure& figure)
{
    if (figure.samples.empty()) return figure.text;
    return fmt::format("{:.4g}{}{}", median(figure.samples), figure.unit.empty() ? "" : " ", figure.unit);
}

std::string name(const Figure& figure) { return fmt::format("{} | {} | {}", figure.table, figure.row, figure.column); }

} // namespace

std::vector<Change> compared(const FigureSet& before, const FigureSet& after, const ChangeRule& rule)
{
    std::vector<Change> changes;
    for (const Figure& figure : before.figures) {
        const Figure* now = after.find(figure);
        changes.push_back(now != nullptr ? judged(figure, *now, rule)
                                         : Change{.before = figure, .after = {}, .verdict = Verdict::only_before});
    }
    for (const Figure& figure : after.figures) {
        if (before.find(figure) == nullptr)
            changes.push_back({.before = {}, .after = figure, .verdict = Verdict::only_after});
    }
    return changes;
}

std::string told(const std::vector<Change>& changes)
{
    std::string out;
    long same = 0, gone = 0, new_ones = 0;
    for (const Change& change : changes) {
        const std::string from_to
            = fmt::format("{}: {} -> {}", name(change.before), cell(change.before), cell(change.after));
        switch (change.verdict) {
        case Verdict::same: ++same; break;
        case Verdict::better: out += fmt::format("better   x{:<6.3f} {}\n", change.ratio, from_to); break;
        case Verdict::worse: out += fmt::format("WORSE    x{:<6.3f} {}\n", change.ratio, from_to); break;
        case Verdict::differs: out += fmt::format("differs          {}\n", from_to); break;
        case Verdict::only_before: ++gone; break;
        case Verdict::only_after: ++new_ones; break;
        }
    }
    out += fmt::format("{} of {} figures are the same within their noise", same, changes.size());
    if (gone > 0) out += fmt::format("; {} are only in the first file", gone);
    if (new_ones > 0) out += fmt::format("; {} are only in the second", new_ones);
    return out + '\n';
}

bool anything_worse(const std::vector<Change>& changes)
{
    return std::any_of(changes.begin(), changes.end(), [](const Change& c) { return c.verdict == Verdict::worse; });
}

} // namespace rubato
