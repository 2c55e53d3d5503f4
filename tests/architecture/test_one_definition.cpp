#include "architecture/one_definition.hpp"
#include "architecture/tree.hpp"

#include <gtest/gtest.h>

/// One name, one thing, in the tree as a whole and in each test program.
using namespace rubato::rules;

namespace {

std::vector<Definition> definitions_of(const std::vector<SourceFile>& files)
{
    std::vector<Definition> all;
    for (const SourceFile& file : files) {
        const DefinitionReader reader(file);
        EXPECT_TRUE(reader.understood()) << file.path << ": the braces of its namespaces are not understood";
        all.insert(all.end(), reader.definitions().begin(), reader.definitions().end());
    }
    return all;
}

/// What can stand in one program with the library: applications and benchmarks count as one, too, so that no name means
/// two things in what is shipped.
std::vector<Definition> shipped() { return definitions_of(files_below({"src", "apps", "benchmarks"}, code)); }

/// The definitions of each test program by its folder: that folder, and the headers of others that it includes.
std::map<std::string, std::vector<Definition>> test_programs()
{
    static const std::regex include(R"re(#\s*include\s*"([^"]+)")re");
    std::map<std::string, SourceFile> files;
    std::map<std::string, std::set<std::string>> members;
    for (SourceFile& file : files_below({"tests"}, code)) {
        const std::size_t slash = file.path.find('/', 6);
        if (slash == std::string::npos) continue;
        members[file.path.substr(6, slash - 6)].insert(file.path);
        files.emplace(file.path, std::move(file));
    }
    std::map<std::string, std::vector<Definition>> programs;
    for (auto& [folder, own] : members) {
        std::vector<std::string> open(own.begin(), own.end());
        while (!open.empty()) {
            const std::string text = files.at(open.back()).text;
            open.pop_back();
            for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
                const std::string path = "tests/" + (*it)[1].str();
                if (files.count(path) != 0 && own.insert(path).second) open.push_back(path);
            }
        }
        std::vector<SourceFile> all;
        for (const std::string& path : own) all.push_back(files.at(path));
        programs[folder] = definitions_of(all);
    }
    return programs;
}

bool concerns_tests(const std::string& complaint) { return complaint.find("tests/") != std::string::npos; }

} // namespace

TEST(OneDefinition, HoldsInWhatIsShipped)
{
    const std::vector<Definition> all = shipped();
    ASSERT_GE(all.size(), 2000u) << "definitions are not recognised";
    expect_none(name_clashes(all));
    expect_none(local_outside(all));
    expect_none(local_in_header(all));
    expect_none(hidden_types(all));
}

TEST(OneDefinition, HoldsInEveryTestProgram)
{
    const std::vector<Definition> library = definitions_of(files_below({"src", "benchmarks/figures"}, code));
    const auto programs = test_programs();
    ASSERT_GE(programs.size(), 20u);
    for (const auto& [folder, own] : programs) {
        std::vector<Definition> all = library;
        all.insert(all.end(), own.begin(), own.end());
        for (const auto rule : {name_clashes, local_outside, local_in_header, hidden_types}) {
            for (const std::string& complaint : rule(all)) {
                if (concerns_tests(complaint)) ADD_FAILURE() << "in test_" << folder << ", " << complaint;
            }
        }
    }
}
