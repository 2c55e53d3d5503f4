#include "scene/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace rubato {

namespace {

std::optional<double> number_in(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// A number, or a fraction written as text: "1/30".
std::optional<double> real_in(const Value& value)
{
    if (value.kind == Value::Kind::number && std::isfinite(value.number)) return value.number;
    if (value.kind != Value::Kind::text) return std::nullopt;
    const auto slash = value.text.find('/');
    if (slash == std::string::npos) return std::nullopt;
    const auto above = number_in(std::string_view(value.text).substr(0, slash));
    const auto below = number_in(std::string_view(value.text).substr(slash + 1));
    if (!above || !below || *below == 0 || !std::isfinite(*above / *below)) return std::nullopt;
    return *above / *below;
}

/// Whether a number, or one of a list, was written as text.
bool has_quoted_number(const Value& value)
{
    if (value.kind == Value::Kind::text) return number_in(value.text).has_value();
    return std::any_of(value.items.begin(), value.items.end(), has_quoted_number);
}

bool is_numeric(OptionType type)
{
    return type != OptionType::flag && type != OptionType::text && type != OptionType::choice
        && type != OptionType::texts;
}

/// The list of numbers in `value`, or nothing if one of them is not allowed.
std::optional<std::vector<double>> reals_in(const OptionSpec& spec, const Value& value)
{
    if (value.kind != Value::Kind::list) return std::nullopt;
    std::vector<double> numbers;
    for (const Value& item : value.items) {
        const auto n = real_in(item);
        if (!n || !number_range(spec).hold(*n)) return std::nullopt;
        numbers.push_back(*n);
    }
    return numbers;
}

/// The option's value, or monostate if what is written is not allowed.
OptionValue option_in(const OptionSpec& spec, const Value& value)
{
    switch (spec.type) {
    case OptionType::real:
        if (const auto n = real_in(value); n && number_range(spec).hold(*n)) return *n;
        return {};
    case OptionType::integer: {
        const double n = value.kind == Value::Kind::number ? value.number : 0.5;
        const bool whole = n == std::floor(n);
        if (whole && number_range(spec).hold(n)) return static_cast<int>(n);
        return {};
    }
    case OptionType::flag:
        if (value.kind == Value::Kind::flag) return value.flag;
        return {};
    case OptionType::text:
        if (value.kind == Value::Kind::text) return value.text;
        return {};
    case OptionType::choice:
        if (value.kind == Value::Kind::text
            && std::find(spec.choices.begin(), spec.choices.end(), value.text) != spec.choices.end()) {
            return value.text;
        }
        return {};
    case OptionType::vec3:
        if (const auto n = reals_in(spec, value); n && n->size() == 3) return Vec3((*n)[0], (*n)[1], (*n)[2]);
        return {};
    case OptionType::reals:
        if (const auto n = reals_in(spec, value)) return *n;
        return {};
    case OptionType::texts: {
        if (value.kind != Value::Kind::list) return {};
        std::vector<std::string> texts;
        for (const Value& item : value.items) {
            if (item.kind != Value::Kind::text) return {};
            texts.push_back(item.text);
        }
        return texts;
    }
    case OptionType::table: break;
    }
    if (value.kind != Value::Kind::list) return {};
    std::vector<std::vector<double>> rows;
    for (const Value& item : value.items) {
        const auto row = reals_in(spec, item);
        if (!row) return {};
        rows.push_back(*row);
    }
    return rows;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates)
{
    const std::string best = closest(word, candidates);
    return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

class Validator {
public:
    explicit Validator(std::string file)
        : file_(std::move(file))
    {
    }

    Block object(const Value& value, const std::string& key, const ObjectFamily& family);

    /// The first ones, and how many more there are: a file may be wrong in every line, and nobody reads them all.
    std::vector<Mistake> mistakes() &&
    {
        if (untold_ > 0) mistakes_.push_back({.file = file_, .message = fmt::format("and {} more mistakes", untold_)});
        return std::move(mistakes_);
    }

private:
    bool enough() const { return mistakes_.size() >= most_mistakes_told; }
    std::size_t count() const { return mistakes_.size() + untold_; }
    void add(Mistake mistake)
    {
        if (enough())
            ++untold_;
        else
            mistakes_.push_back(std::move(mistake));
    }
    Place place(const Value& value, const std::string& key) const
    {
        return {value.origin.empty() ? file_ : value.origin, value.line, key};
    }
    void wrong(const Value& value, const std::string& key, std::string message, bool show = true)
    {
        if (enough())
            ++untold_;
        else
            add(place(value, key).mistake(show ? value.brief() : "", std::move(message)));
    }
    /// Which spec `value` asks for; null after a mistake.
    const ObjectSpec* spec_for(const Value& value, const std::string& key, const ObjectFamily& family);
    void read_options(const Value& value, const std::string& key, const ObjectSpec& spec, Block& block);
    void read_parts(const Value& value, const std::string& key, const ObjectSpec& spec, Block& block);
    void refuse_unknown_keys(
        const Value& value, const std::string& key, const ObjectFamily& family, const ObjectSpec& spec);

    std::string file_;
    std::vector<Mistake> mistakes_;
    std::size_t untold_ = 0;
};

std::string joined(const std::string& key, const std::string& name) { return key.empty() ? name : key + "." + name; }

std::vector<std::string> type_names(const ObjectFamily& family)
{
    std::vector<std::string> names;
    for (const ObjectSpec& spec : family.specs) names.push_back(spec.name);
    return names;
}

const ObjectSpec* Validator::spec_for(const Value& value, const std::string& key, const ObjectFamily& family)
{
    if (!family.typed) {
        if (value.kind == Value::Kind::object) return &family.specs.front();
        wrong(value, key, "must be an object { ... }");
        return nullptr;
    }
    const std::vector<std::string> names = type_names(family);
    const Value* type = value.kind == Value::Kind::text ? &value : value.find("type");
    if (!type && value.kind == Value::Kind::object) {
        if (!family.fallback.empty()) return family.find(family.fallback);
        wrong(value, joined(key, "type"), fmt::format("is missing; must be one of {}", fmt::join(names, ", ")), false);
        return nullptr;
    }
    if (!type) {
        wrong(value, key, fmt::format("must be an object with a \"type\", one of {}", fmt::join(names, ", ")));
        return nullptr;
    }
    const std::string type_key = type == &value ? key : joined(key, "type");
    if (type->kind == Value::Kind::text) {
        if (const ObjectSpec* spec = family.find(type->text)) return spec;
    }
    wrong(*type, type_key, fmt::format("must be one of {}{}", fmt::join(names, ", "), did_you_mean(type->text, names)));
    return nullptr;
}

void Validator::read_options(const Value& value, const std::string& key, const ObjectSpec& spec, Block& block)
{
    for (const OptionSpec& option : spec.options) {
        const std::string option_key = joined(key, option.name);
        const Value* given = value.find(option.name);
        if (!given) {
            if (std::holds_alternative<std::monostate>(option.fallback) && !option.optional) {
                wrong(value, option_key, fmt::format("is missing; must be {}", allowed(option)), false);
            }
            block.options.set(option.name, option.fallback);
            continue;
        }
        OptionValue checked = option_in(option, *given);
        if (std::holds_alternative<std::monostate>(checked)) {
            std::string hint;
            if (option.type == OptionType::choice) hint = did_you_mean(given->text, option.choices);
            if (is_numeric(option.type) && has_quoted_number(*given)) hint = "; write it without quotes";
            wrong(*given, option_key, fmt::format("must be {}{}", allowed(option), hint));
        }
        block.options.set(option.name, std::move(checked));
        block.option_places[option.name] = place(*given, option_key);
    }
}

void Validator::read_parts(const Value& value, const std::string& key, const ObjectSpec& spec, Block& block)
{
    using Count = PartSpec::Count;
    for (const PartSpec& part : spec.parts) {
        const std::string part_key = joined(key, part.name);
        const Value* given = value.find(part.name);
        std::vector<Block>& blocks = block.parts[part.name];
        if (part.is_list()) {
            if (given && given->kind != Value::Kind::list) {
                wrong(*given, part_key, "must be a list [ ... ]");
            } else if (given) {
                for (std::size_t i = 0; i < given->items.size(); ++i) {
                    blocks.push_back(object(given->items[i], fmt::format("{}[{}]", part_key, i), part.family()));
                }
            } else {
                for (const std::string& type : part.family().list_fallback) {
                    Value word{.kind = Value::Kind::text, .line = value.line, .origin = value.origin};
                    word.text = type;
                    blocks.push_back(object(word, part_key, part.family()));
                }
            }
            const bool empty = !given || (given->kind == Value::Kind::list && given->items.empty());
            if (part.count == Count::some && empty) {
                wrong(given ? *given : value, part_key, given ? "must have at least one entry" : "is missing", false);
            }
        } else if (given) {
            blocks.push_back(object(*given, part_key, part.family()));
        } else if (part.count == Count::one_required) {
            wrong(value, part_key, fmt::format("is missing: {}", part.summary), false);
        } else if (part.count == Count::one) {
            blocks.push_back(object(Value{.kind = Value::Kind::object, .line = value.line, .origin = value.origin},
                part_key, part.family()));
        }
    }
}

void Validator::refuse_unknown_keys(
    const Value& value, const std::string& key, const ObjectFamily& family, const ObjectSpec& spec)
{
    std::vector<std::string> known;
    if (family.typed) known.push_back("type");
    for (const OptionSpec& option : spec.options) known.push_back(option.name);
    for (const PartSpec& part : spec.parts) known.push_back(part.name);
    for (const auto& [name, member] : value.members) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        if (enough()) {
            ++untold_;
            continue;
        }
        const std::string hint = did_you_mean(name, known);
        wrong(member, joined(key, name),
            "unknown key" + (hint.empty() ? fmt::format("; allowed are {}", fmt::join(known, ", ")) : hint));
    }
}

Block Validator::object(const Value& value, const std::string& key, const ObjectFamily& family)
{
    Block block;
    block.place = place(value, key);
    const ObjectSpec* spec = spec_for(value, key, family);
    if (!spec) return block;
    if (family.typed) block.type = spec->name;

    const std::size_t before = count();
    refuse_unknown_keys(value, key, family, *spec);
    read_options(value, key, *spec, block);
    read_parts(value, key, *spec, block);
    if (spec->check && count() == before) {
        for (Mistake& mistake : spec->check(block)) add(std::move(mistake));
    }
    return block;
}

} // namespace

Block validated(const Document& document, const ObjectFamily& family)
{
    Validator validator(document.file);
    Block block = validator.object(document.root, "", family);
    if (std::vector<Mistake> mistakes = std::move(validator).mistakes(); !mistakes.empty())
        throw InputError(std::move(mistakes));
    return block;
}

} // namespace rubato
