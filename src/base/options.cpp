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
