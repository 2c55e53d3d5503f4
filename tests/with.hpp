#pragma once

#include <gtest/gtest.h>

#include <string>

namespace rubato {

/// `text` with the first occurrence of `old` replaced; it must be there.
inline std::string with(std::string text, const std::string& old, const std::string& replacement)
{
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), replacement);
}

} // namespace rubato
