#pragma once

#include "scene/schema.hpp"

/// Families of the scene format that more than one of its files uses.
namespace rubato {

const ObjectFamily& rotate_family();
const ObjectFamily& motion_family();
const ObjectFamily& contact_family();
const ObjectFamily& obstacle_family();

/// A family with one spec and no "type".
ObjectFamily family_of_one(std::string name, ObjectSpec spec);

} // namespace rubato
