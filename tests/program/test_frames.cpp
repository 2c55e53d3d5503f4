#include "program/program.hpp"

#include <map>

/// Frames show a run; they must not take part in it.
namespace rubato {

namespace {

/// Two blocks that fall, slide and fall on each other: contact between bodies and with the ground, friction.
const char* const falling_blocks = R"({
  "name": "blocks",
  "time": {"step": "1/60", "duration": 0.5},
  "integrator": "a-search",
  "bodies": [
    {
      "name": "low",
      "mesh": {"type": "box", "size": [0.2, 0.1, 0.2], "cells": [3, 2, 3]},
      "density": 1000,
      "material": {"type": "stable-neo-hookean", "young": 5e4, "poisson": 0.4},
      "translate": [0, 0.08, 0],
      "velocity": [{"type": "linear", "velocity": [0.5, 0, 0]}]
    },
    {
      "name": "high",
      "mesh": {"type": "box", "size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]},
      "density": 1000,
      "material": {"type": "stable-neo-hookean", "young": 5e4, "poisson": 0.4},
      "translate": [0.02, 0.25, 0.01],
      "rotate": {"axis": [1, 2, 0], "angle": 30}
    }
  ],
  "obstacles": [{"type": "half-space", "name": "ground"}],
  "contact": {"dhat": 2e-3, "friction": 0.3},
  "output": {"checkpoint_every": 7, "picture": false}
}
)";

/// The largest number of a column.
double largest(const std::string& csv, const std::string& column)
{
    std::istringstream in(csv);
    std::string line, cell;
    std::getline(in, line);
    std::istringstream names(line);
    int number = 0;
    while (std::getline(names, cell, ',') && cell != column) ++number;
    double most = 0;
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        for (int i = 0; i <= number; ++i) std::getline(cells, cell, ',');
        most = std::max(most, std::atof(cell.c_str()));
    }
    return most;
}

} // namespace

TEST_F(ProgramTest, NeitherFramesNorThreadsChangeAByteOfTheStatisticsOfARunWithContact)
{
    write("scene.json", falling_blocks);
    std::map<std::string, std::string> stats, frames;
    for (const std::string rate : {"0", "30"}) {
        for (const std::string threads : {"1", "2"}) {
            const std::string out = rate + "-" + threads;
            const ProgramResult result = run(
                {"run", "scene.json", "--out", out, "--threads", threads, "--set", "output.frames_per_second=" + rate});
            ASSERT_EQ(result.status, 0) << result.err;
            stats[out] = without_wall(read(out + "/stats.csv"));
            frames[out] = rate == "0" ? "" : read(out + "/frames.rbt");
            EXPECT_EQ(exists(out + "/frames.rbt"), rate != "0");
        }
    }
    EXPECT_GT(largest(stats["0-1"], "contacts"), 10) << "they have to meet";
    EXPECT_EQ(std::count(stats["0-1"].begin(), stats["0-1"].end(), '\n'), 1 + 1 + 30);
    for (const char* other : {"0-2", "30-1", "30-2"}) EXPECT_TRUE(stats[other] == stats["0-1"]) << other;
    EXPECT_FALSE(frames["30-1"].empty());
    EXPECT_TRUE(frames["30-1"] == frames["30-2"]);
}

} // namespace rubato
