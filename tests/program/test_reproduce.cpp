#include "program/program.hpp"

namespace rubato {

namespace {

class Reproduce : public ProgramTest { };

TEST_F(Reproduce, ListsWhatThereIs)
{
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"reproduce"}, {"reproduce", "list"}}) {
        const ProgramResult r = run(arguments);
        EXPECT_EQ(r.status, 0) << r.err;
        for (const char* name : {"table-2", "appendix-c", "spring-001"}) {
            EXPECT_NE(r.out.find(name), std::string::npos) << name;
        }
        EXPECT_TRUE(left_behind({}).empty());
    }
}

TEST_F(Reproduce, SaysOursBesidePrintAndWritesTablesAndPlots)
{
    const ProgramResult r = run({"reproduce", "appendix-d"});
    EXPECT_EQ(r.status, 0) << r.err;
    for (const char* word : {"ours", "published", "difference", "bound", "-2.16337", "-2.1634", "ok", "4 of 4"}) {
        EXPECT_NE(r.out.find(word), std::string::npos) << word << "\n" << r.out;
    }
    const std::string csv = read("reproduce/appendix-d/appendix-d.csv");
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "what,ours,published,difference,bound,holds,note");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
    EXPECT_TRUE(exists("reproduce/appendix-d/amplification.csv"));
    EXPECT_EQ(read("reproduce/appendix-d/trace.svg").substr(0, 4), "<svg");
    EXPECT_EQ(csv.find(",nan"), std::string::npos);
}

TEST_F(Reproduce, WritesWhereItIsTold)
{
    EXPECT_EQ(run({"reproduce", "appendix-c", "--out", "here/there"}).status, 0);
    EXPECT_TRUE(exists("here/there/appendix-c.csv"));
    EXPECT_FALSE(exists("reproduce"));
}

TEST_F(Reproduce, RefusesWhatItDoesNotKnow)
{
    const ProgramResult r = run({"reproduce", "tabel-2"});
    EXPECT_EQ(r.status, 2);
    EXPECT_NE(r.err.find("did you mean 'table-2'?"), std::string::npos) << r.err;
    EXPECT_EQ(r.error_lines(), 1);
    write("file", "text");
    const ProgramResult out = run({"reproduce", "appendix-d", "--out", "file"});
    EXPECT_EQ(out.status, 2);
    EXPECT_NE(out.err.find("must be a directory"), std::string::npos) << out.err;
    EXPECT_TRUE(left_behind({"file"}).empty());
}

} // namespace

} // namespace rubato
