#include "base/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace rubato {

bool Options::has(const std::string& name) const
{
    const auto it = values_.find(name);
    return it != values_.end() && !std::holds_alternative<std::monostate>(it->second);
}

template <class T>
const T& Options::get(const std::string& name) const
{
    const auto it = values_.find(name);
    // A programmer error: the catalog entry reads an option that its list does not have, or as another type.
    if (it == values_.end()) throw std::logic_error("option '" + name + "' is not in the catalog entry");
    if (const T* value = std::get_if<T>(&it->second)) return *value;
    throw std::logic_error("option '" + name + "' has another type in the catalog entry");
}

double Options::real(const std::string& name) const { return get<double>(name); }
int Options::integer(const std::string& name) const { return get<int>(name); }
bool Options::flag(const std::string& name) const { return get<bool>(name); }
const std::string& Options::text(const std::string& name) const { return get<std::string>(name); }
const Vec3& Options::vec3(const std::string& name) const { return get<Vec3>(name); }
const std::vector<double>& Options::reals(const std::string& name) const { return get<std::vector<double>>(name); }
const std::vector<std::vector<double>>& Options::table(const std::string& name) const
{
    return get<std::vector<std::vector<double>>>(name);
}
const std::vector<std::string>& Options::texts(const std::string& name) const
{
    return get<std::vector<std::string>>(name);
}

Options defaults(const std::vector<OptionSpec>& specs)
{
    Options options;
    for (const OptionSpec& spec : specs) options.set(spec.name, spec.fallback);
    return options;
}

namespace {

/// Sizes that numbers of a unit may have, zero aside.
struct UnitRange {
    std::string_view unit;
    double smallest, largest;
};

/// From what instruments can tell apart up to what no experiment reaches, so that six such numbers can be multiplied.
constexpr UnitRange unit_ranges[] = {
    {"", 1e-9, 1e9},
    {"m", 1e-9, 1e9},
    {"s", 1e-12, 1e9},
    {"kg", 1e-18, 1e18},
    {"kg/m^3", 1e-6, 1e9},
    {"Pa", 1e-3, 1e15},
    {"N", 1e-18, 1e18},
    {"N/m", 1e-12, 1e18},
    {"J", 1e-24, 1e24},
    {"m/s", 1e-12, 1e9},
    {"m/s^2", 1e-12, 1e6},
    {"rad/s", 1e-9, 1e9},
    {"Hz", 1e-9, 1e9},
    {"1/s", 1e-9, 1e9},
    {"deg", 1e-9, 1e9},
};

} // namespace

NumberRange number_range(const OptionSpec& spec)
{
    double smallest = 0, largest = std::numeric_limits<int>::max();
    if (spec.type != OptionType::integer) {
        const auto* const range = std::find_if(
            std::begin(unit_ranges), std::end(unit_ranges), [&](const UnitRange& r) { return r.unit == spec.unit; });
        // A programmer error, as above.
        if (range == std::end(unit_ranges)) throw std::logic_error("unit '" + spec.unit + "' has no range");
        smallest = range->smallest;
        largest = range->largest;
    }
    NumberRange all{spec.least, spec.most, spec.least_open, spec.most_open};
    if (all.least == -OptionSpec::inf) all.least = -largest, all.least_open = false;
    if (all.most == OptionSpec::inf) all.most = largest, all.most_open = false;
    if (all.least == 0 && all.least_open) all.least = smallest, all.least_open = false;
    return all;
}

std::string allowed(const OptionSpec& spec)
{
    std::string what;
    switch (spec.type) {
    case OptionType::real: what = "a number"; break;
    case OptionType::integer: what = "a whole number"; break;
    case OptionType::flag: return "true or false";
    case OptionType::text: return "text";
    case OptionType::choice: return fmt::format("one of {}", fmt::join(spec.choices, ", "));
    case OptionType::vec3: what = "three numbers [x, y, z]"; break;
    case OptionType::reals: what = "a list of numbers"; break;
    case OptionType::table: what = "a list of lists of numbers"; break;
    case OptionType::texts: return "a list of texts";
    }
    const NumberRange range = number_range(spec);
    const auto shown = [&](double bound) { // a count is shown to the last digit
        return spec.type == OptionType::integer ? fmt::format("{:.0f}", bound) : fmt::format("{:g}", bound);
    };
    what += fmt::format(" {} {} and {} {}", range.least_open ? ">" : ">=", shown(range.least),
        range.most_open ? "<" : "<=", shown(range.most));
    if (!spec.unit.empty()) what += fmt::format(" [{}]", spec.unit);
    return what;
}

namespace {

/// Letters to be put in, left out or exchanged, and neighbours to be swapped, to make one word of the other.
std::size_t letters_apart(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

} // namespace

std::string closest(std::string_view word, const std::vector<std::string>& candidates)
{
    std::string best;
    // Of three letters two are nearly all: 'fbx' is no slip for 'obj'.
    const std::size_t most = word.size() <= 3 ? 1 : std::max<std::size_t>(2, word.size() / 3);
    std::size_t least = most + 1;
    for (const std::string& candidate : candidates) {
        // Every letter that one has more has to be put in; a word may be as long as the file.
        if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >= least) continue;
        const std::size_t apart = letters_apart(word, candidate);
        if (apart < least) {
            least = apart;
            best = candidate;
        }
    }
    return best;
}

} // namespace rubato
