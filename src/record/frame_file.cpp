#include "record/frame_file.hpp"

#include "base/errors.hpp"
#include "base/memory.hpp"
#include "geometry/files/read_obj.hpp"
#include "record/frame_chunks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <limits>
#include <sys/file.h>
#include <zlib.h>

namespace rubato {

using namespace frame_chunks;

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why)
{
    throw InputError(Mistake{.file = file.string(), .message = why});
}

bool all_finite(const std::vector<float>& numbers)
{
    return std::all_of(numbers.begin(), numbers.end(), [](float value) { return std::isfinite(value); });
}

Json json_of(const std::vector<FrameField>& fields)
{
    Json list = Json::array();
    for (const FrameField& field : fields)
        list.push_back({{"name", field.name}, {"unit", field.unit}, {"components", field.components}});
    return list;
}

std::vector<FrameField> fields_of(const Json& list)
{
    std::vector<FrameField> fields;
    for (const Json& entry : list) {
        FrameField field{entry.at("name"), entry.at("unit"), entry.at("components")};
        if (field.components < 1 || field.components > 9) throw std::out_of_range("components");
        fields.push_back(std::move(field));
    }
    return fields;
}

bool begins_with_position(const std::vector<FrameField>& fields)
{
    return !fields.empty() && fields.front().name == "position" && fields.front().components == 3;
}

/// A count or the beginning of a range.
Index count_of(const Json& object, const char* key)
{
    const auto number = object.at(key).get<std::int64_t>();
    if (number < 0 || number > std::numeric_limits<Index>::max()) throw std::out_of_range(key);
    return static_cast<Index>(number);
}

std::size_t values_of(const std::vector<FrameField>& fields, Index points)
{
    std::size_t values = 0;
    for (const FrameField& field : fields)
        values += static_cast<std::size_t>(points) * static_cast<std::size_t>(field.components);
    return values;
}

/// Plain numbers of a whole payload.
template <class T>
std::vector<T> numbers_of(const std::string& payload)
{
    std::vector<T> numbers(payload.size() / sizeof(T));
    std::memcpy(numbers.data(), payload.data(), numbers.size() * sizeof(T));
    return numbers;
}

} // namespace

