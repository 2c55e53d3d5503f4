#include "scene/schema.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rubato {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const OptionValue& value)
{
    if (const auto* d = std::get_if<double>(&value)) return *d;
    if (const auto* i = std::get_if<int>(&value)) return *i;
    if (const auto* b = std::get_if<bool>(&value)) return *b;
    if (const auto* s = std::get_if<std::string>(&value)) return *s;
    if (const auto* v = std::get_if<Vec3>(&value)) return Json::array({v->x(), v->y(), v->z()});
    if (const auto* l = std::get_if<std::vector<double>>(&value)) return *l;
    if (const auto* t = std::get_if<std::vector<std::vector<double>>>(&value)) return *t;
    if (const auto* t = std::get_if<std::vector<std::string>>(&value)) return *t;
    return nullptr;
}

Json json_of(const Block& block, const ObjectFamily& family)
{
    const ObjectSpec& spec = family.spec_of(block);
    Json json = Json::object();
    if (family.typed) json["type"] = block.type;
    for (const OptionSpec& option : spec.options) {
        if (block.options.has(option.name)) json[option.name] = json_of(block.options.all().at(option.name));
    }
    for (const PartSpec& part : spec.parts) {
        if (part.is_list()) {
            Json list = Json::array();
            for (const Block& entry : block.list(part.name)) list.push_back(json_of(entry, part.family()));
            json[part.name] = std::move(list);
        } else if (block.has(part.name)) {
            json[part.name] = json_of(block.part(part.name), part.family());
        }
    }
    if (family.typed && json.size() == 1) return block.type;
    return json;
}

/// Lists of plain values on one line, objects and lists of objects indented: what a person would write.
void print(const Json& json, int indent, std::string& out)
{
    const bool plain = json.is_primitive()
        || (json.is_array() && std::none_of(json.begin(), json.end(), [](const Json& j) { return j.is_object(); }));
    if (plain || json.empty()) {
        out += json.dump();
        return;
    }
    const std::string margin(static_cast<std::size_t>(indent) + 2, ' ');
    out += json.is_array() ? "[\n" : "{\n";
    bool first = true;
    for (const auto& [key, value] : json.items()) {
        if (!first) out += ",\n";
        first = false;
        out += margin;
        if (json.is_object()) out += Json(key).dump() + ": ";
        print(value, indent + 2, out);
    }
    out += '\n';
    out.append(static_cast<std::size_t>(indent), ' ');
    out += json.is_array() ? ']' : '}';
}

void visit(const ObjectFamily& family, std::vector<const ObjectFamily*>& seen)
{
    if (std::find(seen.begin(), seen.end(), &family) != seen.end()) return;
    seen.push_back(&family);
    for (const ObjectSpec& spec : family.specs) {
        for (const PartSpec& part : spec.parts) visit(part.family(), seen);
    }
}

} // namespace

bool Block::has(const std::string& part_name) const
{
    const auto it = parts.find(part_name);
    return it != parts.end() && !it->second.empty();
}

const Block& Block::part(const std::string& part_name) const
{
    if (!has(part_name)) throw std::logic_error("block has no part '" + part_name + "'");
    return parts.at(part_name).front();
}

const std::vector<Block>& Block::list(const std::string& part_name) const
{
    static const std::vector<Block> nothing;
    const auto it = parts.find(part_name);
    return it == parts.end() ? nothing : it->second;
}

Place Block::place_of(const std::string& option) const
{
    const auto it = option_places.find(option);
    if (it != option_places.end()) return it->second;
    return {place.file, place.line, place.key.empty() ? option : place.key + "." + option};
}

bool Block::operator==(const Block& other) const
{
    return type == other.type && options.all() == other.options.all() && parts == other.parts;
}

const ObjectSpec* ObjectFamily::find(const std::string& type) const
{
    if (!typed) return &specs.front();
    for (const ObjectSpec& spec : specs) {
        if (spec.name == type) return &spec;
    }
    return nullptr;
}

const ObjectSpec& ObjectFamily::spec_of(const Block& block) const
{
    const ObjectSpec* spec = find(block.type);
    if (!spec) throw std::logic_error("family '" + name + "' has no '" + block.type + "'");
    return *spec;
}

std::string written(const Block& block, const ObjectFamily& family)
{
    std::string text;
    print(json_of(block, family), 0, text);
    return text + "\n";
}

std::vector<const ObjectFamily*> families_below(const ObjectFamily& root)
{
    std::vector<const ObjectFamily*> seen;
    visit(root, seen);
    return seen;
}

} // namespace rubato
