#include "program/program.hpp"

/// A scene whose bodies start in each other is refused, and leaves something to look at.
namespace rubato {

namespace {

const char* const overlapping = R"({
  "name": "stuck",
  "time": {"step": 0.01, "duration": 0.1},
  "bodies": [
    {"name": "block", "mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}, "density": 1000,
     "material": {"type": "neo-hookean", "young": 1e5, "poisson": 0.4}}
  ],
  "obstacles": [{"type": "box", "name": "post", "center": [0.13, 0.02, 0.01], "size": [0.1, 0.5, 0.1]}]
}
)";

using Intersections = ProgramTest;

} // namespace

TEST_F(Intersections, AreToldAndWrittenToTheFileThatIsAskedFor)
{
    write("stuck.json", overlapping);
    for (const char* command : {"run", "check"}) {
        const ProgramResult result = run({command, "stuck.json", "--intersections", "stuck-intersections.ply"});
        EXPECT_EQ(result.status, 2);
        for (const char* says : {"stuck.json:5: bodies[0]", "body 'block' and obstacle 'post'",
                 "the triangles concerned are in stuck-intersections.ply"}) {
            EXPECT_NE(result.err.find(says), std::string::npos) << says << " in " << result.err;
        }
        EXPECT_EQ(read("stuck-intersections.ply").substr(0, 3), "ply");
        EXPECT_FALSE(exists("runs"));
        fs::remove(folder() / "stuck-intersections.ply");
    }
}

TEST_F(Intersections, AreWrittenNowhereUnasked)
{
    write("stuck.json", overlapping);
    write("stuck-intersections.ply", "mine");
    for (const char* command : {"run", "check"}) {
        const ProgramResult result = run({command, "stuck.json"});
        EXPECT_EQ(result.status, 2);
        EXPECT_NE(result.err.find("--intersections FILE.ply writes the triangles concerned"), std::string::npos);
        EXPECT_EQ(read("stuck-intersections.ply"), "mine");

        const ProgramResult over = run({command, "stuck.json", "--intersections", "stuck-intersections.ply"});
        EXPECT_EQ(over.status, 2);
        EXPECT_NE(over.err.find("--intersections: stuck-intersections.ply: exists already"), std::string::npos);
        EXPECT_EQ(read("stuck-intersections.ply"), "mine");
    }
    EXPECT_TRUE(left_behind({"stuck.json", "stuck-intersections.ply"}).empty());
}

TEST_F(Intersections, WithoutThemContactIsToldInOneLine)
{
    std::string apart = overlapping;
    apart.replace(apart.find("[0.13"), 5, "[0.30");
    write("apart.json", apart);
    const ProgramResult result = finish(start({"check", "apart.json"}));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("obstacle 'post': box, 8 nodes, 12 triangles"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("contact: dhat 1.7 mm (automatic), stiffness"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("81 unknowns, 0 of them prescribed"), std::string::npos) << "of bodies" << result.out;
}

} // namespace rubato
