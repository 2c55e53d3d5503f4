#include "record/frame_file_writer.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "record/frame_chunks.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sys/file.h>
#include <unistd.h>

namespace rubato {

using namespace frame_chunks;

namespace {

constexpr std::size_t moments = 3; ///< in memory: one being filled, one being written, one in between

template <class Element>
std::string_view corners_bytes(const std::vector<Element>& elements)
{
    static_assert(sizeof(Index) == sizeof(std::uint32_t));
    return bytes_of(std::span<const Element>(elements));
}

} // namespace

bool all_finite(const FrameMoment& moment)
{
    const auto finite = [](const std::vector<float>& values) {
        // A sum of products with zero is zero unless some value is not finite; the compiler makes this wide.
        float sum = 0;
        for (const float value : values) sum += value * 0.0F;
        return sum == 0;
    };
    return finite(moment.points) && finite(moment.nodes) && std::isfinite(moment.time);
}

FrameFileWriter::~FrameFileWriter()
{
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void FrameFileWriter::create(const std::filesystem::path& file, const FrameFileParts& parts)
{
    out_.reset(std::fopen(file.c_str(), "wbe"));
    if (!out_) throw WriteError(file.string(), std::strerror(errno));
    file_ = file;
    mark_ = {};
    put(magic);
    put(bytes_of(std::uint64_t{version}));
    mark_.end = preamble_bytes;
    chunk("HEAD", {parts.header.text()});
    chunk("SURF", {parts.surface});
    chunk("TRIS", {corners_bytes(parts.triangles)});
    chunk("REST", {bytes_of(std::span<const float>(parts.rest))});
    if (parts.header.nodes > 0) {
        chunk("TETS", {corners_bytes(parts.tetrahedra)});
        chunk("NRST", {bytes_of(std::span<const float>(parts.node_rest))});
    }
    start(file);
}

void require_marked(const std::filesystem::path& file, const FrameFileMark& mark)
{
    const auto refuse = [&](const char* why) {
        throw InputError(
            Mistake{.file = file.string(), .message = fmt::format("{}; run the scene again from the start", why)});
    };
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error)))
        refuse("is missing, and the run had written frames to it");
    if (InputFile(file).size() < mark.end) refuse("is shorter than it was at the checkpoint");
    if (!mark.index.empty() && !holds_frame(file, mark.index.back()))
        refuse("is damaged: its last frame before the checkpoint cannot be read");
}

void FrameFileWriter::reopen(const std::filesystem::path& file, FrameFileMark mark)
{
    require_marked(file, mark);
    std::error_code error;
    std::filesystem::resize_file(file, mark.end, error);
    if (error) throw WriteError(file.string(), error.message());
    out_.reset(std::fopen(file.c_str(), "abe"));
    if (!out_) throw WriteError(file.string(), std::strerror(errno));
    mark_ = std::move(mark);
    start(file);
}

void FrameFileWriter::start(const std::filesystem::path& file)
{
    file_ = file;
    // Others see by it that the run goes on; they may be looking right now. Without it the run goes on all the same.
    for (int attempt = 0; attempt < 20 && ::flock(::fileno(out_.get()), LOCK_EX | LOCK_NB) != 0; ++attempt)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    free_.clear();
    for (std::size_t i = 0; i < moments; ++i) free_.push_back(std::make_unique<FrameMoment>());
    if (!thread_.joinable()) thread_ = std::thread([this] { write_queued(); });
}

FrameMoment& FrameFileWriter::next()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return filling_ || !free_.empty() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    if (!filling_) {
        filling_ = std::move(free_.back());
        free_.pop_back();
    }
    return *filling_;
}

void FrameFileWriter::append()
{
    if (!all_finite(*filling_)) {
        throw WriteError(file_.string(),
            fmt::format("a number of the frame at step {} is not finite in single precision", filling_->step));
    }
    {
        const std::lock_guard lock(mutex_);
        queued_.push_back(std::move(filling_));
    }
    changed_.notify_all();
}

void FrameFileWriter::write_queued()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return ending_ || !queued_.empty(); });
        if (queued_.empty()) return;
        const FrameMoment& moment = *queued_.front();
        const bool broken = failure_ != nullptr;
        lock.unlock();
        std::exception_ptr failure;
        try {
            if (!broken) write(moment);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        if (failure) failure_ = failure;
        free_.push_back(std::move(queued_.front()));
        queued_.pop_front();
        changed_.notify_all();
    }
}

void FrameFileWriter::write(const FrameMoment& moment)
{
    IndexEntry place{.time = moment.time};
    place.surface = chunk(
        "FRAM", {bytes_of(moment.time), bytes_of(moment.step), bytes_of(std::span<const float>(moment.points))});
    if (!moment.nodes.empty()) {
        place.nodes = chunk(
            "NODE", {bytes_of(moment.time), bytes_of(moment.step), bytes_of(std::span<const float>(moment.nodes))});
    }
    if (std::fflush(out_.get()) != 0) throw WriteError(file_.string(), std::strerror(errno));
    mark_.index.push_back(place);
}

std::uint64_t FrameFileWriter::chunk(const char* kind, std::initializer_list<std::string_view> pieces)
{
    const Head head = head_of(kind, pieces);
    put(bytes_of(head));
    for (const std::string_view piece : pieces) put(piece);
    put(std::string_view("\0\0\0\0\0\0\0", padded(head.length) - head.length));
    const std::uint64_t begin = mark_.end;
    mark_.end += head_bytes + padded(head.length);
    return begin;
}

void FrameFileWriter::put(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), out_.get()) != bytes.size())
        throw WriteError(file_.string(), std::strerror(errno));
}

void FrameFileWriter::drain()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queued_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
}

FrameFileMark FrameFileWriter::mark()
{
    drain();
    // Frames must be on the disk before a checkpoint that counts on them. Pipes and the like know no fsync.
    if (out_ && ::fdatasync(::fileno(out_.get())) != 0 && errno != EINVAL && errno != EROFS)
        throw WriteError(file_.string(), std::strerror(errno));
    return mark_;
}

void FrameFileWriter::close()
{
    if (!out_) return;
    drain();
    const std::uint64_t count = mark_.index.size(), end = mark_.end;
    const std::uint64_t begin = chunk("INDX", {bytes_of(count), bytes_of(std::span<const IndexEntry>(mark_.index))});
    put(bytes_of(begin));
    put(index_magic);
    mark_.end = end; // a run that goes on writes over the index
    if (std::fclose(out_.release()) != 0) throw WriteError(file_.string(), std::strerror(errno));
}

} // namespace rubato
