#include "program/program.hpp"

#include <map>

/// Files of a run, and those of the user: none is believed that was changed, and none is lost.
namespace rubato {

namespace {

/// A run in the folder r, interrupted in the middle as far as its files tell: it can be resumed.
class KeptFiles : public ProgramTest {
protected:
    void SetUp() override
    {
        ProgramTest::SetUp();
        write("scene.json", program_scene);
        const ProgramResult result = run({"run", "scene.json", "--out", "r", "--threads", "1"});
        ASSERT_EQ(result.status, 0) << result.err;
    }
    std::map<std::string, std::string> bytes(const std::string& name) const
    {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::recursive_directory_iterator(folder() / name)) {
            if (entry.is_regular_file()) all[entry.path().string()] = file_text(entry.path());
        }
        return all;
    }
    /// The text with the first digit after `from` made another one: a wrong number of equal length.
    static std::string with_another_digit(std::string text, std::size_t from)
    {
        const std::size_t at = text.find_first_of("0123456789", from);
        text[at] = text[at] == '9' ? '8' : static_cast<char>(text[at] + 1);
        return text;
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& says)
    {
        const auto before = bytes("");
        const ProgramResult result = run(arguments);
        EXPECT_EQ(result.status, 2) << result.out << result.err;
        EXPECT_EQ(result.error_lines(), 1) << result.err;
        for (const std::string& text : says)
            EXPECT_NE(result.err.find(text), std::string::npos) << text << " in " << result.err;
        auto after = bytes("");
        for (const char* own : {".out", ".err"}) after.erase((folder() / own).string());
        for (const auto& [name, text] : before) {
            if (!name.ends_with("/.out") && !name.ends_with("/.err")) EXPECT_TRUE(after[name] == text) << name;
        }
    }
};

} // namespace

TEST_F(KeptFiles, ATableThatWasDamagedIsNotResumedAndNothingIsTouched)
{
    const std::string whole = read("r/stats.csv");
    for (const std::size_t at : {std::size_t{0}, whole.find('\n') + 1, whole.size() / 2, whole.size() - 40}) {
        write("r/stats.csv", with_another_digit(whole, at));
        expect_refused({"resume", "r"}, {"r/stats.csv: was changed", "run its scene again"});
    }
    std::string not_a_number = whole;
    not_a_number[whole.size() / 2] = 'x';
    write("r/stats.csv", not_a_number);
    expect_refused({"resume", "r"}, {"r/stats.csv: was changed"});
    write("r/stats.csv", whole);
    EXPECT_EQ(run({"resume", "r"}).status, 0);
    EXPECT_EQ(read("r/stats.csv"), whole);
}

TEST_F(KeptFiles, AWrongNumberOfEqualLengthIsNotReported)
{
    for (const std::string name : {"stats.csv", "summary.json", "scene.json"}) {
        const std::string whole = read("r/" + name);
        write("r/" + name, with_another_digit(whole, whole.size() / 2));
        expect_refused({"report", "r", "-o", "page.html"}, {"r/" + name + ": was changed after the run wrote it"});
        write("r/" + name, whole);
    }
    EXPECT_EQ(run({"report", "r", "-o", "page.html"}).status, 0);
}

TEST_F(KeptFiles, ASummaryWithALineMoreIsNoReasonToRunAgain)
{
    const std::string whole = read("r/summary.json");
    write("r/summary.json", whole + "\n"); // as editors do
    expect_refused({"report", "r", "-o", "page.html"}, {"r/summary.json: was changed", "undo the change, or run"});
    write("r/summary.json", whole);
    EXPECT_EQ(run({"report", "r", "-o", "page.html"}).status, 0);
}

TEST_F(KeptFiles, AnEditedSceneIsNamedAndTheWayOutIsTold)
{
    const std::string whole = read("r/scene.json");
    for (const auto& [old, edited] : {std::pair("1000.0", "2000.0"), std::pair("1000.0", "-100.0"),
             std::pair("\"duration\": 0.3", "\"duration\": 0.4"), std::pair("\"bodies\"", "\"badies\"")}) {
        std::string text = whole;
        text.replace(text.find(old), std::string(old).size(), edited);
        write("r/scene.json", text);
        expect_refused({"resume", "r"}, {"r/scene.json: was changed after the run began", "undo the change", "--out"});
    }
}

