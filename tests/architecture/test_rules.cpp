#include "architecture/rules.hpp"

#include <gtest/gtest.h>

using namespace rubato::rules;

namespace {

const IncludeTable table = include_table(R"(
# Title

| room | may include |
|---|---|
| base | |
| math | base |
| dynamics | base, math |
| integrators | base, dynamics |
| scene | everything |
| apps | everything |

| other | table |
|---|---|
| math | scene |
)");

Complaints includes_of(const std::string& path, const std::string& text) { return wrong_includes({path, text}, table); }

} // namespace

TEST(IncludeTable, ReadsTheRowsAndStopsAtTheEndOfTheTable)
{
    ASSERT_EQ(table.size(), 6u);
    EXPECT_TRUE(table.at("base").empty());
    EXPECT_EQ(table.at("dynamics"), (std::set<std::string>{"base", "math"}));
    EXPECT_EQ(table.at("math"), (std::set<std::string>{"base"}));
}

TEST(IncludeTable, IsEmptyForATextWithoutOne) { EXPECT_TRUE(include_table("| a | b |\n|---|---|\n").empty()); }

TEST(IncludeTable, ACycleIsFound)
{
    EXPECT_TRUE(cycles(table).empty());
    IncludeTable bad = table;
    bad["base"].insert("dynamics");
    EXPECT_EQ(cycles(bad).size(), 3u); // base, math and dynamics each come back to themselves
}

TEST(Includes, AllowedOnesAndSystemHeadersPass)
{
    EXPECT_TRUE(includes_of("src/integrators/a.cpp",
        "#include \"integrators/a.hpp\"\n#include \"dynamics/stage.hpp\"\n"
        "#include <scene/of_another_library.hpp>\n")
                    .empty());
    EXPECT_TRUE(includes_of("src/scene/build.cpp", "#include \"integrators/catalog.hpp\"\n").empty());
    EXPECT_TRUE(includes_of("apps/cli/main.cpp", "#include \"commands.hpp\"\n#include \"scene/scene.hpp\"\n").empty());
}

TEST(Includes, AForbiddenRoomIsNamedWithFileAndLine)
{
    const Complaints c
        = includes_of("src/integrators/a.cpp", "#include \"integrators/a.hpp\"\n\n  # include \"math/svd3.hpp\"\n");
    ASSERT_EQ(c.size(), 1u);
    EXPECT_EQ(c[0], "src/integrators/a.cpp:3: 'integrators' may not include 'math' (math/svd3.hpp)");
}

TEST(Includes, ARoomThatDoesNotExistIsRefusedEvenWhereEverythingIsAllowed)
{
    EXPECT_EQ(includes_of("src/scene/build.cpp", "#include \"cellar/wine.hpp\"\n").size(), 1u);
}

TEST(Includes, ARoomWithoutARowIsRefused) { EXPECT_EQ(includes_of("src/attic/a.cpp", "").size(), 1u); }

TEST(Includes, PathsRelativeToTheFileAreRefused)
{
    EXPECT_EQ(includes_of("src/math/a.cpp", "#include \"svd3.hpp\"\n").size(), 1u);
    EXPECT_EQ(includes_of("src/math/a.cpp", "#include \"../scene/scene.hpp\"\n").size(), 1u);
}

TEST(Length, CountsLines)
{
    EXPECT_TRUE(too_long({"a.cpp", "1\n2\n3\n"}, 3).empty());
    EXPECT_EQ(too_long({"a.cpp", "1\n2\n3\n4"}, 3).size(), 1u);
}

TEST(Whitespace, TabsTrailingBlanksAndAMissingNewlineAreFound)
{
    EXPECT_TRUE(untidy_whitespace({"a.cpp", "int a;\n\nint b;\n"}).empty());
    const Complaints c = untidy_whitespace({"a.cpp", "int a;\n\tint b; \nint c;"});
    EXPECT_EQ(c, (Complaints{"a.cpp:2: tab", "a.cpp:2: trailing whitespace", "a.cpp:3: no newline at the end"}));
}

TEST(Printing, EveryWayToPrintOrExitIsFound)
{
    for (const char* bad : {"std::cout << 1;", "std::cerr << 1;", "  printf(\"x\");", "std::printf(\"x\");",
             "puts(\"x\");", "fmt::print(\"{}\", 1);", "fprintf(stderr, \"x\");", "exit(1);", "if (a) std::exit(1);",
             "std::abort();", "std::terminate();"}) {
        EXPECT_FALSE(prints_or_exits({"src/a.cpp", std::string(bad) + "\n"}).empty()) << bad;
    }
    EXPECT_EQ(prints_or_exits({"src/a.cpp", "int a;\nstd::cout << a;\n"})[0], "src/a.cpp:2: the library never prints");
}

