#include "scene/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace rubato {

namespace {

std::string shown(const OptionValue& value)
{
    using Json = nlohmann::json;
    if (const auto* d = std::get_if<double>(&value)) return fmt::format("{:g}", *d);
    if (const auto* i = std::get_if<int>(&value)) return std::to_string(*i);
    if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* s = std::get_if<std::string>(&value)) return Json(*s).dump();
    if (const auto* v = std::get_if<Vec3>(&value)) return fmt::format("[{:g}, {:g}, {:g}]", v->x(), v->y(), v->z());
    const auto list = [](const std::vector<double>& numbers) {
        std::string text;
        for (const double n : numbers) text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", n);
        return "[" + text + "]";
    };
    if (const auto* l = std::get_if<std::vector<double>>(&value)) return list(*l);
    if (const auto* t = std::get_if<std::vector<std::vector<double>>>(&value)) {
        std::string text;
        for (const auto& row : *t) text += (text.empty() ? "" : ", ") + list(row);
        return "[" + text + "]";
    }
    if (const auto* t = std::get_if<std::vector<std::string>>(&value)) return Json(*t).dump();
    return "";
}

std::string default_text(const OptionSpec& option)
{
    if (option.optional) return "absent";
    const std::string text = shown(option.fallback);
    return text.empty() ? "required" : text;
}

std::string count_text(const PartSpec& part)
{
    switch (part.count) {
    case PartSpec::Count::one: return part.family().fallback.empty() ? "defaults" : '"' + part.family().fallback + '"';
    case PartSpec::Count::one_required: return "required";
    case PartSpec::Count::one_or_none: return "absent";
    case PartSpec::Count::any:
        return part.family().list_fallback.empty() ? "[]" : nlohmann::json(part.family().list_fallback).dump();
    case PartSpec::Count::some: break;
    }
    return "required, at least one";
}

/// A '|' would end a cell of a table.
std::string cell(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string anchor(const ObjectFamily& family) { return fmt::format("[{0}](#{0})", family.name); }

std::string table(const ObjectSpec& spec)
{
    if (spec.options.empty() && spec.parts.empty()) return "";
    std::string text = "\n| key | value | default | |\n|---|---|---|---|\n";
    for (const OptionSpec& option : spec.options) {
        const std::string fallback = default_text(option);
        const bool code = fallback != "required" && fallback != "absent";
        text += fmt::format("| `{}` | {} | {} | {} |\n", option.name, cell(allowed(option)),
            code ? "`" + fallback + "`" : fallback, cell(option.summary));
    }
    for (const PartSpec& part : spec.parts) {
        const ObjectFamily& family = part.family();
        const std::string fallback = count_text(part);
        const bool code = fallback.front() == '"' || fallback.front() == '[';
        text += fmt::format("| `{}` | {}{} | {} | {} |\n", part.name, part.is_list() ? "list of " : "", anchor(family),
            code ? "`" + fallback + "`" : fallback, cell(part.summary));
    }
    return text;
}

std::string spec_lines(const ObjectSpec& spec, int indent)
{
    std::string text;
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    const auto line = [&](const std::string& name, const std::string& what, const std::string& fallback,
                          const std::string& summary) {
        text += fmt::format(
            "{}{:<20} {} (default: {})\n{}{:<20} {}\n", margin, name, what, fallback, margin, "", summary);
    };
    for (const OptionSpec& o : spec.options) line(o.name, allowed(o), default_text(o), o.summary);
    for (const PartSpec& p : spec.parts) {
        line(p.name, (p.is_list() ? "list of " : "") + p.family().name, count_text(p), p.summary);
    }
    return text;
}

} // namespace

std::string catalog_overview(const ObjectFamily& root)
{
    std::string text;
    for (const ObjectFamily* family : families_below(root)) {
        if (!family->typed) continue;
        text += fmt::format("{}: {}\n", family->name, family->summary);
        for (const ObjectSpec& spec : family->specs) text += fmt::format("  {:<22} {}\n", spec.name, spec.summary);
        text += "\n";
    }
    return text;
}

std::string catalog_page(const ObjectFamily& root, const std::string& family_name)
{
    std::vector<std::string> names;
    for (const ObjectFamily* family : families_below(root)) {
        names.push_back(family->name);
        if (family->name != family_name) continue;
        std::string text = fmt::format("{}: {}\n", family->name, family->summary);
        for (const ObjectSpec& spec : family->specs) {
            if (family->typed) text += fmt::format("\n{}: {}\n", spec.name, spec.summary);
            text += spec_lines(spec, 2);
        }
        return text;
    }
    const std::string best = closest(family_name, names);
    throw InputError(Mistake{.value = '"' + family_name + '"',
        .message = fmt::format("must be one of {}{}", fmt::join(names, ", "),
            best.empty() ? "" : fmt::format("; did you mean '{}'?", best))});
}

std::string format_reference(const ObjectFamily& root)
{
    std::string text
        = "<!-- Written by `rubato list --markdown`; a test compares the two. -->\n\n# The scene format\n\n"
          "A scene is a JSON file in SI units. `//` and `/* */` comments are allowed. An unknown key is a "
          "mistake, and `rubato check SCENE` shows every mistake at once. Any number may be written as a "
          "fraction in quotes, `\"1/30\"`. Where an object has a `type`, a plain string stands for an "
          "object that holds nothing but its type: `\"bdf2\"` is `{\"type\": \"bdf2\"}`. Every number has a "
          "range, wider than anything physical, within which it can be computed with.\n\n"
          "`rubato run SCENE --set time.step=1/100 --set bodies[0].material.young=1e6` replaces values on "
          "the command line. The `scene.json` in a run directory has every default written out.\n";
    for (const ObjectFamily* family : families_below(root)) {
        text += fmt::format("\n## {}\n\n{}\n", family->name, family->summary);
        if (family->typed && !family->fallback.empty()) {
            text += fmt::format("\nWithout `type` it is `\"{}\"`.\n", family->fallback);
        }
        for (const ObjectSpec& spec : family->specs) {
            if (family->typed) text += fmt::format("\n### `\"{}\"`\n\n{}\n", spec.name, spec.summary);
            text += table(spec);
        }
    }
    return text;
}

} // namespace rubato
