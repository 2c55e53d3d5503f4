#include "program/program.hpp"

using namespace rubato;

namespace {

using BenchCommand = ProgramTest;

} // namespace

TEST_F(BenchCommand, SaysInOneLineWhatItNeedsOrWhatToAskFor)
{
    // Without Google Benchmark there is no suite, and with it this asks for nothing.
    const ProgramResult result = run({"bench"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.error_lines(), 1) << result.err;
    const bool built = result.err.find("--all") != std::string::npos;
    EXPECT_TRUE(built || result.err.find("libbenchmark-dev") != std::string::npos) << result.err;
    EXPECT_TRUE(left_behind({}).empty());
}
