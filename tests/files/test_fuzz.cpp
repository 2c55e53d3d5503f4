/// Damaged files are read or refused with an InputError: nothing else may be thrown, nothing may crash, and no memory
/// out of proportion to the file may be asked for.

#include "base/errors.hpp"
#include "files/largest_request.hpp"
#include "files/sample_surface.hpp"
#include "files/vtu_variants.hpp"
#include "geometry/files/formats.hpp"
#include "geometry/files/off.hpp"
#include "geometry/files/ply.hpp"
#include "geometry/files/stl.hpp"
#include "geometry/files/write_msh.hpp"
#include "geometry/files/write_vtu.hpp"
#include "geometry/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rubato {
namespace {

TEST(LargestRequest, IsSeenByTheTestsBelow)
{
    forget_requests();
    const std::vector<char> some(12345);
    EXPECT_EQ(largest_request(), some.size());
}

/// A sound file and the format that reads it.
struct Kind {
    std::string name;
    const char* extension;
    std::string bytes;
    bool shows_its_end = true; ///< no shorter file can be sound, but for blanks at the end
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> kinds()
{
    TetMesh mesh = box_mesh(Vec3(1, 2, 3), {2, 1, 1});
    mesh.groups = {{"lid", {0, 3, 4}}, {"other side", {1, 2}}};
    const Surface surface = rich_surface();
    std::vector<Kind> all;
    for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
        for (const MshEncoding encoding : {MshEncoding::text, MshEncoding::binary}) {
            const std::string name = std::string(encoding == MshEncoding::text ? "text_" : "binary_")
                + (version == MshVersion::v2_2 ? "2" : "4");
            all.push_back({"msh_" + name, ".msh", msh_bytes("m.msh", mesh, version, encoding)});
            all.push_back({"msh_surface_" + name, ".msh", msh_bytes("m.msh", surface, version, encoding)});
        }
    }
    all.push_back({"obj", ".obj",
        "# s\nmtllib a.mtl\nv 0 0 0\nv 1 0.5 0\nv 1e-1 1 0\nv 0 1 -2.5\no arm\nf 1/1 2//3 3\nusemtl b\n"
        "f -4 -2 -1 2\nvt 1 1\n",
        false});
    all.push_back({"ply_text", ".ply", ply_bytes("m.ply", surface, PlyEncoding::text), false});
    all.push_back({"ply_binary", ".ply", ply_bytes("m.ply", vertex_textured_surface(), PlyEncoding::binary)});
    all.push_back({"stl_text", ".stl", stl_bytes("m.stl", surface, StlEncoding::text), false});
    all.push_back({"stl_binary", ".stl", stl_bytes("m.stl", surface, StlEncoding::binary)});
    all.push_back({"off", ".off", off_bytes("m.off", vertex_textured_surface()), false});
    all.push_back({"vtu_tets", ".vtu", vtu_bytes("m.vtu", mesh)});
    all.push_back({"vtu_surface", ".vtu", vtu_bytes("m.vtu", surface)});
    for (const VtuVariant& v : vtu_variants()) {
        all.push_back({"vtu_" + std::string(v.name), ".vtu", vtu_variant(v, mesh)});
    }
    return all;
}

TEST(FuzzedFormats, AreAllThatThereAre)
{
    for (const MeshFormat& format : mesh_formats()) {
        const std::vector<Kind> all = kinds();
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Kind& k) { return k.extension == format.extension; }))
            << format.extension;
    }
}

class Damaged : public testing::TestWithParam<Kind> {
protected:
    /// Whether the reader accepts the bytes; fails the test when it does anything but read or refuse.
    bool accepted(const std::string& bytes)
    {
        forget_requests();
        bool read = false;
        try {
            mesh_format(std::string("m") + GetParam().extension).read(bytes, "m");
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
    for (std::size_t size = 0; size < good.size(); ++size) {
        const bool read = accepted(good.substr(0, size));
        // the line break at the end of the file may go
        if (GetParam().shows_its_end && size + 1 < good.size()) {
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
    EXPECT_GT(refused, trials / 100);
    EXPECT_LT(refused, trials);
}

TEST_P(Damaged, IsReadOrRefusedWithOtherNumbers)
{
    const std::string& good = GetParam().bytes;
    std::mt19937 random(22);
    for (std::size_t i = 0; i < good.size(); ++i) {
        if (good[i] < '0' || good[i] > '9') continue;
        for (const char* number : {"", "-", "0", "9", "99999999", "999999999999", "18446744073709551615", "1e308"}) {
            std::string bytes = good;
            bytes.replace(i, 1 + random() % 2, number);
            accepted(bytes);
        }
    }
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
