#pragma once

#include "base/errors.hpp"
#include "base/options.hpp"
#include "scene/document.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// The scene format as data. An object of a scene is described by an ObjectSpec: its plain values (OptionSpec, shared
/// with the catalogs) and its parts, which are objects again. One validator, one writer and one page of documentation
/// walk these tables; none of them knows a single key by name.
namespace rubato {

/// Where something stands in the input.
struct Place {
    std::string file; ///< or the command-line option it came from
    int line = 0;
    std::string key; ///< dotted path

    Mistake mistake(std::string value, std::string message) const
    {
        return {file, line, key, std::move(value), std::move(message)};
    }
};

/// One object of a scene, checked and complete: every option has its value, given or by default.
struct Block {
    std::string type; ///< which of its family; empty where there is only one
    Options options;
    std::map<std::string, std::vector<Block>> parts; ///< a part that is not a list has at most one entry
    Place place;
    std::map<std::string, Place> option_places; ///< of the options that were given

    bool has(const std::string& part_name) const;
    const Block& part(const std::string& part_name) const; ///< must be there
    const std::vector<Block>& list(const std::string& part_name) const;
    /// Where an option stands; the block itself when it was not given.
    Place place_of(const std::string& option) const;

    /// Same content, wherever it was written.
    bool operator==(const Block& other) const;
};

struct ObjectFamily;

/// A key of an object whose value is an object, or a list of objects.
struct PartSpec {
    enum class Count {
        one, ///< absent: all defaults
        one_required,
        one_or_none,
        any, ///< a list, possibly empty
        some, ///< a list of at least one
    };
    std::string name;
    std::string summary;
    const ObjectFamily& (*family)() = nullptr;
    Count count = Count::one;

    bool is_list() const { return count == Count::any || count == Count::some; }
};

/// What an object may hold.
struct ObjectSpec {
    std::string name; ///< the "type" that chooses it within its family; empty in a family of one
    std::string summary;
    std::vector<OptionSpec> options;
    std::vector<PartSpec> parts = {};
    /// What no single option shows: called when every option and part is right by itself. Returns mistakes.
    std::function<std::vector<Mistake>(const Block&)> check = {};
};

/// Objects that may stand in the same place. With more than one spec the key "type" chooses; a plain string is short
/// for an object that holds nothing but its type.
struct ObjectFamily {
    std::string name; ///< plural, as `rubato list` calls it
    std::string summary;
    std::vector<ObjectSpec> specs;
    std::string fallback = ""; ///< type when "type" is absent; empty: it is required
    bool typed = true; ///< false: one spec, no "type" key
    std::vector<std::string> list_fallback = {}; ///< types in a list that is absent

    const ObjectSpec* find(const std::string& type) const; ///< null when there is none
    const ObjectSpec& spec_of(const Block& block) const;
};

/// A family from a catalog: any table whose entries have a name, a summary and options.
template <class Catalog>
ObjectFamily family_from_catalog(
    std::string name, std::string summary, const Catalog& catalog, std::string fallback = "")
{
    ObjectFamily family{.name = std::move(name), .summary = std::move(summary), .specs = {}, .fallback = fallback};
    for (const auto& entry : catalog) family.specs.push_back({entry.name, entry.summary, entry.options});
    return family;
}

/// As many mistakes of one input are told; of the others their number.
inline constexpr std::size_t most_mistakes_told = 50;

/// Checks a document against a family and fills in every default. Throws InputError with all mistakes at once: the
/// first ones, and how many more there are.
Block validated(const Document& document, const ObjectFamily& family);

/// The catalog entry a block names; the block was validated against this catalog, so it is there.
template <class Catalog>
const auto& entry_of(const Catalog& catalog, const Block& block)
{
    for (const auto& entry : catalog) {
        if (entry.name == block.type) return entry;
    }
    throw std::logic_error("no catalog entry '" + block.type + "'");
}

/// JSON with every default written out, keys in the order of the specs; validating it gives the same block.
std::string written(const Block& block, const ObjectFamily& family);

/// Every family that can be reached from `root`, in the order of first mention.
std::vector<const ObjectFamily*> families_below(const ObjectFamily& root);

} // namespace rubato
