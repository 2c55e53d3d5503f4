#include "architecture/rules.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

/// Scenes that the documents show are scenes that the program accepts.
namespace fs = std::filesystem;
using namespace rubato::rules;

namespace {

/// Runs `rubato check` on a text; returns its complaints, empty if it is a good scene.
std::string refusal(const std::string& scene)
{
    const fs::path folder = fs::temp_directory_path();
    const std::string stem = "rubato_document_" + std::to_string(std::hash<std::string>{}(scene));
    const fs::path file = folder / (stem + ".json"), said = folder / (stem + ".txt");
    std::ofstream(file) << scene;
    const std::string command
        = std::string("'") + RUBATO_PROGRAM + "' check '" + file.string() + "' > '" + said.string() + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream in(said);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    fs::remove(file);
    fs::remove(said);
    if (status == 0) return "";
    return text.empty() ? "exit status " + std::to_string(status) : text;
}

} // namespace

TEST(Documents, ScenesThatTheyShowAreValid)
{
    int shown = 0;
    for (const char* page : {"README.md", "docs/hello_world.md"}) {
        std::ifstream in(fs::path(RUBATO_SOURCE_DIR) / page);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (const std::string& block : json_blocks(text)) {
            ++shown;
            EXPECT_EQ(refusal(block), "") << page;
        }
    }
    EXPECT_GE(shown, 2) << "README.md and docs/hello_world.md each show a scene";
}

TEST(Documents, ABadSceneWouldBeNoticed)
{
    const std::string complaints = refusal("{\"name\": \"x\", \"bodies\": [], \"integratr\": \"bdf2\"}");
    EXPECT_NE(complaints.find("integratr"), std::string::npos) << complaints;
}
