#pragma once

#include "architecture/definitions.hpp"

/// One name, one thing. C++ asks for a single definition of every type and inline function of a program, and no linker
/// complains about two: it keeps one of them. docs/decisions/0018-one-name-one-definition.md has the rules.
namespace rubato::rules {

inline bool is_header(const std::string& path) { return path.size() > 4 && path.substr(path.size() - 4) == ".hpp"; }

inline std::string place(const Definition& d) { return d.file + ":" + std::to_string(d.line + 1); }

inline std::string what(const Definition& d)
{
    static const char* const words[] = {"type ", "function ", "variable "};
    return words[static_cast<int>(d.kind)] + d.full_name();
}

/// Every place but the first that defines a name outside unnamed namespaces. One complaint names both places.
inline Complaints name_clashes(const std::vector<Definition>& all)
{
    std::map<std::string, const Definition*> first;
    Complaints complaints;
    for (const Definition& d : all) {
        if (!d.defines || d.unnamed) continue;
        if (d.full_name().rfind("main(", 0) == 0) continue; // every program has one
        const auto [known, is_new] = first.emplace(d.full_name(), &d);
        if (!is_new) complaints.push_back(place(d) + ": " + what(d) + " is also defined at " + place(*known->second));
    }
    return complaints;
}

/// What a source file defines for itself belongs into an unnamed namespace: whatever no header declares.
inline Complaints local_outside(const std::vector<Definition>& all)
{
    std::set<std::string> declared;
    for (const Definition& d : all) {
        if (is_header(d.file)) declared.insert(d.space + d.name);
    }
    Complaints complaints;
    for (const Definition& d : all) {
        if (is_header(d.file) || !d.defines || d.unnamed || d.c_linkage) continue;
        if (d.name.find("::") != std::string::npos) continue; // a member: its class declares it
        const bool replaces = d.name.rfind("operator new", 0) == 0 || d.name.rfind("operator delete", 0) == 0;
        if (d.name == "main" || replaces || declared.count(d.space + d.name) != 0) continue;
        complaints.push_back(
            place(d) + ": " + what(d) + " is declared in no header: put it into the unnamed namespace");
    }
    return complaints;
}

/// A header is part of many files; what is local to each of them is another thing in each.
inline Complaints local_in_header(const std::vector<Definition>& all)
{
    Complaints complaints;
    for (const Definition& d : all) {
        if (!is_header(d.file) || !d.defines) continue;
        if (d.unnamed)
            complaints.push_back(place(d) + ": " + what(d) + " is in an unnamed namespace of a header");
        else if (d.internal)
            complaints.push_back(place(d) + ": " + what(d) + " of a header: write `inline`");
    }
    return complaints;
}

/// The type of an unnamed namespace has no name that a header gives to a type which the same code can see.
inline Complaints hidden_types(const std::vector<Definition>& all)
{
    std::map<std::string, const Definition*> shared;
    for (const Definition& d : all) {
        if (d.kind == Kind::type && d.defines && !d.unnamed && is_header(d.file)) shared.emplace(d.space + d.name, &d);
    }
    Complaints complaints;
    for (const Definition& d : all) {
        if (d.kind != Kind::type || !d.unnamed) continue;
        for (std::string space = d.space; !space.empty();) {
            const auto known = shared.find(space + d.name);
            if (known != shared.end()) {
                complaints.push_back(place(d) + ": " + what(d)
                    + " of an unnamed namespace has the name of the type defined at " + place(*known->second));
                break;
            }
            const std::size_t end = space.rfind("::", space.size() - 3);
            space = end == std::string::npos || space.size() < 3 ? std::string() : space.substr(0, end + 2);
        }
    }
    return complaints;
}

} // namespace rubato::rules
