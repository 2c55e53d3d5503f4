#include "integrators/catalog.hpp"
#include "scene/format.hpp"
#include "scene/reference.hpp"
#include "scene/sample.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace rubato {

TEST(Reference, CommittedPageIsUpToDate)
{
    std::ifstream in(std::string(RUBATO_SOURCE_DIR) + "/docs/scene_format.md");
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_TRUE(text.str() == format_reference(scene_family()))
        << "write it again: rubato list --markdown > docs/scene_format.md";
}

TEST(Reference, NamesEveryIntegrator)
{
    const std::string overview = catalog_overview(scene_family());
    for (const IntegratorEntry& entry : integrator_catalog()) {
        EXPECT_NE(overview.find("  " + entry.name + " "), std::string::npos) << entry.name;
    }
}

TEST(Reference, PageOfAFamilyHasItsOptions)
{
    const std::string page = catalog_page(scene_family(), "integrators");
    EXPECT_NE(page.find("beta"), std::string::npos);
    EXPECT_EQ(page.find("young"), std::string::npos);
    const auto mistakes = mistakes_of([] { catalog_page(scene_family(), "integrator"); });
    ASSERT_EQ(mistakes.size(), 1u);
    EXPECT_NE(mistakes[0].message.find("did you mean 'integrators'?"), std::string::npos);
}

TEST(Reference, FamiliesHaveDifferentNames)
{
    std::vector<std::string> names;
    for (const ObjectFamily* family : families_below(scene_family())) names.push_back(family->name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

} // namespace rubato
