#pragma once

#include "base/errors.hpp"
#include "scene/scene.hpp"
#include "with.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rubato {

/// Uses every object of the format.
inline const char* const full_scene = R"({
  "name": "everything",
  "summary": "uses every object of the format",
  "gravity": [0, -10, 0],
  "time": {"step": "1/64", "duration": 0.25, "controller": {"type": "halving", "max_halvings": 3}},
  "integrator": {"type": "newmark", "beta": 0.3, "gamma": 0.6},
  "energy": {"type": "decay", "scale": 0.95, "schedule": [[0.1, 1.0], [0.15, 0.5]], "ground": -3},
  "solver": {"line_search": "wolfe", "tolerance": 1e-5},
  "bodies": [
    {
      "name": "bar", "density": 500, "scale": 2, "translate": [0, 1, 0], "rotate": {"axis": [0, 0, 1], "angle": 90},
      "mesh": {"type": "bar", "length": 0.5, "width": 0.1, "depth": 0.1, "cells": 5},
      "material": {"type": "neo-hookean", "young": 1e6, "poisson": 0.3},
      "deform": [
        {"type": "twist", "axis": [0, 1, 0], "angle": 20},
        {"type": "bend", "axis": [0, 1, 0], "toward": [1, 0, 0], "angle": 10},
        {"type": "stretch", "factors": [1, 1.1, 1]}
      ],
      "velocity": [
        {"type": "linear", "velocity": [1, 0, 0]},
        {"type": "angular", "axis": [0, 1, 0], "rate": 2},
        {"type": "ramp", "axis": [0, 1, 0], "velocity": [0, 0, 1]}
      ]
    },
    {
      "name": "block", "mass": 2,
      "mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 2, 1], "split": "kuhn"},
      "material": {"type": "corotated", "young": 1e5, "poisson": 0.4}, "translate": [2, 0, 0]
    }
  ],
  "obstacles": [
    {"type": "half-space", "point": [0, -3, 0]},
    {"type": "sphere", "center": [5, 0, 0], "radius": 0.5, "motion": {"type": "translation", "velocity": [0.1, 0, 0]}},
    {"type": "capsule", "name": "rail", "from": [5, 2, 0], "to": [6, 2, 0], "radius": 0.1},
    {"type": "box", "center": [0, -2, 0], "size": [1, 0.1, 1], "rotate": {"axis": [1, 0, 0], "angle": 10}},
    {"type": "cylinder", "center": [-4, 0, 0], "radius": 0.3, "height": 1, "segments": 12}
  ],
  "contact": {"dhat": 2e-3, "stiffness": 1e4, "friction": 0.2, "friction_speed": 2e-3, "friction_iterations": 2,
              "pairs": [{"between": ["bar", "block"], "friction": 0.5}, {"between": ["bar", "bar"], "touch": false}]},
  "fixed": [{"nodes": {"type": "group", "name": "x_max", "body": "bar"}, "axes": "xy"}],
  "scripted": [{"nodes": {"type": "plane", "body": "block", "point": [2, 0.1, 0], "normal": [0, 1, 0]},
                "motion": {"type": "oscillation", "amplitude": [0, 0.05, 0], "frequency": 1}}],
  "forces": [{"nodes": {"type": "all", "body": "bar"}, "force": [0, 0, 3],
              "profile": {"type": "keyframes", "times": [0, 0.1, 0.2], "factors": [0, 1, 0]}}],
  "springs": [{"a": {"type": "nearest", "point": [0, 0, 0]}, "b": {"type": "node", "body": "block", "index": 0},
               "stiffness": 20}],
  "attachments": [{"nodes": {"type": "sphere", "center": [2, -0.1, 0], "radius": 0.15}, "stiffness": 100,
                   "motion": {"type": "translation", "velocity": [0.1, 0, 0], "end": 0.1}}],
  "damping": [{"type": "drag", "rate": 0.1}, {"type": "rayleigh", "coefficient": 1e-3}],
  "output": {"frames_per_second": 60, "formats": ["vtu", "obj"], "checkpoint_every": 7},
  "expect": {"energy_ratio": [0, 2], "newton_per_step": 30, "target_error": 0.1, "target_error_last": 0.2,
             "places": [{"nodes": {"type": "all", "body": "bar"}, "min": [-5, -5, -5], "max": [5, 5, 5]}]}
}
)";

/// One block that hangs from its top: the least a scene needs.
inline const char* const small_scene = R"({
  "time": {"duration": 0.1},
  "bodies": [
    {
      "mesh": {"type": "box", "size": [0.2, 0.4, 0.6], "cells": [1, 2, 3]},
      "density": 1000,
      "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}
    }
  ],
  "fixed": [{"nodes": {"type": "group", "name": "y_max"}}]
}
)";

inline Scene scene_in(const std::string& text, const std::vector<Override>& overrides = {})
{
    return scene_from_text(text, "test.json", "", overrides);
}

/// The mistakes that reading (and whatever else `action` does) throws; none if it does not.
template <class Action>
std::vector<Mistake> mistakes_of(const Action& action)
{
    try {
        action();
    } catch (const InputError& error) {
        return error.mistakes();
    }
    return {};
}

} // namespace rubato
