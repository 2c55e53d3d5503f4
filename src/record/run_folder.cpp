#include "record/run_folder.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "record/fingerprint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rubato {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view first_columns = "step,time,h,"; ///< of every stats.csv: columns are only ever added
constexpr std::string_view seal_begin = ",\n  \"checksum\": \"", seal_end = "\"\n}\n";

/// Whether the seal at the end of a text fits what stands before it. False where there is none too.
bool seal_fits(const std::string& text, std::size_t begin)
{
    const std::string seal = fmt::format(
        "{}{}{}", seal_begin, fingerprint_text(fingerprint(std::string_view(text).substr(0, begin))), seal_end);
    return std::string_view(text).substr(begin) == seal;
}

} // namespace

bool begins_with(const fs::path& file, std::string_view text)
{
    if (!why_unreadable(file).empty()) return false;
    std::string begin(text.size(), '\0');
    begin.resize(InputFile(file).read(0, begin.data(), begin.size()));
    return begin == text;
}

bool holds_run(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / "scene.json", ignored) && begins_with(folder / "stats.csv", first_columns);
}

bool holds_replaceable_run(const fs::path& folder)
{
    std::error_code ignored;
    return holds_run(folder) || fs::is_directory(folder / begun_run, ignored);
}

bool takes_run(const fs::path& folder)
{
    std::error_code ignored;
    return !fs::is_directory(folder, ignored) || fs::is_empty(folder, ignored) || holds_replaceable_run(folder);
}

std::string sealed(const std::string& object)
{
    const std::string body = object.substr(0, object.rfind("\n}"));
    return fmt::format("{}{}{}{}", body, seal_begin, fingerprint_text(fingerprint(body)), seal_end);
}

Json read_summary(const fs::path& run_directory)
{
    const fs::path file = run_directory / "summary.json";
    const std::string text = file_bytes(file);
    const Json summary = Json::parse(text, nullptr, false);
    const std::size_t seal = text.rfind(seal_begin);
    // One of the two keys would still be there, had a single place been damaged.
    const bool has_seal = seal != std::string::npos
        || (summary.is_object() && (summary.contains("checksums") || summary.contains("checksum")));
    if (has_seal && (seal == std::string::npos || !seal_fits(text, seal)))
        refuse_file(file,
            "was changed after the run wrote it: its checksum does not fit; undo the change, or run the scene again");
    if (!summary.is_object()) refuse_file(file, "is no summary of a run: it is not a JSON object");
    return summary;
}

void require_as_summarised(const fs::path& run_directory, const Json& summary)
{
    if (!summary.contains("checksums") || !summary["checksums"].is_object()) return;
    const Json& checksums = summary["checksums"];
    for (const char* name : {"scene.json", "stats.csv"}) {
        const fs::path file = run_directory / name;
        std::error_code ignored;
        if (!checksums.contains(name) || !fs::exists(file, ignored)) continue;
        if (checksums[name] != fingerprint_text(fingerprint(file_bytes(file))))
            refuse_file(file,
                "was changed after the run wrote it: its checksum is not the one in summary.json; undo the change, or "
                "run the scene again");
    }
}

} // namespace rubato
