#pragma once

#include "contracts/integrator_settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rubato::small {

/// A test that is run for each entry of the integrator catalog, and for further values of its options.
class OverIntegrators : public testing::TestWithParam<Setting> {
protected:
    const IntegratorEntry& entry() const { return GetParam().entry; }
    bool at_defaults() const { return GetParam().label.empty(); }
};

inline std::string test_name(const testing::TestParamInfo<Setting>& info)
{
    std::string name = info.param.entry.name + (info.param.label.empty() ? "" : "-with-") + info.param.label;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

inline void PrintTo(const Setting& setting, std::ostream* out) // for GoogleTest
{
    *out << setting.entry.name << ' ' << setting.label;
}

} // namespace rubato::small
