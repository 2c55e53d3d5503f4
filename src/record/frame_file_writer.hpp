#pragma once

#include "record/frame_file.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace rubato {

/// What a file of frames begins with.
struct FrameFileParts {
    FrameHeader header;
    std::string surface; ///< at rest, as an .obj
    std::vector<Triangle> triangles;
    std::vector<float> rest; ///< of the points [m]
    std::vector<Tet> tetrahedra = {};
    std::vector<float> node_rest = {}; ///< [m]
};

/// One moment on its way to the disk: as in a Frame, for points and for nodes.
struct FrameMoment {
    double time = 0; ///< [s]
    std::int64_t step = 0;
    std::vector<float> points, nodes;
};

/// Whether every number of it can be written.
bool all_finite(const FrameMoment& moment);

/// How far a file of frames has got; enough to go on behind it.
struct FrameFileMark {
    std::uint64_t end = 0; ///< of the last whole chunk
    std::vector<frame_chunks::IndexEntry> index = {};
};

/// InputError if the file is missing, has not got as far as `mark`, or has a damaged frame there.
void require_marked(const std::filesystem::path& file, const FrameFileMark& mark);

/// Appends frames to a file. A thread of its own writes; the simulation waits only when it is more than two frames
/// ahead. What goes wrong there (a full disk) is thrown as a WriteError by the next call.
class FrameFileWriter {
public:
    FrameFileWriter() = default;
    ~FrameFileWriter();
    FrameFileWriter(const FrameFileWriter&) = delete;
    FrameFileWriter& operator=(const FrameFileWriter&) = delete;

    void create(const std::filesystem::path& file, const FrameFileParts& parts); ///< replaces a file of that name
    /// Goes on with a file that had got as far as `mark`: what lies behind is cut off. InputError if it is shorter.
    void reopen(const std::filesystem::path& file, FrameFileMark mark);
    bool is_open() const { return out_ != nullptr; }

    FrameMoment& next(); ///< to be filled; its vectors keep their memory
    void append(); ///< what `next` gave
    FrameFileMark mark(); ///< behind the last frame; waits until everything is written
    void close(); ///< index and trailer; nothing if it is not open

private:
    struct Closing {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void start(const std::filesystem::path& file);
    void write_queued();
    void write(const FrameMoment& moment);
    std::uint64_t chunk(const char* kind, std::initializer_list<std::string_view> pieces); ///< returns where it begins
    void put(std::string_view bytes);
    void drain(); ///< waits for the thread, and throws what it could not do

    std::filesystem::path file_;
    std::unique_ptr<std::FILE, Closing> out_;
    FrameFileMark mark_; // belongs to the thread while the queue is not empty
    std::vector<std::unique_ptr<FrameMoment>> free_;
    std::deque<std::unique_ptr<FrameMoment>> queued_; ///< the first is being written
    std::unique_ptr<FrameMoment> filling_;
    std::mutex mutex_; ///< of free_, queued_, failure_, ending_
    std::condition_variable changed_;
    std::exception_ptr failure_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace rubato