std::uint32_t frame_chunks::checksum(std::string_view bytes, std::uint32_t before)
{
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Head frame_chunks::head_of(const char* kind, std::initializer_list<std::string_view> pieces)
{
    Head head{.kind = {kind[0], kind[1], kind[2], kind[3]}, .checksum = 0, .length = 0};
    for (const std::string_view piece : pieces) {
        head.checksum = checksum(piece, head.checksum);
        head.length += piece.size();
    }
    return head;
}

std::string FrameHeader::text() const
{
    Json list = Json::array();
    for (const FrameBody& body : bodies) {
        list.push_back({{"name", body.name}, {"obstacle", body.obstacle}, {"first_point", body.first_point},
            {"points", body.points}, {"first_triangle", body.first_triangle}, {"triangles", body.triangles}});
    }
    const Json json = {
        {"format", "rubato-frames"},
        {"version", version},
        {"program", program},
        {"scene", scene},
        {"integrator", integrator},
        {"step", step},
        {"up", {up.x(), up.y(), up.z()}},
        {"ground", ground ? Json(*ground) : Json()},
        {"points", points},
        {"triangles", triangles},
        {"bodies", std::move(list)},
        {"fields", json_of(fields)},
        {"nodes", nodes},
        {"tetrahedra", tetrahedra},
        {"node_fields", json_of(node_fields)},
    };
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

FrameHeader FrameHeader::from_text(const std::string& text, const std::string& file)
{
    try {
        const Json json = Json::parse(text);
        FrameHeader header{.program = json.at("program"),
            .scene = json.at("scene"),
            .integrator = json.at("integrator"),
            .step = json.at("step")};
        for (int i = 0; i < 3; ++i) header.up[i] = json.at("up").at(static_cast<std::size_t>(i));
        if (!json.at("ground").is_null()) header.ground = json.at("ground").get<double>();
        header.points = count_of(json, "points");
        header.triangles = count_of(json, "triangles");
        for (const Json& entry : json.at("bodies")) {
            header.bodies.push_back({entry.at("name"), entry.at("obstacle"), count_of(entry, "first_point"),
                count_of(entry, "points"), count_of(entry, "first_triangle"), count_of(entry, "triangles")});
        }
        // Ranges follow each other, so that whoever uses them need not look again.
        std::int64_t point = 0, triangle = 0;
        for (const FrameBody& body : header.bodies) {
            if (body.first_point != point || body.first_triangle != triangle) throw std::out_of_range("bodies");
            point += body.points;
            triangle += body.triangles;
        }
        if (point != header.points || triangle != header.triangles) throw std::out_of_range("bodies");
        header.fields = fields_of(json.at("fields"));
        header.nodes = count_of(json, "nodes");
        header.tetrahedra = count_of(json, "tetrahedra");
        header.node_fields = fields_of(json.at("node_fields"));
        if (!begins_with_position(header.fields)) throw std::out_of_range("fields");
        if (header.nodes > 0 && !begins_with_position(header.node_fields)) throw std::out_of_range("node_fields");
        return header;
    } catch (const Json::exception&) {
        refuse(file, "is no file of frames that this version reads: something is missing in its header");
    } catch (const std::exception& error) {
        refuse(
            file, fmt::format("is no file of frames that this version reads: its header is wrong ({})", error.what()));
    }
}

std::size_t FrameHeader::values() const { return values_of(fields, points); }
std::size_t FrameHeader::node_values() const { return nodes == 0 ? 0 : values_of(node_fields, nodes); }

std::span<const float> Frame::field(
    const std::vector<FrameField>& fields, std::size_t points, const std::string& name) const
{
    std::size_t at = 0;
    for (const FrameField& field : fields) {
        const std::size_t length = points * static_cast<std::size_t>(field.components);
        if (at + length > values.size()) break;
        if (field.name == name) return {values.data() + at, length};
        at += length;
    }
    return {};
}

FrameReader::FrameReader(std::filesystem::path file)
    : file_(std::move(file))
    , in_(file_)
{
    std::string preamble(preamble_bytes, '\0');
    if (!fills(0, preamble) || !preamble.starts_with(magic))
        refuse(file_, "is no file of frames: it does not begin with RUBATOFR");
    if (const auto found = number_at<std::uint32_t>(preamble, magic.size()); found != version)
        refuse(file_, fmt::format("has version {}; this program reads version {}", found, version));
    read_index_or_walk();
    const std::string head = payload("HEAD");
    if (head.empty()) refuse(file_, "is no file of frames: it has no whole header");
    header_ = FrameHeader::from_text(head, file_.string());
}

bool FrameReader::fills(std::uint64_t offset, std::string& bytes) const
{
    return in_.read(offset, bytes.data(), bytes.size()) == bytes.size();
}

std::optional<FrameReader::Chunk> FrameReader::chunk_at(std::uint64_t offset)
{
    const std::uint64_t size = in_.size();
    if (offset % 8 != 0 || offset < preamble_bytes || offset > size || size - offset < head_bytes) return {};
    Head head;
    if (in_.read(offset, reinterpret_cast<char*>(&head), sizeof head) != sizeof head) return {};
    const std::uint64_t left = size - offset - head_bytes;
    if (head.length > left) return {};
    return Chunk{std::string(head.kind, 4), offset, head.length, head.checksum};
}

std::optional<std::string> FrameReader::payload(const Chunk& chunk)
{
    // The length of a damaged file of holes may be anything.
    constexpr std::uint64_t large = std::uint64_t{1} << 30;
    if (chunk.length > large && static_cast<double>(chunk.length) > available_memory())
        refuse(file_, fmt::format("has a part of {} bytes, which do not fit into memory", chunk.length));
    std::string bytes(chunk.length, '\0');
    if (!fills(chunk.offset + head_bytes, bytes) || checksum(bytes) != chunk.checksum) return {};
    return bytes;
}

std::string FrameReader::payload(const std::string& kind)
{
    const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Chunk& c) { return c.kind == kind; });
    if (part == parts_.end()) return {};
    auto bytes = payload(*part);
    if (!bytes) refuse(file_, fmt::format("is damaged: the checksum of {} is wrong", kind));
    return *std::move(bytes);
}

bool FrameReader::read_index()
{
    if (in_.size() < preamble_bytes + trailer_bytes) return false;
    std::string trailer(trailer_bytes, '\0');
    if (!fills(in_.size() - trailer_bytes, trailer) || !trailer.ends_with(index_magic)) return false;
    const auto chunk = chunk_at(number_at<std::uint64_t>(trailer, 0));
    if (!chunk || chunk->kind != "INDX") return false;
    const auto bytes = payload(*chunk);
    if (!bytes || bytes->size() < 8) return false;
    const auto count = number_at<std::uint64_t>(*bytes, 0);
    if ((bytes->size() - 8) % sizeof(IndexEntry) != 0 || (bytes->size() - 8) / sizeof(IndexEntry) != count)
        return false;
    places_.resize(count);
    if (count > 0) std::memcpy(places_.data(), bytes->data() + 8, count * sizeof(IndexEntry));
    const bool sound
        = std::all_of(places_.begin(), places_.end(), [](const IndexEntry& e) { return std::isfinite(e.time); });
    if (!sound) places_.clear();
    return sound;
}

