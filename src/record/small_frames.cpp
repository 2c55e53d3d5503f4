#include "record/small_frames.hpp"

#include "record/frame_chunks.hpp"

#include <algorithm>

namespace rubato {

using namespace frame_chunks;

namespace {

void add_chunk(std::string& file, const char* kind, std::string_view payload)
{
    file += bytes_of(head_of(kind, {payload}));
    file += payload;
    file.append(padded(payload.size()) - payload.size(), '\0');
}

} // namespace

SmallFrames small_frames(FrameReader& reader, std::uint64_t most_bytes)
{
    FrameHeader header = reader.header();
    header.nodes = header.tetrahedra = 0;
    header.node_fields.clear();
    const auto too_large = [&](std::uint64_t frames) { return frames * header.values() * sizeof(float) > most_bytes; };
    if (too_large(reader.count())) {
        std::erase_if(header.fields, [](const FrameField& f) { return f.name != "position" && f.name != "stress"; });
    }
    std::size_t every = 1;
    while (every < reader.count() && too_large(reader.count() / every)) ++every;

    std::string file(magic);
    file += bytes_of(std::uint64_t{version});
    add_chunk(file, "HEAD", header.text());
    const std::vector<Triangle> triangles = reader.triangles();
    add_chunk(file, "TRIS", bytes_of(std::span<const Triangle>(triangles)));
    const std::vector<float> rest = reader.rest();
    add_chunk(file, "REST", bytes_of(std::span<const float>(rest)));
    std::string payload;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < reader.count(); i += every) chosen.push_back(i);
    if (!chosen.empty() && chosen.back() + 1 != reader.count()) chosen.push_back(reader.count() - 1);
    for (const std::size_t i : chosen) {
        const Frame frame = reader.frame(i);
        payload.assign(bytes_of(frame.time));
        payload += bytes_of(frame.step);
        for (const FrameField& field : header.fields) {
            payload
                += bytes_of(frame.field(reader.header().fields, static_cast<std::size_t>(header.points), field.name));
        }
        add_chunk(file, "FRAM", payload);
    }
    return {std::move(file), chosen.size()};
}

} // namespace rubato
