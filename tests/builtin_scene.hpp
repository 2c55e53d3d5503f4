#pragma once

#include "scene/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <string>

/// Tests that run once for each scene that comes with the program.
namespace rubato {

/// Without it the bytes of the object, addresses among them, would be part of the test's name.
inline void PrintTo(const BuiltinScene& scene, std::ostream* out) { *out << scene.name; }

inline std::string test_name(const testing::TestParamInfo<BuiltinScene>& test)
{
    std::string name(test.param.name);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}

} // namespace rubato
