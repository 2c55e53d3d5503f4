#pragma once

#include "scene/schema.hpp"

#include <string>

/// The scene format in words, from the same tables that the validator walks.
namespace rubato {

/// The typed families and the names in each, for a terminal.
std::string catalog_overview(const ObjectFamily& root);

/// One family with every option, for a terminal. Throws InputError for a name that is none.
std::string catalog_page(const ObjectFamily& root, const std::string& family_name);

/// docs/scene_format.md.
std::string format_reference(const ObjectFamily& root);

} // namespace rubato
