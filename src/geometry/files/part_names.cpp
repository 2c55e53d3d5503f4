#include "geometry/files/part_names.hpp"

#include <charconv>
#include <utility>

namespace rubato {

namespace {

constexpr std::pair<std::string_view, std::string SurfacePart::*> kinds[]
    = {{"object ", &SurfacePart::object}, {"group ", &SurfacePart::group}, {"material ", &SurfacePart::material}};
constexpr std::string_view mark = "rubato ";
constexpr std::string_view part_mark = "part ";
constexpr std::string_view file_mark = "material_file ";

} // namespace

std::vector<std::string> name_comments(const Surface& surface)
{
    std::vector<std::string> lines;
    const auto add = [&](std::string_view kind, const std::string& name) {
        lines.push_back(std::string(mark).append(kind).append(name));
    };
    for (const std::string& file : surface.material_files) add(file_mark, file);
    for (const SurfacePart& part : surface.parts) {
        add(part_mark, std::to_string(part.first_polygon));
        for (const auto& [kind, member] : kinds) {
            if (!(part.*member).empty()) add(kind, part.*member);
        }
    }
    return lines;
}

void NameComments::read(std::string_view comment)
{
    if (!comment.starts_with(mark)) return;
    comment.remove_prefix(mark.size());
    if (comment.starts_with(file_mark)) {
        material_files_.emplace_back(comment.substr(file_mark.size()));
    } else if (comment.starts_with(part_mark)) {
        comment.remove_prefix(part_mark.size());
        SurfacePart part;
        const auto [end, error] = std::from_chars(comment.data(), comment.data() + comment.size(), part.first_polygon);
        const Index least = parts_.empty() ? 0 : parts_.back().first_polygon;
        if (error != std::errc() || part.first_polygon < least) sound_ = false;
        parts_.push_back(part);
    }
    for (const auto& [kind, member] : kinds) {
        if (comment.starts_with(kind) && !parts_.empty()) parts_.back().*member = comment.substr(kind.size());
    }
}

void NameComments::apply(Surface& surface) const
{
    surface.material_files = material_files_;
    if (parts_.empty() || !sound_) return;
    if (parts_.back().first_polygon > static_cast<std::int64_t>(surface.polygon_count())) return;
    surface.parts = parts_;
}

const std::string& one_name(const SurfacePart& part)
{
    if (!part.group.empty()) return part.group;
    return part.object.empty() ? part.material : part.object;
}

std::vector<Index> part_of_polygons(const Surface& surface)
{
    std::vector<Index> part(surface.polygon_count(), -1);
    for (std::size_t k = 0; k < surface.parts.size(); ++k) {
        const auto begin = static_cast<std::size_t>(surface.parts[k].first_polygon);
        const auto end
            = k + 1 < surface.parts.size() ? static_cast<std::size_t>(surface.parts[k + 1].first_polygon) : part.size();
        for (std::size_t p = begin; p < end; ++p) part[p] = static_cast<Index>(k);
    }
    return part;
}

} // namespace rubato
