#include "record/export/point_cache.hpp"

#include "base/errors.hpp"
#include "geometry/files/write_obj.hpp"
#include "record/export/body_mesh.hpp"
#include "record/export/names.hpp"
#include "record/export/streamed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>

namespace rubato {

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "bytes are turned round for MDD, and copied for PC2");

/// A moment between two frames.
struct Sample {
    std::size_t frame = 0;
    double share = 0; ///< of the next frame
};

enum class Order { little, big };

/// Bytes of a header.
struct Bytes {
    Order order;
    std::string text = {};

    template <class T>
    void add(T value)
    {
        char raw[sizeof(T)];
        std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), raw);
        if (order == Order::big) std::reverse(raw, raw + sizeof(T));
        text.append(raw, sizeof(T));
    }
};

/// What the two formats differ in.
struct CacheFormat {
    const char* extension;
    Order order;
    std::vector<Sample> samples;
    std::function<std::string(Index points)> header;
};

/// Distance of equal samples: that of most frames, so that they stay as they are; larger where that would be too many.
double sample_distance(const FrameSelection& frames)
{
    const std::size_t n = frames.count();
    if (n < 2) return 1;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < n; ++i) gaps.push_back(frames.time(i) - frames.time(i - 1));
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    const double usual = gaps[gaps.size() / 2], length = frames.time(n - 1) - frames.time(0);
    return length / usual <= 4 * static_cast<double>(n) ? usual : length / static_cast<double>(n - 1);
}

/// Samples at equal distances from the first frame on; the last is the last frame, held if it comes too early.
std::vector<Sample> equal_samples(const FrameSelection& frames, double distance)
{
    const std::size_t last = frames.count() - 1;
    const double length = frames.time(last) - frames.time(0);
    const double near = 1e-6; // in distances: a frame that lies so close is taken as it is
    const auto count = static_cast<std::size_t>(std::ceil(length / distance - near)) + 1;
    std::vector<Sample> samples;
    std::size_t before = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double time = frames.time(0) + static_cast<double>(k) * distance;
        while (before < last && frames.time(before + 1) <= time + near * distance) ++before;
        double share = 0;
        if (before < last) {
            share = (time - frames.time(before)) / (frames.time(before + 1) - frames.time(before));
            if (time - frames.time(before) <= near * distance) share = 0;
        }
        samples.push_back({before, share});
    }
    return samples;
}

/// The two frames that samples lie between, each read once.
class Between {
public:
    explicit Between(const FrameSelection& frames)
        : frames_(frames)
    {
    }

    /// Positions of all points at a sample; samples come in order [m].
    std::span<const float> at(const Sample& sample)
    {
        load(low_, sample.frame);
        const auto x = frames_.field(low_->second, "position");
        if (sample.share == 0) return x;
        load(high_, sample.frame + 1);
        const auto y = frames_.field(high_->second, "position");
        mixed_.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            mixed_[i] = static_cast<float>((1 - sample.share) * x[i] + sample.share * y[i]);
        return mixed_;
    }

private:
    using Numbered = std::optional<std::pair<std::size_t, Frame>>;

    void load(Numbered& place, std::size_t number)
    {
        if (place && place->first == number) return;
        if (&place == &low_ && high_ && high_->first == number) {
            std::swap(low_, high_);
            return;
        }
        place.emplace(number, frames_.frame(number));
    }

    const FrameSelection& frames_;
    Numbered low_, high_;
    std::vector<float> mixed_;
};

std::string ordered(std::span<const float> values, Order order)
{
    std::string bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    if (order == Order::big) {
        for (std::size_t i = 0; i < bytes.size(); i += 4) std::reverse(bytes.data() + i, bytes.data() + i + 4);
    }
    return bytes;
}

/// The mesh that a cache moves: the same points in the same order.
fs::path write_rest(const fs::path& file, BodyMesh& mesh)
{
    std::vector<SurfacePart>& parts = mesh.surface.parts;
    const std::string name = line_name(mesh.body.name);
    if (mesh.surface.polygon_count() > 0 && (parts.empty() || parts.front().first_polygon > 0))
        parts.insert(parts.begin(), SurfacePart{.first_polygon = 0, .object = name, .group = {}, .material = {}});
    for (SurfacePart& part : parts) part.object = name; // one object: a cache moves one
    write_obj(file, mesh.surface);
    return file;
}

std::vector<fs::path> write_caches(
    const FrameSelection& frames, const ExportOptions& options, const CacheFormat& format)
{
    constexpr std::size_t most_open = 128; // files; systems allow some hundreds
    make_folder(options.folder);
    std::vector<BodyMesh> meshes = body_meshes(frames.reader());
    DistinctNames distinct;
    std::vector<std::string> stems;
    for (const BodyMesh& mesh : meshes) stems.push_back(distinct(file_stem(mesh.body.name)));

    std::vector<fs::path> written;
    for (std::size_t first = 0; first < meshes.size(); first += most_open) {
        const std::size_t end = std::min(meshes.size(), first + most_open);
        std::vector<std::unique_ptr<StreamedFile>> files;
        for (std::size_t b = first; b < end; ++b) {
            files.push_back(std::make_unique<StreamedFile>(options.folder / (stems[b] + format.extension)));
            files.back()->write(format.header(meshes[b].body.points));
        }
        Between between(frames);
        for (const Sample& sample : format.samples) {
            const auto x = between.at(sample);
            for (std::size_t b = first; b < end; ++b)
                files[b - first]->write(ordered(of_body(x, meshes[b].body, 3), format.order));
        }
        for (std::size_t b = first; b < end; ++b) {
            files[b - first]->commit();
            written.push_back(files[b - first]->path());
            name_materials_from(options.folder, frames.reader(), meshes[b].surface);
            written.push_back(write_rest(options.folder / (stems[b] + ".obj"), meshes[b]));
        }
    }
    return written;
}

std::int32_t sample_count(const FrameSelection& frames, std::size_t count)
{
    if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw InputError(Mistake{.file = frames.reader().file().string(), .message = "has too many frames"});
    return static_cast<std::int32_t>(count);
}

} // namespace

std::vector<fs::path> export_pc2(const FrameSelection& frames, const ExportOptions& options)
{
    const double distance = sample_distance(frames);
    CacheFormat format{".pc2", Order::little, equal_samples(frames, distance), {}};
    format.header = [&](Index points) {
        Bytes bytes{Order::little, std::string("POINTCACHE2\0", 12)};
        bytes.add<std::int32_t>(1); // version
        bytes.add<std::int32_t>(points);
        bytes.add(static_cast<float>(frames.time(0) / distance)); // first frame, if a frame is one sample long
        bytes.add(1.0F); // frames from sample to sample
        bytes.add(sample_count(frames, format.samples.size()));
        return bytes.text;
    };
    return write_caches(frames, options, format);
}

std::vector<fs::path> export_mdd(const FrameSelection& frames, const ExportOptions& options)
{
    CacheFormat format{".mdd", Order::big, {}, {}};
    for (std::size_t i = 0; i < frames.count(); ++i) format.samples.push_back({i, 0});
    format.header = [&](Index points) {
        Bytes bytes{Order::big};
        bytes.add(sample_count(frames, format.samples.size()));
        bytes.add<std::int32_t>(points);
        for (std::size_t i = 0; i < frames.count(); ++i) bytes.add(static_cast<float>(frames.time(i))); // [s]
        return bytes.text;
    };
    return write_caches(frames, options, format);
}

} // namespace rubato
