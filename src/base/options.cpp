#include "base/options.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    if (spec.least > -OptionSpec::inf) what += fmt::format(" {} {:g}", spec.least_open ? ">" : ">=", spec.least);
    if (spec.most < OptionSpec::inf) {
        what += fmt::format(
            "{} {} {:g}", spec.least > -OptionSpec::inf ? " and" : "", spec.most_open ? "<" : "<=", spec.most);
    }
    if (!spec.unit.empty()) what += fmt::format(" [{}]", spec.unit);
    return what;
}

std::string closest(std::string_view word, const std::vector<std::string>& candidates)
{
    const auto distance = [](std::string_view a, std::string_view b) {
        std::vector<std::size_t> row(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                const std::size_t above = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
                diagonal = above;
            }
        }
        return row[b.size()];
    };
    std::string best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t d = distance(word, candidate);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

} // namespace rubato
