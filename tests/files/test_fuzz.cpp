/// Damaged files are read or refused with an InputError: nothing else may be thrown, nothing may crash, and no memory
/// out of proportion to the file may be asked for.

#include "base/errors.hpp"
#include "files/largest_request.hpp"
#include "geometry/files/read_msh.hpp"
#include "geometry/files/read_obj.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace rubato {
namespace {

TEST(LargestRequest, IsSeenByTheTestsBelow)
{
    forget_requests();
    const std::vector<char> some(12345);
    EXPECT_EQ(largest_request(), some.size());
}

struct Kind {
    const char* name;
    std::string bytes;
    std::function<void(const std::string&)> read;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> kinds()
{
    TetMesh mesh = box_mesh(Vec3(1, 2, 3), {2, 1, 1});
    mesh.groups = {{"lid", {0, 3, 4}}, {"other side", {1, 2}}};
    const auto read = [](const std::string& bytes) { msh_from_bytes(bytes, "m.msh"); };
    const auto made = [&](MshVersion v, MshEncoding e) { return msh_bytes("m.msh", mesh, v, e); };
    return {
        {"text_2", made(MshVersion::v2_2, MshEncoding::text), read},
        {"binary_2", made(MshVersion::v2_2, MshEncoding::binary), read},
        {"text_4", made(MshVersion::v4_1, MshEncoding::text), read},
        {"binary_4", made(MshVersion::v4_1, MshEncoding::binary), read},
        {"obj", "# s\nv 0 0 0\nv 1 0.5 0\nv 1e-1 1 0\nv 0 1 -2.5\nf 1/1 2//3 3\nf -4 -2 -1 2\nvt 1 1\n",
            [](const std::string& bytes) { obj_from_bytes(bytes, "s.obj"); }},
    };
}

class Damaged : public testing::TestWithParam<Kind> {
protected:
    /// Whether the reader accepts the bytes; fails the test when it does anything but read or refuse.
    bool accepted(const std::string& bytes)
    {
        forget_requests();
        bool read = false;
        try {
            GetParam().read(bytes);
            read = true;
        } catch (const InputError& e) {
            EXPECT_FALSE(e.mistakes().empty());
        } catch (const std::exception& e) {
            ADD_FAILURE() << "threw something else: " << e.what();
        }
        EXPECT_LE(largest_request(), 64 * bytes.size() + 4096);
        return read;
    }
};

INSTANTIATE_TEST_SUITE_P(AllKinds, Damaged, testing::ValuesIn(kinds()), [](const auto& p) { return p.param.name; });

TEST_P(Damaged, IsReadWhenNothingIsDamaged) { EXPECT_TRUE(accepted(GetParam().bytes)); }

TEST_P(Damaged, IsRefusedWhenCutShort)
{
    const std::string& good = GetParam().bytes;
    const bool has_end_marker = good.starts_with('$');
    for (std::size_t size = 0; size < good.size(); ++size) {
        const bool read = accepted(good.substr(0, size));
        // the line break at the end of the file may go
        if (has_end_marker && size + 1 < good.size()) {
            EXPECT_FALSE(read) << size << " of " << good.size() << " bytes";
        }
    }
}

TEST_P(Damaged, IsReadOrRefusedWithBytesChanged)
{
    std::mt19937 random(20);
    int refused = 0;
    constexpr int trials = 20000;
    for (int i = 0; i < trials; ++i) {
        std::string bytes = GetParam().bytes;
        const unsigned changes = 1 + random() % 4;
        for (unsigned c = 0; c < changes; ++c) {
            char& byte = bytes[random() % bytes.size()];
            switch (random() % 3) {
            case 0: byte = static_cast<char>(random() % 256); break;
            case 1: byte = static_cast<char>(byte ^ (1u << random() % 8)); break;
            default: byte = "0123456789-+. \n$\"/e"[random() % 19]; // what means something in text
            }
        }
        refused += !accepted(bytes);
    }
    EXPECT_GT(refused, trials / 10);
    EXPECT_LT(refused, trials);
}

TEST_P(Damaged, IsReadOrRefusedWithPiecesMovedOrRemoved)
{
    std::mt19937 random(21);
    for (int i = 0; i < 5000; ++i) {
        std::string bytes = GetParam().bytes;
        const std::size_t at = random() % bytes.size();
        const std::size_t length = 1 + random() % std::min<std::size_t>(64, bytes.size() - at);
        const std::string piece = bytes.substr(at, length);
        if (random() % 2) bytes.erase(at, length);
        if (random() % 2) bytes.insert(random() % (bytes.size() + 1), piece);
        accepted(bytes);
    }
}

} // namespace
} // namespace rubato
