#pragma once

#include "integrators/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rubato::small {

/// A test that is run once for each entry of the integrator catalog.
class OverIntegrators : public testing::TestWithParam<IntegratorEntry> {
protected:
    const IntegratorEntry& entry() const { return GetParam(); }
};

inline std::string test_name(const testing::TestParamInfo<IntegratorEntry>& info)
{
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace rubato::small

namespace rubato {

inline void PrintTo(const IntegratorEntry& entry, std::ostream* out) { *out << entry.name; } // for GoogleTest

} // namespace rubato
