#pragma once

#include "base/types.hpp"

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Options as data. A catalog entry lists what it accepts (OptionSpec); the scene reader checks a file against the
/// list and hands over plain values (Options). No integrator, material or solver ever parses a file.
namespace rubato {

enum class OptionType {
    real, ///< a number
    integer,
    flag, ///< true or false
    text, ///< free text
    choice, ///< one of OptionSpec::choices
    vec3, ///< [x, y, z]
    reals, ///< a list of numbers
    table, ///< a list of lists of numbers
    texts, ///< a list of free texts
};

using OptionValue = std::variant<std::monostate, double, int, bool, std::string, Vec3, std::vector<double>,
    std::vector<std::vector<double>>, std::vector<std::string>>;

struct OptionSpec {
    static constexpr double inf = std::numeric_limits<double>::infinity();

    std::string name;
    OptionType type = OptionType::real;
    OptionValue fallback = {}; ///< value when the key is absent; monostate: the key is required
    std::string unit = ""; ///< SI unit, e.g. "Pa"; empty when dimensionless
    std::string summary = ""; ///< one sentence for `rubato list` and the docs
    double least = -inf; ///< smallest allowed number (each entry of vec3, reals and table too); -inf: that of the unit
    double most = inf; ///< largest allowed number; inf: that of the unit
    bool least_open = false; ///< the bound itself is not allowed
    bool most_open = false;
    std::vector<std::string> choices = {};
    bool optional = false; ///< may be absent although it has no fallback; ask Options::has
};

/// The range of a number.
struct NumberRange {
    double least = 0, most = 0;
    bool least_open = false, most_open = false; ///< the bound itself is not allowed

    bool hold(double number) const
    {
        return (least_open ? number > least : number >= least) && (most_open ? number < most : number <= most);
    }
};

/// Range of the numbers of an option. It always has two ends: where the option states none, those of its unit hold,
/// which leave room for anything physical, and for products of such numbers in double precision. "Above zero" means
/// at least the smallest number of the unit. The unit must be one that is known.
NumberRange number_range(const OptionSpec& spec);

/// Values by name, complete: every option that was not given has its fallback.
class Options {
public:
    void set(const std::string& name, OptionValue value) { values_[name] = std::move(value); }
    bool has(const std::string& name) const;

    double real(const std::string& name) const;
    int integer(const std::string& name) const;
    bool flag(const std::string& name) const;
    const std::string& text(const std::string& name) const;
    const Vec3& vec3(const std::string& name) const;
    const std::vector<double>& reals(const std::string& name) const;
    const std::vector<std::vector<double>>& table(const std::string& name) const;
    const std::vector<std::string>& texts(const std::string& name) const;

    const std::map<std::string, OptionValue>& all() const { return values_; }

private:
    template <class T>
    const T& get(const std::string& name) const;

    std::map<std::string, OptionValue> values_;
};

/// Fallbacks of all specs: what a scene that says nothing gets.
Options defaults(const std::vector<OptionSpec>& specs);

/// "a number >= 0.001 and <= 1e+15 [Pa]": what is allowed, for messages and docs.
std::string allowed(const OptionSpec& spec);

/// The candidate closest to `word` in edit distance, or empty when none is close: "did you mean".
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

} // namespace rubato
