#pragma once

#include "scene/schema.hpp"

/// The scene format: which objects a scene consists of. Everything that has kinds comes from a catalog.
namespace rubato {

const ObjectFamily& scene_family();

/// An error of a catalog entry, which knows only its own options, with the place of the block that holds them.
std::vector<Mistake> placed(const InputError& error, const Block& block);

} // namespace rubato
