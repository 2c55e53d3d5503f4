#include "record/checkpoint.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/atomic_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <system_error>

/// Layout of checkpoint.bin, integers in the byte order of the machine:
///
///     magic "RUBATOCP"            8 bytes
///     byte order mark, format     4 + 4 bytes
///     length, program version     8 + n bytes
///     fingerprint of the inputs   8 bytes          scene.json and the files it reads
///     length, payload             8 + n bytes      an Archive
///     checksum                    8 bytes          fingerprint of all that precedes
namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "RUBATOCP";
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::uint32_t format_version = 1;
constexpr const char* newest_name = "checkpoint.bin";
constexpr const char* previous_name = "checkpoint.prev.bin";
constexpr const char* incoming_name = "checkpoint.new.bin";

template <class T>
void put(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Takes fields from the front of a text; `short_of` is set when it ends too early.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : rest_(bytes)
    {
    }
    bool short_of() const { return short_; }
    std::size_t left() const { return rest_.size(); }

    std::string_view text(std::uint64_t size)
    {
        if (size > rest_.size()) {
            short_ = true;
            return {};
        }
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    template <class T>
    T integer()
    {
        T value{};
        const std::string_view bytes = text(sizeof value);
        if (!short_) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }

private:
    std::string_view rest_;
    bool short_ = false;
};

/// What is wrong with a checkpoint. A damaged one may be replaced by the one before it; a whole one that belongs to
/// another program or scene may not.
struct Fault {
    std::string what;
    bool foreign = false;
};

std::optional<Fault> read(const fs::path& file, const CheckpointIdentity& identity, std::vector<std::uint8_t>& payload)
{
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) return Fault{"is missing"};
    std::string bytes;
    try {
        bytes = file_bytes(file);
    } catch (const InputError& unreadable) {
        return Fault{unreadable.mistakes().front().message};
    }

    Reader reader(bytes);
    if (reader.text(magic.size()) != magic) {
        return Fault{reader.short_of() ? "is truncated" : "is not a checkpoint of this program"};
    }
    const auto order = reader.integer<std::uint32_t>();
    const auto format = reader.integer<std::uint32_t>();
    if (!reader.short_of() && order != byte_order_mark)
        return Fault{"was written on a machine with another byte order"};
    if (!reader.short_of() && format != format_version) {
        return Fault{fmt::format("has format {}, this program reads format {}", format, format_version)};
    }
    const std::string_view version = reader.text(reader.integer<std::uint64_t>());
    const auto scene = reader.integer<std::uint64_t>();
    const std::string_view content = reader.text(reader.integer<std::uint64_t>());
    const std::size_t summed = bytes.size() - reader.left();
    const auto checksum = reader.integer<std::uint64_t>();
    if (reader.short_of()) return Fault{"is truncated"};
    if (reader.left() > 0 || checksum != fingerprint(std::string_view(bytes).substr(0, summed))) {
        return Fault{"is damaged (its checksum does not fit)"};
    }
    if (version != identity.program_version) {
        return Fault{
            fmt::format("was written by version {} of the program, this is {}", version, identity.program_version),
            true};
    }
    if (scene != identity.scene)
        return Fault{"belongs to another scene: scene.json or a mesh beside it was changed", true};
    payload.assign(content.begin(), content.end());
    return std::nullopt;
}

Mistake mistake(const fs::path& file, const Fault& fault)
{
    return {.file = file.string(), .message = fault.what + "; run the scene again from the start"};
}

} // namespace

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed)
{
    for (const char byte : bytes) seed = (seed ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3u;
    return seed;
}

void write_checkpoint(
    const fs::path& run_directory, const CheckpointIdentity& identity, const std::vector<std::uint8_t>& payload)
{
    std::string bytes;
    bytes.reserve(payload.size() + identity.program_version.size() + 64);
    bytes += magic;
    put(bytes, byte_order_mark);
    put(bytes, format_version);
    put(bytes, std::uint64_t{identity.program_version.size()});
    bytes += identity.program_version;
    put(bytes, identity.scene);
    put(bytes, std::uint64_t{payload.size()});
    bytes.append(reinterpret_cast<const char*>(payload.data()), payload.size());
    put(bytes, fingerprint(bytes));

    // The new file is whole on the disk before the old ones are touched; between the two renames the previous one
    // stands in for the newest.
    const fs::path newest = run_directory / newest_name;
    const fs::path incoming = run_directory / incoming_name;
    write_atomically(incoming, bytes, true);
    std::error_code error;
    fs::rename(newest, run_directory / previous_name, error); // the first checkpoint has none before it
    fs::rename(incoming, newest, error);
    if (error) throw WriteError(newest.string(), error.message());
}

Checkpoint read_checkpoint(const fs::path& run_directory, const CheckpointIdentity& identity)
{
    Checkpoint found;
    found.file = run_directory / newest_name;
    const auto newest = read(found.file, identity, found.payload);
    if (!newest) return found;
    const fs::path previous_file = run_directory / previous_name;
    std::error_code error;
    if (newest->foreign || !fs::exists(previous_file, error)) throw InputError(mistake(found.file, *newest));

    const auto previous = read(previous_file, identity, found.payload);
    if (previous) throw InputError({mistake(found.file, *newest), mistake(previous_file, *previous)});
    found.note = fmt::format("{} {}; going on from {}", found.file.string(), newest->what, previous_file.string());
    found.file = previous_file;
    return found;
}

CheckpointWriter::CheckpointWriter(
    fs::path run_directory, CheckpointIdentity identity, long every, std::function<void(Archive&)> contents)
    : directory_(std::move(run_directory))
    , identity_(std::move(identity))
    , every_(every)
    , contents_(std::move(contents))
{
}

void CheckpointWriter::step(const StepRecord& record)
{
    if (every_ > 0 && record.step % every_ == 0) write();
}

void CheckpointWriter::write()
{
    Archive archive;
    contents_(archive);
    write_checkpoint(directory_, identity_, archive.bytes());
}

} // namespace rubato
