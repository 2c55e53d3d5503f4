#include "analyze.hpp"

#include "base/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <iostream>
#include <unistd.h>

namespace rubato::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1) {
        parts.push_back(text.substr(begin, end - begin));
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// A whole text as a number, or as one number over another; NaN if it is neither.
double number(const std::string& text)
{
    const auto plain = [](const std::string& t) {
        double value = NAN;
        const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
        return error == std::errc() && end == t.data() + t.size() ? value : NAN;
    };
    const std::size_t slash = text.find('/');
    return slash == std::string::npos ? plain(text) : plain(text.substr(0, slash)) / plain(text.substr(slash + 1));
}

/// Reads key=value into the options; returns what is wrong with it, empty if nothing.
std::string set_option(const std::string& setting, const IntegratorEntry& entry, Options& options)
{
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return "'" + setting + "' must be OPTION=NUMBER";
    const std::string name = setting.substr(0, equals);
    const auto spec = std::find_if(entry.options.begin(), entry.options.end(),
        [&](const OptionSpec& candidate) { return candidate.name == name; });
    if (spec == entry.options.end()) return entry.name + " has no option '" + name + "'";
    const double value = number(setting.substr(equals + 1));
    if (!number_range(*spec).hold(value)) return "'" + setting + "' must be " + allowed(*spec);
    if (spec->type == OptionType::real) {
        options.set(name, value);
    } else if (spec->type == OptionType::integer && value == std::floor(value)) {
        options.set(name, static_cast<int>(value));
    } else {
        return "option '" + name + "' cannot be given here; it is " + allowed(*spec);
    }
    return "";
}

} // namespace

void add_analyze(CLI::App& app, int& status)
{
    CLI::App* analyze = app.add_subcommand("analyze", "Measure stability, spectrum or convergence");
    analyze->require_subcommand(1);
    add_analyze_stability(*analyze, status);
    add_analyze_spectrum(*analyze, status);
    add_analyze_convergence(*analyze, status);
}

std::string ChosenMethod::json() const
{
    nlohmann::ordered_json block;
    block["type"] = entry->name;
    for (const OptionSpec& spec : entry->options) {
        if (!options.has(spec.name)) continue;
        if (spec.type == OptionType::real) block[spec.name] = options.real(spec.name);
        if (spec.type == OptionType::integer) block[spec.name] = options.integer(spec.name);
    }
    return block.dump();
}

std::vector<ChosenMethod> chosen_methods(const std::string& list, const char* option)
{
    std::vector<ChosenMethod> chosen;
    std::vector<std::string> names;
    for (const IntegratorEntry& entry : integrator_catalog()) {
        names.push_back(entry.name);
        if (list == "all") chosen.push_back({entry.name, &entry, defaults(entry.options)});
    }
    if (list == "all") return chosen;

    std::vector<Mistake> mistakes;
    for (const std::string& word : split(list, ',')) {
        const auto mistake
            = [&](const std::string& why) { mistakes.push_back({.file = option, .value = word, .message = why}); };
        const std::vector<std::string> parts = split(word, ':');
        const auto& catalog = integrator_catalog();
        const auto entry = std::find_if(catalog.begin(), catalog.end(),
            [&](const IntegratorEntry& candidate) { return candidate.name == parts[0]; });
        if (entry == catalog.end()) {
            const std::string best = closest(parts[0], names);
            mistake("there is no such integrator; "
                + (best.empty() ? "the command 'list integrators' shows them" : "did you mean '" + best + "'?"));
            continue;
        }
        ChosenMethod method{word, &*entry, defaults(entry->options)};
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const std::string why = set_option(parts[i], *entry, method.options);
            if (!why.empty()) mistake(why);
        }
        chosen.push_back(std::move(method));
    }
    if (!mistakes.empty()) throw InputError(mistakes);
    return chosen;
}

double positive_number(const std::string& text, const char* option, const char* unit)
{
    const OptionSpec spec{.name = option, .unit = unit, .least = 0, .least_open = true};
    const double value = number(text);
    if (!number_range(spec).hold(value)) {
        throw InputError(Mistake{
            .file = option, .value = text, .message = fmt::format("must be {}, e.g. 0.01 or 1/100", allowed(spec))});
    }
    return value;
}

void make_directory(const std::filesystem::path& directory)
{
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) throw InputError(Mistake{.file = "--out", .value = directory.string(), .message = error.message()});
}

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.17g}", value) : ""; }

std::string joined(const std::vector<std::string>& cells) { return fmt::format("{}\n", fmt::join(cells, ",")); }

Notice::Notice()
    : terminal_(isatty(STDERR_FILENO) == 1)
{
}

Notice::~Notice() { say(""); }

void Notice::say(const std::string& text)
{
    if (!terminal_) return;
    const std::string blank(width_ > text.size() ? width_ - text.size() : 0, ' ');
    std::cerr << '\r' << text << blank << (text.empty() ? "\r" : "") << std::flush;
    width_ = std::max(width_, text.size());
}

} // namespace rubato::cli
