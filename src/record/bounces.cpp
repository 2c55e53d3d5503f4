#include "record/bounces.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rubato {

namespace {

constexpr double least_hop = 0.01; ///< of the drop
constexpr std::size_t most_shown = 5;

} // namespace

double Bounces::height() const
{
    double sum = 0;
    for (const Top& top : tops) sum += top.rise;
    return sum;
}

std::string Bounces::shares() const
{
    if (tops.empty()) return "none";
    std::string text;
    for (std::size_t i = 0; i < tops.size(); ++i) {
        const bool last = i + 1 == tops.size();
        if (i + 1 == most_shown && !last) text += ", ...";
        if (i + 1 >= most_shown && !last) continue;
        text += fmt::format("{}{:.0f}", i == 0 ? "" : ", ", 100 * share(i));
    }
    return text + " %";
}

std::optional<Bounces> bounces(const StatsTable& table, double weight)
{
    if (!(weight > 0) || table.rows() < 3) return {};
    const std::vector<double>&time = table.column("time"), &gravity = table.column("gravity"),
          &contacts = table.column("contacts"); // NaN without contact
    const auto height = [&](std::size_t row) { return gravity[row] / weight; };
    std::size_t row = 0;
    while (row < table.rows() && !(contacts[row] > 0)) ++row;
    if (row == 0 || row == table.rows()) return {};

    Bounces all{.contact_time = time[row], .drop = height(0) - height(row)};
    const double floor = height(row);
    if (!(all.drop > 0)) return {};
    while (row < table.rows()) {
        if (contacts[row] > 0) {
            ++row;
            continue;
        }
        const std::size_t begin = row;
        std::size_t top = row;
        for (; row < table.rows() && !(contacts[row] > 0); ++row) {
            if (height(row) > height(top)) top = row;
        }
        if (top + 1 == table.rows()) break; // still on its way up
        const double hop = height(top) - std::max(height(begin - 1), row < table.rows() ? height(row) : floor);
        const double rise = height(top) - floor;
        if (std::min(hop, rise) > least_hop * all.drop) all.tops.push_back({time[top], rise});
    }
    return all;
}

} // namespace rubato
