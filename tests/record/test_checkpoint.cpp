#include "base/errors.hpp"
#include "fixture.hpp"
#include "record/checkpoint.hpp"

namespace rubato::test {

namespace {

const CheckpointIdentity identity{
    "0.1.0", {mark_of("scene.json", "{\"name\": \"a scene\"}"), mark_of("meshes/a.msh", "a mesh")}};

std::vector<std::uint8_t> payload(char c, std::size_t size = 1000)
{
    std::vector<std::uint8_t> bytes(size, static_cast<std::uint8_t>(c));
    for (std::size_t i = 0; i < size; i += 7) bytes[i] = static_cast<std::uint8_t>(i);
    return bytes;
}

/// The message of the InputError that reading gives; empty if it succeeds.
std::string refusal(const std::filesystem::path& folder, const CheckpointIdentity& expected = identity)
{
    try {
        read_checkpoint(folder, expected);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

} // namespace

TEST(Checkpoint, ComesBackAsItWasWritten)
{
    Folder folder;
    write_checkpoint(folder.path(), identity, payload('a'));
    const Checkpoint found = read_checkpoint(folder.path(), identity);
    EXPECT_EQ(found.payload, payload('a'));
    EXPECT_EQ(found.note, "");
    EXPECT_EQ(found.file, folder / "checkpoint.bin");
}

TEST(Checkpoint, KeepsTheLastTwoAndNoTemporaryFile)
{
    Folder folder;
    for (const char c : {'a', 'b', 'c'}) write_checkpoint(folder.path(), identity, payload(c));
    EXPECT_EQ(read_checkpoint(folder.path(), identity).payload, payload('c'));
    std::filesystem::remove(folder / "checkpoint.bin");
    EXPECT_EQ(read_checkpoint(folder.path(), identity).payload, payload('b'));
    int files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    EXPECT_EQ(files, 1);
}

TEST(Checkpoint, TruncationAnywhereIsNoticed)
{
    Folder folder;
    write_checkpoint(folder.path(), identity, payload('a', 40));
    const std::string whole = contents(folder / "checkpoint.bin");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        put(folder / "checkpoint.bin", whole.substr(0, size));
        const std::string message = refusal(folder.path());
        EXPECT_TRUE(says(message, "checkpoint.bin") && says(message, "truncated")) << size << ": " << message;
        EXPECT_TRUE(says(message, "run the scene again")) << message;
    }
    put(folder / "checkpoint.bin", whole + "x");
    EXPECT_TRUE(says(refusal(folder.path()), "damaged"));
}

TEST(Checkpoint, AFlippedBitAnywhereIsNoticed)
{
    Folder folder;
    write_checkpoint(folder.path(), identity, payload('a', 40));
    const std::string whole = contents(folder / "checkpoint.bin");
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        put(folder / "checkpoint.bin", damaged);
        EXPECT_NE(refusal(folder.path()), "") << "bit " << bit;
    }
}

TEST(Checkpoint, SaysWhatIsWrong)
{
    Folder folder;
    EXPECT_TRUE(says(refusal(folder.path()), "missing"));

    put(folder / "checkpoint.bin", "this is a text and long enough to be more than a header of a checkpoint");
    EXPECT_TRUE(says(refusal(folder.path()), "not a checkpoint"));

    write_checkpoint(folder.path(), identity, payload('a'));
    std::filesystem::remove(folder / "checkpoint.prev.bin");
    EXPECT_TRUE(
        says(refusal(folder.path(), {"0.2.0", identity.inputs}), "version 0.1.0 of the program, this is 0.2.0"));
    const auto with_inputs = [&](std::vector<FileMark> inputs) { return refusal(folder.path(), {"0.1.0", inputs}); };
    EXPECT_TRUE(says(with_inputs({mark_of("scene.json", "{}"), identity.inputs[1]}), "scene.json: was changed"));
    EXPECT_TRUE(says(with_inputs({identity.inputs[0], mark_of("meshes/a.msh", "b mesh")}), "a.msh: was changed"));
    EXPECT_TRUE(says(with_inputs({identity.inputs[0]}), "a.msh: was changed"));
    EXPECT_TRUE(says(with_inputs({}), "undo the change to resume, or run the scene anew"));

    std::string other = contents(folder / "checkpoint.bin");
    other[12] = 9; // the format follows the magic and the byte order mark
    put(folder / "checkpoint.bin", other);
    EXPECT_TRUE(says(refusal(folder.path()), "format 9"));

    std::string swapped = contents(folder / "checkpoint.bin");
    std::reverse(swapped.begin() + 8, swapped.begin() + 12);
    put(folder / "checkpoint.bin", swapped);
    EXPECT_TRUE(says(refusal(folder.path()), "byte order"));
}

TEST(Checkpoint, ADamagedOneGivesWayToTheOneBefore)
{
    Folder folder;
    write_checkpoint(folder.path(), identity, payload('a'));
    write_checkpoint(folder.path(), identity, payload('b'));
    std::string damaged = contents(folder / "checkpoint.bin");
    damaged[200] ^= 1;
    put(folder / "checkpoint.bin", damaged);

    const Checkpoint found = read_checkpoint(folder.path(), identity);
    EXPECT_EQ(found.payload, payload('a'));
    EXPECT_EQ(found.file, folder / "checkpoint.prev.bin");
    EXPECT_TRUE(says(found.note, "checkpoint.bin") && says(found.note, "damaged")) << found.note;

    put(folder / "checkpoint.prev.bin", contents(folder / "checkpoint.prev.bin").substr(0, 100));
    const std::string message = refusal(folder.path());
    EXPECT_TRUE(says(message, "damaged") && says(message, "checkpoint.prev.bin") && says(message, "truncated"))
        << message;
}

TEST(Checkpoint, AFailedWriteLeavesTheEarlierOne)
{
    Folder folder;
    write_checkpoint(folder.path(), identity, payload('a'));
    std::filesystem::create_directory(folder / "checkpoint.new.bin"); // nothing can be written under this name
    EXPECT_THROW(write_checkpoint(folder.path(), identity, payload('b')), WriteError);
    EXPECT_EQ(read_checkpoint(folder.path(), identity).payload, payload('a'));

    put(folder / "file", "keep me");
    EXPECT_THROW(write_checkpoint(folder / "file", identity, payload('b')), WriteError);
}

TEST(Checkpoint, TellsWhichInputWasChangedOnTheDisk)
{
    Folder folder;
    EXPECT_NO_THROW(require_inputs_unchanged(folder.path())) << "no checkpoint tells";
    std::filesystem::create_directory(folder / "meshes");
    put(folder / "scene.json", "{\"name\": \"a scene\"}");
    put(folder / "meshes/a.msh", "a mesh");
    write_checkpoint(folder.path(), identity, payload('a'));
    EXPECT_NO_THROW(require_inputs_unchanged(folder.path()));
    put(folder / "meshes/a.msh", "b mesh");
    try {
        require_inputs_unchanged(folder.path());
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_EQ(error.mistakes().at(0).file, folder / "meshes/a.msh");
    }
}

TEST(CheckpointWriter, WritesAtTheStartAndEveryFewSteps)
{
    Folder folder;
    std::vector<long> written;
    long now = 0;
    CheckpointWriter checkpoints(folder.path(), identity, 4, [&](Archive& archive) {
        archive("now", now);
        written.push_back(now);
    });
    Moment moment;
    for (now = 0; now <= 9; ++now) checkpoints.step(moment.record(now, 0.1 * static_cast<double>(now), 0.1));
    EXPECT_EQ(written, (std::vector<long>{0, 4, 8}));
    Archive archive(read_checkpoint(folder.path(), identity).payload);
    archive("now", now);
    EXPECT_EQ(now, 8);
}

TEST(CheckpointWriter, WithoutARhythmWritesOnlyWhenAsked)
{
    Folder folder;
    CheckpointWriter checkpoints(folder.path(), identity, 0, [](Archive&) {});
    Moment moment;
    for (long i = 0; i < 5; ++i) checkpoints.step(moment.record(i, 0.1, 0.1));
    EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint.bin"));
    checkpoints.write();
    EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint.bin"));
}

TEST(Fingerprint, IsFnv1a)
{
    EXPECT_EQ(fingerprint(""), 0xcbf29ce484222325u);
    EXPECT_EQ(fingerprint("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(fingerprint("foobar"), 0x85944171f73967e8u);
    EXPECT_EQ(fingerprint("bar", fingerprint("foo")), fingerprint("foobar"));
}

} // namespace rubato::test