void FrameReader::read_index_or_walk()
{
    const bool indexed = read_index();
    std::uint64_t offset = preamble_bytes;
    while (const auto chunk = chunk_at(offset)) {
        offset += head_bytes + padded(chunk->length);
        if (chunk->kind == "FRAM") {
            if (indexed) return; // the rest is known
            if (chunk->length < moment_bytes) break;
            double time = 0;
            in_.read(chunk->offset + head_bytes, reinterpret_cast<char*>(&time), sizeof time);
            if (!std::isfinite(time)) break;
            places_.push_back({chunk->offset, 0, time});
        } else if (chunk->kind == "NODE") {
            if (!places_.empty()) places_.back().nodes = chunk->offset;
        } else if (chunk->kind == "INDX") {
            break;
        } else if (indexed || places_.empty()) {
            parts_.push_back(*chunk);
        }
    }
    // The end of a file that grew when the power failed may be full of zeros: the last frame must be whole.
    while (!indexed && !places_.empty() && !whole(places_.back())) places_.pop_back();
}

bool FrameReader::whole(const IndexEntry& place)
{
    for (const std::uint64_t offset : {place.surface, place.nodes}) {
        if (offset == 0) continue;
        const auto chunk = chunk_at(offset);
        if (!chunk || !payload(*chunk)) return false;
    }
    return true;
}

bool holds_frame(const std::filesystem::path& file, const IndexEntry& place)
{
    try {
        return FrameReader(file).whole(place);
    } catch (const InputError&) {
        return false;
    }
}

bool being_written(const std::filesystem::path& file)
{
    int refused = 0;
    {
        const std::optional<InputFile> open = InputFile::if_readable(file);
        if (!open) return false;
        refused = ::flock(open->descriptor(), LOCK_SH | LOCK_NB) == 0 ? 0 : errno;
    } // closed, and with it the lock
    if (refused == 0 || refused == EWOULDBLOCK) return refused != 0;
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(file, error);
    return !error && std::filesystem::file_time_type::clock::now() - changed < std::chrono::minutes(1);
}

Surface FrameReader::surface() { return surface_from_obj(payload("SURF"), file_.string()); }

std::vector<Triangle> FrameReader::triangles() { return elements<Triangle>("TRIS", header_.triangles, header_.points); }

std::vector<Tet> FrameReader::tetrahedra() { return elements<Tet>("TETS", header_.tetrahedra, header_.nodes); }

template <class Element>
std::vector<Element> FrameReader::elements(const char* kind, Index count, Index points)
{
    const auto corners = numbers_of<std::uint32_t>(payload(kind));
    const std::size_t each = Element{}.size();
    const bool in_range = std::all_of(
        corners.begin(), corners.end(), [&](std::uint32_t c) { return c < static_cast<std::uint32_t>(points); });
    if (corners.size() != static_cast<std::size_t>(count) * each || !in_range)
        refuse(file_, fmt::format("is damaged: {} does not fit the header", kind));
    std::vector<Element> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < corners.size(); ++i) all[i / each][i % each] = static_cast<Index>(corners[i]);
    return all;
}

std::vector<float> FrameReader::rest() { return coordinates("REST", header_.points); }
std::vector<float> FrameReader::node_rest() { return coordinates("NRST", header_.nodes); }

std::vector<float> FrameReader::coordinates(const char* kind, Index points)
{
    auto numbers = numbers_of<float>(payload(kind));
    if (numbers.size() != 3 * static_cast<std::size_t>(points))
        refuse(file_, fmt::format("is damaged: {} does not fit the header", kind));
    if (!all_finite(numbers)) refuse(file_, fmt::format("is damaged: {} holds a number that is not finite", kind));
    return numbers;
}

Frame FrameReader::frame(std::size_t number)
{
    return frame_at(number, "FRAM", places_.at(number).surface, header_.values());
}

Frame FrameReader::node_frame(std::size_t number)
{
    if (places_.at(number).nodes == 0) return {.time = places_[number].time};
    return frame_at(number, "NODE", places_[number].nodes, header_.node_values());
}

Frame FrameReader::frame_at(std::size_t number, const char* kind, std::uint64_t offset, std::size_t values)
{
    const auto chunk = chunk_at(offset);
    const auto bytes = chunk && chunk->kind == kind ? payload(*chunk) : std::optional<std::string>();
    if (!bytes || bytes->size() != moment_bytes + values * sizeof(float))
        refuse(file_, fmt::format("is damaged: frame {} cannot be read, its checksum or its size is wrong", number));
    Frame frame{.time = number_at<double>(*bytes, 0), .step = number_at<std::int64_t>(*bytes, 8)};
    frame.values.resize(values);
    if (values > 0) std::memcpy(frame.values.data(), bytes->data() + moment_bytes, values * sizeof(float));
    if (!std::isfinite(frame.time) || !all_finite(frame.values))
        refuse(file_, fmt::format("is damaged: frame {} holds a number that is not finite", number));
    return frame;
}

} // namespace rubato
