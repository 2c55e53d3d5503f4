#pragma once

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "scene/build.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

/// SCENE [steps=N] [cells=N] [threads=N] [PATH=VALUE]...: the command line of benchmarks that run a scene. `cells`
/// divides the edges of the first body; any other PATH=VALUE changes the scene as `rubato run --set` does.
namespace rubato {

/// NAME and VALUE of NAME=VALUE; without '=' the value is empty.
inline std::pair<std::string, std::string> name_and_value(const std::string& argument)
{
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) return {argument, ""};
    return {argument.substr(0, equals), argument.substr(equals + 1)};
}

struct SceneArguments {
    std::string name;
    BuiltScene scene;
    long steps = 0; ///< 0: not given
};

inline SceneArguments scene_arguments(int argc, char** argv)
{
    if (argc < 2) throw InputError(Mistake{.message = "say which scene"});
    SceneArguments read{.name = argv[1], .scene = {}};
    std::vector<Override> overrides;
    for (const std::string& argument : std::vector<std::string>(argv + 2, argv + argc)) {
        if (argument.find('=') == std::string::npos) {
            throw InputError(Mistake{.value = argument, .message = "expected PATH=VALUE"});
        }
        const auto [path, value] = name_and_value(argument);
        if (path == "steps") {
            read.steps = std::stol(value);
        } else if (path == "threads") {
            set_thread_count(std::stoi(value));
        } else if (path == "cells") {
            overrides.push_back({"bodies[0].mesh.cells", fmt::format("[{0},{0},{0}]", value), path});
        } else {
            overrides.push_back({path, value, path});
        }
    }
    read.scene = built(scene_named(read.name, overrides));
    return read;
}

/// Runs the program and turns what it throws into a message and exit status 2.
template <class Program>
int guarded(Program program, int argc, char** argv)
{
    try {
        return program(scene_arguments(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}

} // namespace rubato
