#include "record/stats.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace rubato {

namespace {

/// One row in a fixed buffer, so that nothing is allocated.
template <std::size_t capacity>
class Row {
public:
    void number(double value)
    {
        if (std::isfinite(value)) end_ = fmt::format_to(end_, "{}", value);
        *end_++ = ',';
    }
    void number(long value)
    {
        end_ = fmt::format_to(end_, "{}", value);
        *end_++ = ',';
    }
    void vector(const Vec3& value)
    {
        for (const double component : {value.x(), value.y(), value.z()}) number(component);
    }
    void empty() { *end_++ = ','; }

    std::string_view line()
    {
        end_[-1] = '\n'; // in place of the last comma
        return {text_, static_cast<std::size_t>(end_ - text_)};
    }

private:
    char text_[capacity];
    char* end_ = text_;
};

[[noreturn]] void fail(const std::filesystem::path& file, const char* what)
{
    const int error = errno;
    throw WriteError(file.string(), fmt::format("{}: {}", what, std::strerror(error)));
}

} // namespace

StatsWriter::StatsWriter(std::filesystem::path file, bool has_contact, bool has_target)
    : file_(std::move(file))
    , has_contact_(has_contact)
    , has_target_(has_target)
{
}

StatsWriter::~StatsWriter()
{
    if (descriptor_ < 0) return;
    try {
        flush();
    } catch (const WriteError&) {
        // Whoever wants to hear of lost rows calls close().
    }
    ::close(descriptor_);
}

void StatsWriter::begin() { begin(file_); }

void StatsWriter::begin(const std::filesystem::path& elsewhere)
{
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = ::open(elsewhere.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail(file_, "cannot be created");
    written_ = filled_ = 0;
    checksum_ = fingerprint("");
    append(stats_header);
    append("\n");
}

void StatsWriter::step(const StepRecord& record)
{
    const bool start = record.step == 0;
    const SolveReport& solve = record.outcome.solve;
    const bool solved = !start && solve.reason != StopReason::no_solve;

    Row<row_limit> row;
    row.number(record.step);
    row.number(record.state.t);
    start ? row.empty() : row.number(record.h);
    row.number(record.kinetic);
    row.number(record.potential.elastic);
    row.number(record.potential.gravity);
    has_contact_ ? row.number(record.potential.contact) : row.empty();
    row.number(record.potential.other);
    row.number(record.total());
    has_target_ ? row.number(record.ledger.target) : row.empty();
    row.number(record.outcome.alpha);
    row.number(record.ledger.dissipated);
    row.number(record.ledger.injected);
    solved ? row.number(long{solve.iterations}) : row.empty();
    solved ? row.number(long{solve.linear_iterations}) : row.empty();
    has_contact_ ? row.number(record.touching.contacts) : row.empty();
    row.number(has_contact_ ? record.touching.min_distance : std::numeric_limits<double>::infinity()); // empty
    row.vector(record.linear_momentum);
    row.vector(record.angular_momentum);
    solved ? row.number(solve.residual) : row.empty();
    row.number(record.wall);
    append(row.line());

    // After a resume the wall-clock starts again at zero.
    if (record.wall - last_flush_ >= flush_interval || record.wall < last_flush_) {
        flush();
        last_flush_ = record.wall;
    }
}

void StatsWriter::append(std::string_view text)
{
    if (filled_ + text.size() > buffer_.size()) flush();
    std::memcpy(buffer_.data() + filled_, text.data(), text.size());
    filled_ += text.size();
    checksum_ = fingerprint(text, checksum_);
}

void StatsWriter::flush()
{
    std::size_t done = 0;
    while (done < filled_) {
        const ssize_t n = ::write(descriptor_, buffer_.data() + done, filled_ - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            // What did not get out stays in the buffer, so that bytes() stays true.
            std::memmove(buffer_.data(), buffer_.data() + done, filled_ - done);
            filled_ -= done;
            written_ += done;
            fail(file_, "cannot be written");
        }
        done += static_cast<std::size_t>(n);
    }
    written_ += done;
    filled_ = 0;
}

void StatsWriter::close()
{
    if (descriptor_ < 0) return;
    flush();
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (::close(descriptor) != 0) fail(file_, "cannot be written");
}

void StatsWriter::serialize(Archive& archive)
{
    if (!archive.loading()) {
        flush();
        // Rows must be on the disk before a checkpoint that counts on them. Pipes and the like know no fsync.
        if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(file_, "cannot be written");
    }
    std::uint64_t length = bytes();
    archive("stats_bytes", length);
    archive("stats_checksum", checksum_);
    if (!archive.loading()) return;

    const auto refuse_if = [&](bool unusable, const std::string& what) {
        if (!unusable) return;
        throw InputError(Mistake{.file = file_.string(),
            .message = fmt::format("{}; the run cannot be resumed, run its scene again", what)});
    };
    const std::string why = why_unreadable(file_);
    refuse_if(!why.empty(), why);
    const std::string found = file_bytes(file_);
    refuse_if(found.size() < length, "is shorter than it was at the last checkpoint");
    refuse_if(fingerprint(std::string_view(found).substr(0, length)) != checksum_,
        "was changed: rows before the last checkpoint do not have the checksum they had");
    written_ = length;
    filled_ = 0;
}

void StatsWriter::reopen()
{
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(file_, "cannot be opened");
    const auto offset = static_cast<off_t>(written_);
    if (::ftruncate(descriptor_, offset) != 0) fail(file_, "cannot be cut to its length at the checkpoint");
    if (::lseek(descriptor_, offset, SEEK_SET) != offset) fail(file_, "cannot be written");
    last_flush_ = 0;
}

} // namespace rubato
