#pragma once

#include "scene/build.hpp"
#include "scene/contact.hpp"
#include "scene/sample.hpp"

namespace rubato {

/// Two blocks of 0.2 m, a metre apart: "low" at the origin and "high" above it. `more` goes to the root of the scene.
inline std::string two_blocks(const std::string& more = "", const std::string& high = "\"translate\": [0, 1, 0]")
{
    const auto block = [](const std::string& name, const std::string& place) {
        return R"({"name": ")" + name + R"(", "mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
            "density": 1000, "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}, )"
            + place + "}";
    };
    return R"({"time": {"step": 0.01, "duration": 0.1}, "bodies": [)" + block("low", "\"center\": false") + ",\n"
        + block("high", high) + "]" + (more.empty() ? "" : ",\n" + more) + "}";
}

/// Three of the upper block in a row, called high-1 to high-3.
inline const char* const three_high
    = R"("translate": [0, 1, 0], "copies": {"type": "row", "count": 3, "step": [0, 1, 0]})";

inline BuiltScene built_text(const std::string& text) { return built(scene_in(text)); }

inline std::vector<Mistake> build_mistakes(const std::string& text)
{
    return mistakes_of([&] { built_text(text); });
}

/// What the one mistake of this scene says, with its place.
inline std::string only_mistake(const std::string& text)
{
    const std::vector<Mistake> mistakes = build_mistakes(text);
    EXPECT_EQ(mistakes.size(), 1u);
    return mistakes.empty() ? "" : mistakes.front().text();
}

} // namespace rubato
