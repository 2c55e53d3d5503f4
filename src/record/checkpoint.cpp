#include "record/checkpoint.hpp"

#include "base/errors.hpp"
#include "base/input_file.hpp"
#include "geometry/files/atomic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>

/// Layout of checkpoint.bin, integers in the byte order of the machine:
///
///     magic "RUBATOCP"            8 bytes
///     byte order mark, format     4 + 4 bytes
///     length, program version     8 + n bytes
///     number of inputs            8 bytes          scene.json and the files it reads
///     and of each: length, name   8 + n bytes
///       length, fingerprint       8 + 8 bytes
///     length, payload             8 + n bytes      an Archive
///     checksum                    8 bytes          fingerprint of all that precedes
namespace rubato {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "RUBATOCP";
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::uint32_t format_version = 2;
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

/// A checkpoint that is whole.
struct Content {
    std::string program_version;
    std::vector<FileMark> inputs;
    std::vector<std::uint8_t> payload;
};

std::optional<Fault> read(const fs::path& file, Content& content)
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
    content.program_version = reader.text(reader.integer<std::uint64_t>());
    content.inputs.clear();
    for (auto count = reader.integer<std::uint64_t>(); count > 0 && !reader.short_of(); --count) {
        FileMark mark;
        mark.name = reader.text(reader.integer<std::uint64_t>());
        mark.bytes = reader.integer<std::uint64_t>();
        mark.fingerprint = reader.integer<std::uint64_t>();
        content.inputs.push_back(std::move(mark));
    }
    const std::string_view payload = reader.text(reader.integer<std::uint64_t>());
    const std::size_t summed = bytes.size() - reader.left();
    const auto checksum = reader.integer<std::uint64_t>();
    if (reader.short_of()) return Fault{"is truncated"};
    if (reader.left() > 0 || checksum != fingerprint(std::string_view(bytes).substr(0, summed))) {
        return Fault{"is damaged (its checksum does not fit)"};
    }
    content.payload.assign(payload.begin(), payload.end());
    return std::nullopt;
}

/// Which of two lists of inputs has a file that the other has not, or has otherwise; empty: they are equal.
std::string first_difference(const std::vector<FileMark>& then, const std::vector<FileMark>& now)
{
    for (std::size_t i = 0; i < std::max(then.size(), now.size()); ++i) {
        if (i >= then.size()) return now[i].name;
        if (i >= now.size() || then[i] != now[i]) return then[i].name;
    }
    return "";
}

/// What the user is to do who changed an input.
InputError changed(const fs::path& run_directory, const std::string& name)
{
    return InputError(Mistake{.file = (run_directory / name).string(),
        .message = "was changed after the run began, and what has been computed does not belong to it: undo the change "
                   "to resume, or run the scene anew with an --out of its own"});
}

std::optional<Fault> read(const fs::path& file, const CheckpointIdentity& identity, std::vector<std::uint8_t>& payload)
{
    Content content;
    if (const auto fault = read(file, content)) return fault;
    if (content.program_version != identity.program_version) {
        return Fault{fmt::format("was written by version {} of the program, this is {}", content.program_version,
                         identity.program_version),
            true};
    }
    const std::string name = first_difference(content.inputs, identity.inputs);
    if (!name.empty()) throw changed(file.parent_path(), name);
    payload = std::move(content.payload);
    return std::nullopt;
}

Mistake mistake(const fs::path& file, const Fault& fault)
{
    return {.file = file.string(), .message = fault.what + "; run the scene again from the start"};
}

} // namespace

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
    put(bytes, std::uint64_t{identity.inputs.size()});
    for (const FileMark& input : identity.inputs) {
        put(bytes, std::uint64_t{input.name.size()});
        bytes += input.name;
        put(bytes, input.bytes);
        put(bytes, input.fingerprint);
    }
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

void require_inputs_unchanged(const fs::path& run_directory)
{
    Content content;
    if (read(run_directory / newest_name, content) && read(run_directory / previous_name, content)) return;
    for (const FileMark& then : content.inputs) {
        std::error_code error;
        const fs::path file = run_directory / then.name;
        if (!fs::exists(file, error)) continue; // whoever builds the scene says that it is missing
        if (mark_of(then.name, file_bytes(file)) != then) throw changed(run_directory, then.name);
    }
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
