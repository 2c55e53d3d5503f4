#include "base/errors.hpp"
#include "figures/figure_file.hpp"
#include "figures/tables.hpp"

#include <gtest/gtest.h>

using namespace rubato;

namespace {

FigureSet some()
{
    return {{{"processor", "Sample, 2 GHz: \"fast\""}, {"cores", "2"}},
        {{.table = "a, b", .row = "says \"yes\"", .column = "time", .unit = "ns", .samples = {1.25, 3.5, 2}},
            {.table = "a, b",
                .row = "other",
                .column = "rate",
                .unit = "1/s",
                .better = Better::higher,
                .samples = {7e9}},
            {.table = "a, b", .row = "other", .column = "bits", .better = Better::neither, .text = "the same"}}};
}

std::string refusal(const std::string& text)
{
    try {
        figures_from_csv(text, "x.csv");
        return "";
    } catch (const InputError& error) {
        return error.mistakes().at(0).text();
    }
}

const std::string header = "table,row,column,unit,better,median,spread,samples,text\n";

} // namespace

TEST(FigureFile, WhatIsWrittenIsReadBack)
{
    const FigureSet before = some(), after = figures_from_csv(figures_as_csv(before), "x.csv");
    EXPECT_EQ(after.machine, before.machine);
    ASSERT_EQ(after.figures.size(), before.figures.size());
    for (std::size_t i = 0; i < before.figures.size(); ++i) {
        EXPECT_TRUE(after.figures[i].same_name(before.figures[i]));
        EXPECT_EQ(after.figures[i].unit, before.figures[i].unit);
        EXPECT_EQ(after.figures[i].better, before.figures[i].better);
        EXPECT_EQ(after.figures[i].samples, before.figures[i].samples);
        EXPECT_EQ(after.figures[i].text, before.figures[i].text);
    }
}

TEST(FigureFile, HasMedianAndSpreadForOtherReaders)
{
    EXPECT_NE(figures_as_csv(some()).find("time,ns,lower,2,1.1,1.25 3.5 2,"), std::string::npos)
        << figures_as_csv(some());
}

TEST(FigureFile, DamagedFilesAreRefusedByLine)
{
    EXPECT_NE(refusal("").find("x.csv"), std::string::npos);
    EXPECT_NE(refusal("step,time\n1,2\n").find("x.csv:1: "), std::string::npos);
    EXPECT_NE(refusal(header + "a,b,c\n").find("x.csv:2: "), std::string::npos);
    EXPECT_NE(refusal(header + "a,b,c,s,upwards,1,0,1,\n").find("must be lower, higher or neither"), std::string::npos);
    EXPECT_NE(refusal(header + "a,b,c,s,lower,1,0,1 x,\n").find("numbers"), std::string::npos);
    EXPECT_NE(refusal(header + "a,b,c,s,lower,1,0,1 nan,\n").find("numbers"), std::string::npos);
    EXPECT_EQ(refusal(header), "");
    EXPECT_THROW(figures_from_file("/no/such/file.csv"), InputError);
}

TEST(FigureTables, HaveThreeDigitsAndWholeThousands)
{
    const auto cell = [](double value) {
        const std::string table = figure_tables(
            {{}, {{.table = "t", .row = "r", .column = "c", .samples = {value}}}}, TableStyle::markdown);
        const std::size_t at = table.rfind("| r | ") + 6;
        return table.substr(at, table.find(' ', at) - at);
    };
    EXPECT_EQ(cell(1243.7), "1244");
    EXPECT_EQ(cell(12.437), "12.4");
    EXPECT_EQ(cell(0.0012437), "0.00124");
    EXPECT_EQ(cell(24000), "24000");
}

TEST(FigureTables, HaveARowPerRowAndAColumnPerColumn)
{
    FigureSet set = some();
    set.machine.clear();
    EXPECT_EQ(figure_tables(set, TableStyle::markdown),
        "\n### a, b\n\n"
        "|  | time [ns] | rate [1/s] | bits |\n"
        "|---|---:|---:|---:|\n"
        "| says \"yes\" | 2 |  |  |\n"
        "| other |  | 7e+09 | the same |\n\n");
    EXPECT_NE(figure_tables(set, TableStyle::plain).find("says \"yes\""), std::string::npos);
}
