#pragma once

#include "export/sample.hpp"
#include "record/export/catalog.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <sys/wait.h>

/// Programs that others wrote read what was exported; each is a script here that prints what it found as JSON.
namespace rubato::test {

using Json = nlohmann::json;

inline std::string quoted_word(const std::string& word)
{
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

struct ReaderResult {
    int status = -1;
    std::string out; ///< both streams if it failed
};

inline ReaderResult process_result(const std::vector<std::string>& words)
{
    std::string command;
    for (const std::string& word : words) command += quoted_word(word) + " ";
    const Folder scratch;
    const std::filesystem::path errors = scratch / "errors";
    ReaderResult result;
    std::FILE* pipe = ::popen((command + "2> " + quoted_word(errors.string())).c_str(), "r");
    char block[4096];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;) result.out.append(block, n);
    const int status = ::pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (result.status != 0) result.out += contents(errors);
    return result;
}

inline std::string script(const std::string& name) { return std::string(RUBATO_SOURCE_DIR) + "/tests/export/" + name; }

/// Where node finds modules.
inline std::filesystem::path node_modules()
{
    const char* given = std::getenv("RUBATO_NODE_MODULES");
    return given != nullptr ? std::filesystem::path(given)
                            : std::filesystem::path(RUBATO_SOURCE_DIR) / "viewer" / "node_modules";
}

/// Empty, or why a module of node cannot be used.
inline std::string missing_module(const std::string& name)
{
    if (process_result({"node", "--version"}).status != 0) return "there is no node";
    if (!std::filesystem::exists(node_modules() / name / "package.json"))
        return "there is no " + name + " in " + node_modules().string();
    return {};
}

inline const char* const system_python = "/usr/bin/python3"; ///< the one that Debian's packages belong to

inline std::string missing_python(const std::string& module)
{
    if (process_result({system_python, "-c", "import " + module}).status != 0)
        return std::string(system_python) + " has no " + module;
    return {};
}

/// What a script printed.
inline Json read_by(const std::vector<std::string>& words)
{
    const ReaderResult result = process_result(words);
    EXPECT_EQ(result.status, 0) << result.out;
    const Json json = Json::parse(result.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << result.out.substr(0, 2000);
    return json;
}

/// A sample run, and the formats that it is exported to.
class ExportTest : public testing::Test {
protected:
    ExportTest()
        : reader(sample_file(folder.path()))
    {
    }

    std::vector<std::filesystem::path> exported(const std::string& format, const FrameChoice& choice = {})
    {
        FrameSelection frames(reader, choice);
        return export_named(format)->write(frames, {.folder = folder / format});
    }
    std::vector<float> field(std::size_t frame, const std::string& name)
    {
        const Frame all = reader.frame(frame);
        const auto values = all.field(reader.header().fields, 16, name);
        return {values.begin(), values.end()};
    }
    /// Of one body.
    std::vector<float> positions(std::size_t frame, std::size_t body)
    {
        const std::vector<float> all = field(frame, "position");
        const FrameBody& b = reader.header().bodies[body];
        return {all.begin() + 3 * b.first_point, all.begin() + 3 * (b.first_point + b.points)};
    }
    static void expect_near(const Json& found, const std::vector<float>& wanted, const std::string& where,
        double tolerance = 1e-6 * sample_size)
    {
        ASSERT_EQ(found.size(), wanted.size()) << where;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            ASSERT_NEAR(found[i].get<double>(), wanted[i], tolerance) << where << ", number " << i;
    }

    Folder folder;
    FrameReader reader;
};

} // namespace rubato::test