TEST_F(KeptFiles, ForceReplacesARunAndNothingElse)
{
    for (const char* name : {"mine/picture.png", "mine/summary.json", "mine/energy.svg"}) write(name, "keep me");
    expect_refused({"run", "scene.json", "--out", "mine", "--force"}, {"--out: mine: holds files", "no run"});
    write("mine/scene.json", program_scene);
    expect_refused({"run", "scene.json", "--out", "mine", "--force"}, {"--out: mine: holds files", "no run"});
    expect_refused(
        {"rest", "scene.json", "--out", "mine", "--force"}, {"--out: mine: holds files", "no state of rest"});
    expect_refused({"rest", "scene.json", "--out", "r", "--force"}, {"--out: r: holds files", "no state of rest"});
    expect_refused({"run", "scene.json", "--out", ".", "--force"}, {"--out: .: holds files", "no run"});
    write("both/bdf2/mine", "keep me");
    expect_refused({"compare", "scene.json", "--integrators", "bdf2", "--out", "both", "--force"},
        {"both/bdf2: holds files", "no run"});

    EXPECT_EQ(run({"run", "scene.json", "--out", "r", "--force", "--duration", "0.1"}).status, 0);
    EXPECT_EQ(run({"rest", "scene.json", "--out", "at-rest"}).status, 0);
    EXPECT_EQ(run({"rest", "scene.json", "--out", "at-rest", "--force"}).status, 0);
}

TEST_F(KeptFiles, ForceReplacesPagesAndTablesOfThisProgramAndNoOthers)
{
    const std::vector<std::string> compare{
        "compare", "scene.json", "--integrators", "bdf2", "--same-step-only", "--no-frames", "--duration", "0.05"};
    const std::vector<std::string> convergence{
        "analyze", "convergence", "lab:oscillator", "--integrators", "bdf2", "--halvings", "2"};
    const std::vector<std::string> stability{"analyze", "stability", "--integrators", "bdf2", "--points", "5"};
    const std::vector<std::string> spectrum{"analyze", "spectrum", "scene.json", "--modes", "2", "--duration", "0.05"};
    const struct {
        std::vector<std::string> words;
        std::vector<std::string> files;
    } commands[] = {
        {compare, {"report.html", "report-energy.svg", "report-newton.svg"}},
        {convergence, {"convergence.csv", "convergence.svg"}},
        {stability, {"stability.csv", "radius.svg", "determinant.svg", "trace.svg"}},
        {spectrum, {"spectrum.csv", "modes.csv", "spectrum.svg"}},
    };
    for (const auto& command : commands) {
        const std::string own = command.words[command.words.size() > 1 && command.words[0] == "analyze" ? 1 : 0];
        SCOPED_TRACE(own);
        std::vector<std::string> words = command.words;
        words.insert(words.end(), {"--out", own});
        ASSERT_EQ(run(words).status, 0);
        words.emplace_back("--force");
        const ProgramResult again = run(words);
        EXPECT_EQ(again.status, 0) << again.err;
        for (const std::string& file : command.files) {
            const std::string name = own + "/" + file, ours = read(name);
            for (const char* mine : {"<!DOCTYPE html>\n<html lang=\"en\">\n<p>mine", "step,mine\n1,2\n",
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mine\"></svg>", ""}) {
                write(name, mine);
                expect_refused(
                    words, {"--out: " + own + ": holds a file " + file + " that this program did not write"});
            }
            write(name, ours);
        }
    }
    write("same/same-time/bdf2", "mine, and no folder");
    expect_refused({"compare", "scene.json", "--integrators", "bdf2", "--out", "same", "--force"},
        {"same/same-time/bdf2: is a file"});
}

TEST_F(KeptFiles, ARunThatWasKilledAtOnceCanBeReplaced)
{
    write("killed/scene.json", program_scene);
    write("killed/stats.csv", read("r/stats.csv").substr(0, read("r/stats.csv").find('\n') + 1));
    EXPECT_EQ(run({"run", "scene.json", "--out", "killed", "--force"}).status, 0);
}

} // namespace rubato
