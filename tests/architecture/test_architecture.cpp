#include "architecture/tree.hpp"

#include <gtest/gtest.h>

/// The rules of CONTRIBUTING.md, applied to the tree. tests/architecture/test_rules.cpp shows that they can fail.
namespace fs = std::filesystem;
using namespace rubato::rules;

namespace {

void expect_page(const std::string& page) { EXPECT_TRUE(fs::exists(root / page)) << page << " is missing"; }

} // namespace

TEST(Architecture, IncludesFollowTheTableInContributing)
{
    const IncludeTable table = include_table(text_of(root / "CONTRIBUTING.md"));
    ASSERT_GE(table.size(), 10u) << "CONTRIBUTING.md has lost its include table";
    expect_none(cycles(table));
    const auto files = files_below({"src", "apps"}, code);
    ASSERT_GE(files.size(), 20u);
    for (const SourceFile& file : files) expect_none(wrong_includes(file, table));
}

TEST(Architecture, NoFileIsLongerThan600Lines)
{
    for (const SourceFile& file : files_below({"src", "apps", "tests"}, code)) expect_none(too_long(file, 600));
}

TEST(Architecture, SourcesAreTidyAndFinished)
{
    for (const SourceFile& file : files_below({"src", "apps", "tests"}, code)) {
        expect_none(untidy_whitespace(file));
        if (room_of(file.path) != "tests") expect_none(unfinished(file));
    }
}

TEST(Architecture, TheLibraryNeitherPrintsNorExits)
{
    for (const SourceFile& file : files_below({"src"}, code)) expect_none(prints_or_exits(file));
}

TEST(Architecture, MethodsAndControllersKnowVectorsAsWholes)
{
    const auto files = files_below({"src/integrators", "src/control"}, code);
    ASSERT_GE(files.size(), 40u);
    for (const SourceFile& file : files) expect_none(reductions(file));
}

TEST(Architecture, EveryIntegratorHasItsPage)
{
    const auto names = catalog_names(text_of(root / "src/integrators/catalog.cpp"));
    EXPECT_GE(names.size(), 12u) << "the entries of src/integrators/catalog.cpp are not recognised";
    for (const std::string& name : names) expect_page("docs/integrators/" + name + ".md");
}

TEST(Architecture, EveryMaterialHasItsPage)
{
    std::size_t found = 0;
    for (const SourceFile& header : files_below({"src/materials"}, {".hpp"})) {
        const std::string name = material_name(header.text);
        if (name.empty()) continue;
        ++found;
        expect_page("docs/materials/" + name + ".md");
    }
    EXPECT_GE(found, 8u) << "the names of the materials are not recognised";
}

TEST(Architecture, LinksBetweenDocumentsLeadSomewhere)
{
    std::vector<SourceFile> pages = files_below({"docs"}, {".md"});
    for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
        pages.push_back({page, text_of(root / page)});
    for (const SourceFile& page : pages) {
        for (const auto& [line, target] : relative_links(page.text)) {
            EXPECT_TRUE(fs::exists((root / page.path).parent_path() / target))
                << place(page, line) << "link to " << target << ", which does not exist";
        }
    }
}
