#include "contact_scenes/judged_run.hpp"

#include <fstream>

namespace rubato::test {
namespace {

/// Writes a bed of needles: pyramids of 10 cm on bases of 6 mm, `rows` times `rows` of them, tips at y = 0.
std::string needles_obj(int rows, double spacing)
{
    constexpr double half = 0.003, height = 0.1; // [m]
    std::string text;
    int first = 1;
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < rows; ++k) {
            const double x = spacing * (i - 0.5 * (rows - 1)), z = spacing * (k - 0.5 * (rows - 1));
            text += fmt::format("v {} 0 {}\n", x, z);
            for (const auto& [a, b] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
                text += fmt::format("v {} {} {}\n", x + a * half, -height, z + b * half);
            }
            for (int side = 0; side < 4; ++side) {
                text += fmt::format("f {} {} {}\n", first, first + 1 + (side + 1) % 4, first + 1 + side);
            }
            text += fmt::format("f {0} {1} {2}\nf {0} {2} {3}\n", first + 1, first + 2, first + 3, first + 4);
            first += 5;
        }
    }
    return text;
}

/// Writes sharp blades across the way: triangular prisms along z, 4 mm wide and 10 cm deep, edges at y = 0.
std::string blades_obj(int count, double spacing, double length)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        const double x = spacing * (i - 0.5 * (count - 1));
        for (const double z : {-length / 2, length / 2}) {
            text += fmt::format("v {0} 0 {1}\nv {2} -0.1 {1}\nv {3} -0.1 {1}\n", x, z, x - 0.002, x + 0.002);
        }
        const int a = 6 * i + 1; // a, b, c at one end, d, e, f at the other
        for (const auto& [p, q, r] :
            {std::tuple(0, 2, 1), {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}}) {
            text += fmt::format("f {} {} {}\n", a + p, a + q, a + r);
        }
    }
    return text;
}

class Mat : public testing::Test {
protected:
    Mat()
    {
        folder_ = std::filesystem::path(testing::TempDir())
            / fmt::format("rubato-{}", testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    ~Mat() override { std::filesystem::remove_all(folder_); }

    /// A mat of 0.6 m, 8 mm thick and one cell across, falls on what the file holds while one of its edges is drawn
    /// along x, and down.
    void drag(const std::string& integrator, const std::string& obj)
    {
        std::ofstream(folder_ / "sharp.obj") << obj;
        JudgedRun run(fmt::format(R"({{"time": {{"step": "1/100", "duration": 0.4}}, "integrator": "{}", "bodies": [{}],
                "obstacles": [{{"type": "mesh", "name": "sharp", "path": "sharp.obj"}}],
                "contact": {{"dhat": 1e-3, "friction": 0.1}},
                "scripted": [{{"nodes": {{"type": "group", "name": "x_max", "body": "mat"}},
                               "motion": {{"type": "translation", "velocity": [1, -0.5, 0]}}}}]}})",
                          integrator,
                          body_text("mat", R"({"type": "box", "size": [0.6, 0.008, 0.6], "cells": [14, 1, 14]})",
                              {0, 0.02, 0}, {0, -1, 0}, 2e5)),
            {}, folder_);
        run.run_cleanly();
    }

private:
    std::filesystem::path folder_;
};

TEST_F(Mat, DraggedOverNeedlesIsNotPierced) { drag("implicit-euler", needles_obj(7, 0.09)); }
TEST_F(Mat, DraggedOverNeedlesIsNotPiercedWithBdf2) { drag("bdf2", needles_obj(7, 0.09)); }
TEST_F(Mat, DraggedOverBladesIsNotCut) { drag("a-search", blades_obj(6, 0.1, 0.4)); }

} // namespace
} // namespace rubato::test