TEST(Printing, CommentsStringsAndOtherNamesAreLeftAlone)
{
    for (const char* good : {"// std::cout << 1;", "/* exit(1)\n exit(2) */ int a;", "throw Error(\"exit(1)\");",
             "snprintf(buffer, 9, \"x\");", "on_exit(1);", "door.exit(1);", "fmt::print(out, \"{}\", 1);",
             "const int n = 1'000; // printf(\"x\")", "fputs(text, file);", "const char c = '\"'; // exit(1)"}) {
        EXPECT_TRUE(prints_or_exits({"src/a.cpp", std::string(good) + "\n"}).empty()) << good;
    }
}

TEST(Printing, CodeAfterACommentOrAStringIsStillSeen)
{
    EXPECT_EQ(prints_or_exits({"src/a.cpp", "f(\"a \\\" b\"); exit(1);\n"}).size(), 1u);
    EXPECT_EQ(prints_or_exits({"src/a.cpp", "/* a */ exit(1);\n"}).size(), 1u);
    EXPECT_EQ(prints_or_exits({"src/a.cpp", "// a \" b\nexit(1);\n"}).size(), 1u);
}

TEST(Reductions, EveryLookAtTheEntriesOfAVectorIsFound)
{
    for (const char* bad : {"const double e = v.dot(w);", "if (a_.norm() > 1) return;", "next.v.lpNorm<2>();",
             "if (!next.v.allFinite()) return;", "if (!next.finite()) return;", "x.cwiseAbs().maxCoeff();",
             "const double s = (a - b).array().abs().sum();", "const auto e = v.transpose() * w;",
             "for (Index i = 0; i < nodes; ++i) sum += 1;", "for (Eigen::Index i = 0; i < n; ++i) sum += a[i];",
             "node(v, 3) += g;", "for (const double a : v) sum += a;", "if (next.x[0] > 0) return;",
             "std::accumulate(v.begin(), v.end(), 0.0);", "const double* entries = v.data();",
             "const double most = largest_nodal_norm(x);", "const bool moves = (v.array() != 0).any();"}) {
        EXPECT_EQ(reductions({"src/integrators/a.cpp", "\n" + std::string(bad) + "\n"}).size(), 1u) << bad;
    }
}

TEST(Reductions, SumsOfVectorsSizesAndNumbersFromDynamicsAreLeftAlone)
{
    for (const char* good : {"next.v = w_ - alpha * dv_; // v.dot(w)", "if (!r.dynamics.finite(next.v)) return;",
             "if (!r.dynamics.finite(next)) return;", "e.square = r.dynamics.mass_inner(dv, dv);",
             "dv_.setZero(next.v.size());", "if (change.size() != 0) value_ += change;", "phi = dot(b, c);",
             "#include \"integrators/node.hpp\"",
             "for (std::size_t i = 0; i < Z_.size(); ++i) next.x += h * Z_[i].v;"}) {
        EXPECT_TRUE(reductions({"src/integrators/a.cpp", std::string(good) + "\n"}).empty()) << good;
    }
}

TEST(Unfinished, MarksAreFoundAsWordsOnly)
{
    const std::string mark = std::string("TO") + "DO";
    EXPECT_EQ(unfinished({"a.cpp", "int a;\n// " + mark + " later\n"}), (Complaints{"a.cpp:2: unfinished"}));
    EXPECT_TRUE(unfinished({"a.cpp", "int " + mark + "S;\n"}).empty());
}

TEST(CatalogNames, EntriesAreTakenAndOptionsAreNot)
{
    const std::string source = R"(
        {"implicit-euler", "first order", {}, make<ImplicitEuler>},
        {.name = "newmark",
            .summary = "second order", .options = {{"beta", OptionType::real, 0.25}, {.name = "gamma", .type = OptionType::real}}},
    )";
    EXPECT_EQ(catalog_names(source), (std::vector<std::string>{"implicit-euler", "newmark"}));
}

TEST(MaterialName, IsReadFromItsHeader)
{
    EXPECT_EQ(material_name("struct A {\n    static constexpr const char* name = \"st-venant-kirchhoff\";\n};\n"),
        "st-venant-kirchhoff");
    EXPECT_EQ(material_name("///     static constexpr const char* name;\n"), "");
}

TEST(Links, RelativeOnesAreFoundWithTheirLine)
{
    const auto found = relative_links("see [a](a.md#part) and\n[b](https://example.org/b.md), [c](../c.md)\n");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0], (std::pair<std::size_t, std::string>{0, "a.md"}));
    EXPECT_EQ(found[1], (std::pair<std::size_t, std::string>{1, "../c.md"}));
}

TEST(JsonBlocks, AreCutOutWithoutTheirFences)
{
    EXPECT_EQ(json_blocks("a\n```json\n{\n}\n```\n```cpp\nint a;\n```\n"), (std::vector<std::string>{"{\n}\n"}));
}
