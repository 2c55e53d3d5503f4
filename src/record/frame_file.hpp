#pragma once

#include "base/input_file.hpp"
#include "base/types.hpp"
#include "geometry/surface.hpp"
#include "geometry/tet_mesh.hpp"
#include "record/frame_chunks.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The file of frames, frames.rbt. docs/frames_file.md describes every byte of it.
namespace rubato {

/// What is known of each point of a frame.
struct FrameField {
    std::string name, unit;
    int components = 1;
};

/// A body or an obstacle as it is shown: ranges of points and triangles.
struct FrameBody {
    std::string name;
    bool obstacle = false;
    Index first_point = 0, points = 0;
    Index first_triangle = 0, triangles = 0;
};

/// What a file of frames holds besides the frames.
struct FrameHeader {
    std::string program, scene, integrator;
    double step = 0; ///< length of a step that was asked for [s]
    Vec3 up = Vec3::UnitY(); ///< against gravity; of length 1
    std::optional<double> ground = {}; ///< height of a level ground along up [m]
    Index points = 0, triangles = 0; ///< of the surface
    std::vector<FrameBody> bodies = {}; ///< in order; they cover all points and triangles
    std::vector<FrameField> fields = {}; ///< of the points; position comes first
    Index nodes = 0, tetrahedra = 0; ///< 0: surfaces only
    std::vector<FrameField> node_fields = {}; ///< of the nodes; position comes first

    std::string text() const; ///< as JSON
    static FrameHeader from_text(const std::string& json, const std::string& file); ///< throws InputError
    std::size_t values() const; ///< numbers in a frame of the surface
    std::size_t node_values() const; ///< numbers in a frame of the nodes
};

/// One moment.
struct Frame {
    double time = 0; ///< [s]
    std::int64_t step = 0;
    std::vector<float> values = {}; ///< field after field, point after point, component after component

    /// The numbers of the field with this name; empty: there is none.
    std::span<const float> field(
        const std::vector<FrameField>& fields, std::size_t points, const std::string& name) const;
};

/// Whether the chunks of a frame are whole.
bool holds_frame(const std::filesystem::path& file, const frame_chunks::IndexEntry& place);

/// Whether a run is writing this file: it holds a lock on it, which goes when the run ends or is killed. Where the file
/// system has no locks: whether the file changed within the last minute.
bool being_written(const std::filesystem::path& file);

/// Reads a file of frames, one frame at a time. A half-written or damaged end is left out.
class FrameReader {
public:
    /// Throws InputError if this is no file of frames.
    explicit FrameReader(std::filesystem::path file);

    const std::filesystem::path& file() const { return file_; }
    const FrameHeader& header() const { return header_; }
    std::size_t count() const { return places_.size(); } ///< frames
    double time(std::size_t frame) const { return places_[frame].time; } ///< [s]

    Surface surface(); ///< as its author made it, at rest
    std::vector<Triangle> triangles();
    std::vector<float> rest(); ///< of the surface's points, three numbers each [m]
    std::vector<Tet> tetrahedra(); ///< empty where the file has none
    std::vector<float> node_rest(); ///< of the nodes of the tetrahedra, three numbers each [m]
    Frame frame(std::size_t number); ///< of the surface; throws InputError if its checksum is wrong
    Frame node_frame(std::size_t number); ///< of the nodes; empty values where the file has none

private:
    friend bool holds_frame(const std::filesystem::path& file, const frame_chunks::IndexEntry& place);
    struct Chunk {
        std::string kind;
        std::uint64_t offset = 0, length = 0; ///< of its beginning; of its payload
        std::uint32_t checksum = 0;
    };
    bool fills(std::uint64_t offset, std::string& bytes) const; ///< whether the file has so many bytes there
    std::optional<Chunk> chunk_at(std::uint64_t offset); ///< nothing if there is no whole one
    std::optional<std::string> payload(const Chunk& chunk); ///< nothing if its checksum is wrong
    std::string payload(const std::string& kind); ///< of the only chunk of this kind; empty: there is none
    bool read_index();
    void read_index_or_walk();
    bool whole(const frame_chunks::IndexEntry& place);
    template <class Element>
    std::vector<Element> elements(const char* kind, Index count, Index points);
    std::vector<float> coordinates(const char* kind, Index points);
    Frame frame_at(std::size_t number, const char* kind, std::uint64_t offset, std::size_t values);

    std::filesystem::path file_;
    InputFile in_;
    FrameHeader header_;
    std::vector<Chunk> parts_; ///< that come before the frames
    std::vector<frame_chunks::IndexEntry> places_; ///< of the frames
};

} // namespace rubato
